import { randomUUID } from 'node:crypto'
import { getServices, type Services } from '../compose.ts'
import { type Actor, actingAs, type Context } from '../context.ts'
import { clientAddressHeader, rateSource } from '../http/client-ip-address.ts'
import { registerLoginCheck } from '../http/register-login-check.ts'
import { findActorByToken } from '../identity/index.ts'
import { joinTrace } from '../telemetry/index.ts'

export { mayReadOperatorPages } from '../context.ts'
export { retryAfterSeconds } from '../errors.ts'

/** The context of one browser request: actor, session, and the response headers for the cookie. */
export type RequestContext = {
  readonly ctx: Context
  readonly services: Services
  /** The secret of the session cookie or of the bearer header, or null. */
  readonly token: string | null
  readonly userAgent: string
  /** The rate limit key of an anonymous request: see `rateSource`. */
  readonly source: string
  /** The response headers; null during page rendering, which cannot set any. */
  readonly reply: Headers | null
  /** The remaining size of the answer in bytes; absent during page rendering. */
  readonly answer?: { left: number; readonly max: number } | undefined
  /** The correlation id, shown with every error. */
  readonly id: string
}

const anonymous: Actor = { kind: 'anonymous' }

type RequestContextInput = { readonly headers: Headers; readonly reply: Headers | null; readonly answerBytes?: number }

export async function createRequestContext({ headers, reply, answerBytes }: RequestContextInput): Promise<RequestContext> {
  const services = await getServices()
  const ctx = services.contextFor(anonymous)
  const token = readBearer(headers) ?? readCookie(headers.get('cookie') ?? '', cookieName(ctx.market.publicUrl))
  const actor = token === null ? anonymous : await findActorByToken(ctx, token, services.operators)
  return {
    ctx: joinTrace(services.contextFor(actor), headers.get('traceparent')),
    services,
    token,
    userAgent: headers.get('user-agent') ?? '',
    source: rateSource(headers.get(clientAddressHeader) ?? ''),
    reply,
    ...(answerBytes !== undefined && { answer: { left: answerBytes, max: answerBytes } }),
    id: randomUUID(),
  }
}

/** Lets the web's own server check a login before it reads the body. */
export function registerOwnLoginCheck(): void {
  registerLoginCheck(async (headers) => (await createRequestContext({ headers, reply: null })).ctx.actor.kind !== 'anonymous')
}

/** The context with the current login; null if the login has ended. */
export async function reauthenticate({ ctx, token, services }: RequestContext): Promise<Context | null> {
  if (token === null || ctx.actor.kind !== 'person') return ctx
  const actor = await findActorByToken(ctx, token, services.operators)
  return actor.kind === 'person' && actor.did === ctx.actor.did ? actingAs(ctx, actor) : null
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-parley_session' : 'parley_session'
}

/** The token of a program. It comes first: a program that sends it means this login. */
function readBearer(headers: Headers): string | null {
  return /^Bearer (\S{1,200})$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

function readCookie(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
  return null
}

/** Sets the session cookie, or deletes it for `null`. Scripts of a page cannot read it. */
export function setSessionCookie(call: RequestContext, session: { token: string; expiresAt: string } | null): void {
  const { publicUrl } = call.ctx.market
  const end = session === null ? 'Max-Age=0' : `Expires=${new Date(session.expiresAt).toUTCString()}`
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  call.reply?.append('set-cookie', `${cookieName(publicUrl)}=${session?.token ?? ''}; Path=/; HttpOnly; SameSite=Lax; ${end}${secure}`)
}
