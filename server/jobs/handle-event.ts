import type { Event } from '@parley/protocol'
import type { Context } from '../context.ts'
import { findUnhandledOutboxEvent, markEventHandled } from '../delivery/index.ts'
import { withSpan } from '../telemetry/index.ts'
import { eventHandlers } from './event-handlers.ts'

/** Handles one event of the outbox. After an error the queue retries it, and the event stays unhandled. */
export async function handleEvent(ctx: Context, eventId: string): Promise<void> {
  const event = await findUnhandledOutboxEvent(ctx, eventId)
  if (!event) return
  // The table pairs each type with its handler. The type system cannot follow this through a lookup.
  const reaction = eventHandlers[event.type] as ((ctx: Context, event: Event) => Promise<void>) | null
  if (reaction && ctx.trace) await withSpan(ctx, { name: event.type, kind: 'internal' }, (own) => reaction(own, event))
  else if (reaction) await reaction(ctx, event)
  await markEventHandled(ctx, eventId)
}
