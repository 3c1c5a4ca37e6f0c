import { randomUUID } from 'node:crypto'
import { getServices, type Services } from '../compose.ts'
import { type Actor, actingAs, type Context } from '../context.ts'
import { clientAddressHeader, rateSource } from '../http/client-address.ts'
import { registerLoginCheck } from '../http/login-check.ts'
import { findSession } from '../identity/index.ts'
import { joinTrace } from '../telemetry/index.ts'

export { mayReadOperations } from '../context.ts'
export { retryAfterSeconds } from '../errors.ts'

/** One request of a browser: who calls, with what session, and where a cookie can be set. */
export type RequestContext = {
  readonly ctx: Context
  readonly services: Services
  /** The secret of the session cookie, where one was sent. */
  readonly token: string | null
  readonly userAgent: string
  /** What tells a stranger from another: see `rateSource`. */
  readonly source: string
  /** Headers of the answer; absent where a page is being rendered and can set none. */
  readonly reply: Headers | null
  /** How many bytes its answer may still have; absent where a page is being rendered, which takes what it shows. */
  readonly answer?: { left: number; readonly most: number } | undefined
  /** Correlation id, shown with every error. */
  readonly id: string
}

const anonymous: Actor = { kind: 'anonymous' }

type RequestContextInput = { readonly headers: Headers; readonly reply: Headers | null; readonly answerBytes?: number }

export async function createRequestContext({ headers, reply, answerBytes }: RequestContextInput): Promise<RequestContext> {
  const services = await getServices()
  const ctx = services.contextFor(anonymous)
  const token = readCookie(headers.get('cookie') ?? '', cookieName(ctx.market.publicUrl))
  const actor = token === null ? anonymous : await findSession(ctx, token, services.operators)
  return {
    ctx: joinTrace(services.contextFor(actor), headers.get('traceparent')),
    services,
    token,
    userAgent: headers.get('user-agent') ?? '',
    source: rateSource(headers.get(clientAddressHeader) ?? ''),
    reply,
    ...(answerBytes !== undefined && { answer: { left: answerBytes, most: answerBytes } }),
    id: randomUUID(),
  }
}

/** Lets the web's own server ask whether a request has a login, before it reads the body. */
export function registerOwnLoginCheck(): void {
  registerLoginCheck(async (headers) => (await createRequestContext({ headers, reply: null })).ctx.actor.kind !== 'anonymous')
}

/** The call's context with the login as it is now; null where that login has ended since. */
export async function reauthenticate({ ctx, token, services }: RequestContext): Promise<Context | null> {
  if (token === null || ctx.actor.kind !== 'person') return ctx
  const actor = await findSession(ctx, token, services.operators)
  return actor.kind === 'person' && actor.did === ctx.actor.did ? actingAs(ctx, actor) : null
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-parley_session' : 'parley_session'
}

function readCookie(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value) return value
  }
  return null
}

/** Gives the browser its session, or takes it back with `null`. The script of a page never sees it. */
export function setSessionCookie(call: RequestContext, session: { token: string; expiresAt: string } | null): void {
  const { publicUrl } = call.ctx.market
  const end = session === null ? 'Max-Age=0' : `Expires=${new Date(session.expiresAt).toUTCString()}`
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  call.reply?.append('set-cookie', `${cookieName(publicUrl)}=${session?.token ?? ''}; Path=/; HttpOnly; SameSite=Lax; ${end}${secure}`)
}
