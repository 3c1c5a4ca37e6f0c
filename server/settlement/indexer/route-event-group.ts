import type { Context } from '../../context.ts'
import type { EventGroup } from '../chain-events/group-events.ts'
import { applyChannelEvents } from '../channels/apply-channel-events.ts'
import { applyCreditWithdrawnEvent } from '../credits/apply-credit-withdrawn-event.ts'
import { applyPlanEvents } from './apply-plan-events.ts'

/** Routes an event group to its module: credits, channels or plans. */
export async function routeEventGroup(tx: Context, group: EventGroup): Promise<void> {
  if (group.account !== null) await applyCreditWithdrawnEvent(tx, group.events[0])
  else if (group.contract === 'channels') await applyChannelEvents(tx, group)
  else await applyPlanEvents(tx, group.events)
}
