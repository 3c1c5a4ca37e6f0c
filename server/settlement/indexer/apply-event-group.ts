import type { Context } from '../../context.ts'
import { recordChannelEvents } from '../channels/apply-channel-events.ts'
import { recordWithdrawal } from '../credits/apply-withdrawal.ts'
import type { EventGroup } from '../events/event-group.ts'
import { recordRailEvents } from './apply-plan-events.ts'

/** Routes a group of events to the part that it concerns: a credit, a channel or a plan. */
export async function recordGroup(tx: Context, group: EventGroup): Promise<void> {
  if (group.account !== null) await recordWithdrawal(tx, group.events[0])
  else if (group.contract === 'channels') await recordChannelEvents(tx, group)
  else await recordRailEvents(tx, group.events)
}
