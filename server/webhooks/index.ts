/**
 * Owns the entry points for requests of external services: webhooks, and mail programs that unsubscribe a person.
 * Never acts on a webhook: it verifies the sender, stores the event, and leaves it to a job.
 * Reads settlement, notifications.
 */
import { randomUUID } from 'node:crypto'
import { getServices } from '../compose.ts'
import type { Context } from '../context.ts'
import { toProblem } from '../errors.ts'
import { bodyLimits } from '../http/body-limits.ts'
import { readTextWithinLimit } from '../http/read-text-within-limit.ts'
import { receiveWebhookEvent } from '../settlement/index.ts'

export { handleMailUnsubscribeRequest, handleMailUnsubscribeRequestAs } from './handle-mail-unsubscribe-request.ts'

/** Inbound webhooks of Stripe. 200: stored. 4xx: refused permanently. 5xx: Stripe has to retry. */
export async function handleStripeWebhook(request: Request): Promise<Response> {
  const world = await getServices()
  return handleStripeWebhookAs(world.contextFor({ kind: 'system', name: 'jobs' }), request)
}

/** As `handleStripeWebhook`, with a given context. */
export async function handleStripeWebhookAs(ctx: Context, request: Request): Promise<Response> {
  // A market without cards has no webhook.
  if (ctx.ports.cards === null) return new Response(null, { status: 404 })
  const signature = request.headers.get('stripe-signature') ?? ''
  // The signature covers the raw bytes.
  const read = await readTextWithinLimit(request, bodyLimits.stripe)
  if (!read.ok) return new Response(null, { status: read.status })
  const body = read.text ?? ''
  try {
    await receiveWebhookEvent(ctx, { body, signature })
    return Response.json({ received: true })
  } catch (error) {
    const id = randomUUID()
    const problem = toProblem(error, id)
    if (problem.status >= 500) ctx.log.error({ event: 'webhook.store_failed', err: error, call: id }, 'A webhook event was not stored.')
    else ctx.log.warn({ event: 'webhook.rejected', code: problem.code, call: id }, 'A webhook event was rejected.')
    return Response.json(problem, { status: problem.status, headers: { 'content-type': 'application/problem+json' } })
  }
}
