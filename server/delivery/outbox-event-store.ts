import { Event } from '@parley/protocol'
import type { Context } from '../context.ts'

/** An event of the outbox by its id; null if it was already handled. */
export async function findUnhandledOutboxEvent(ctx: Context, eventId: string): Promise<Event | null> {
  const row = await ctx.db.outboxEvent.findUnique({ where: { id: eventId } })
  return row && row.handledAt === null ? Event.parse(row.body) : null
}

/** Marks an event as handled, so that a repeated job skips it. */
export async function markEventHandled(ctx: Context, eventId: string): Promise<void> {
  await ctx.db.outboxEvent.updateMany({ where: { id: eventId, handledAt: null }, data: { handledAt: ctx.clock.now() } })
}
