import { randomUUID } from 'node:crypto'
import { getServices } from '../compose.ts'
import type { Context } from '../context.ts'
import { toProblem } from '../errors.ts'
import { clientAddressHeader, rateSource } from '../http/client-ip-address.ts'
import { unsubscribe } from '../notifications/index.ts'
import { admitRate } from '../policy/index.ts'

/** The address of `List-Unsubscribe`: a mail program posts to it without a login (RFC 8058). 4xx: nothing was changed. */
export async function handleMailUnsubscribeRequest(request: Request): Promise<Response> {
  const world = await getServices()
  return handleMailUnsubscribeRequestAs(world.contextFor({ kind: 'anonymous' }), request)
}

/** As `handleMailUnsubscribeRequest`, with a given context. */
export async function handleMailUnsubscribeRequestAs(ctx: Context, request: Request): Promise<Response> {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  // A reader, or a program that scans links: only a POST changes something.
  if (request.method === 'GET')
    return new Response(null, {
      status: 303,
      headers: { location: `${ctx.market.publicUrl}/unsubscribe?token=${encodeURIComponent(token)}` },
    })
  try {
    await admitRate(ctx, 'identity', rateSource(request.headers.get(clientAddressHeader) ?? ''))
    await unsubscribe(ctx, { token })
    return new Response('Unsubscribed.', { status: 200, headers: { 'content-type': 'text/plain' } })
  } catch (error) {
    const id = randomUUID()
    const problem = toProblem(error, id)
    if (problem.status >= 500) ctx.log.error({ event: 'unsubscribe.failed', err: error, call: id }, 'An unsubscription failed.')
    return Response.json(problem, { status: problem.status, headers: { 'content-type': 'application/problem+json' } })
  }
}
