import type { Context } from '../../../context.ts'
import { isUniqueViolation } from '../../../db.ts'
import { schedule } from '../../../delivery/index.ts'
import { webhookEventUnreadable, webhookEventWrongMode } from '../../errors.ts'
import { requireCardRail } from '../lock-card-hold.ts'

/**
 * Receives a webhook: verifies the webhook signature over the raw body, stores the event and schedules a job, in this order. Idempotent by
 * event id.
 * @throws request.malformed if the signature is wrong or old, or the event is of the other mode
 */
export async function receiveWebhookEvent(ctx: Context, input: { readonly body: string; readonly signature: string }): Promise<void> {
  const cards = requireCardRail(ctx)
  const now = ctx.clock.now()
  const event = cards.verifyWebhookEvent(input.body, input.signature, Math.floor(now.getTime() / 1_000))
  if (!event) throw webhookEventUnreadable()
  if (event.isLive !== cards.isLive) throw webhookEventWrongMode(event.isLive, cards.isLive)
  const { id, type, account, objectId } = event
  try {
    const row = { id, type, account, objectId, body: event.body as object, at: new Date(event.at * 1_000), receivedAt: now }
    await ctx.db.stripeEvent.create({ data: row })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
  }
  // Schedules a stored event again, because a process may have crashed between the two writes.
  await schedule(ctx, 'handle-webhook-event', { stripeEventId: id }, { jobKey: `stripe-event:${id}` })
}
