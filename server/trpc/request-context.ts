import { randomUUID } from 'node:crypto'
import { getWorld, type World } from '../compose.ts'
import { type Actor, actingAs, type Context } from '../context.ts'
import { peerHeader, rateSource } from '../http/client-address.ts'
import { offerLogins } from '../http/login-check.ts'
import { findSession } from '../identity/index.ts'
import { joinTrace } from '../telemetry/index.ts'

export { mayReadOperations } from '../context.ts'
export { waitSecondsOf } from '../errors.ts'

/** One request of a browser: who calls, with what session, and where a cookie can be set. */
export type Call = {
  readonly ctx: Context
  readonly world: World
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

type Asked = { readonly headers: Headers; readonly reply: Headers | null; readonly answerBytes?: number }

export async function createCall({ headers, reply, answerBytes }: Asked): Promise<Call> {
  const world = await getWorld()
  const ctx = world.contextFor(anonymous)
  const token = readCookie(headers.get('cookie') ?? '', cookieName(ctx.market.publicUrl))
  const actor = token === null ? anonymous : await findSession(ctx, token, world.operators)
  return {
    ctx: joinTrace(world.contextFor(actor), headers.get('traceparent')),
    world,
    token,
    userAgent: headers.get('user-agent') ?? '',
    source: rateSource(headers.get(peerHeader) ?? ''),
    reply,
    ...(answerBytes !== undefined && { answer: { left: answerBytes, most: answerBytes } }),
    id: randomUUID(),
  }
}

/** Lets the web's own server ask whether a request has a login, before it reads the body. */
export function offerOwnLogins(): void {
  offerLogins(async (headers) => (await createCall({ headers, reply: null })).ctx.actor.kind !== 'anonymous')
}

/** The call's context with the login as it is now; null where that login has ended since. */
export async function proveAgain({ ctx, token, world }: Call): Promise<Context | null> {
  if (token === null || ctx.actor.kind !== 'person') return ctx
  const actor = await findSession(ctx, token, world.operators)
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
export function setSessionCookie(call: Call, session: { token: string; expiresAt: string } | null): void {
  const { publicUrl } = call.ctx.market
  const end = session === null ? 'Max-Age=0' : `Expires=${new Date(session.expiresAt).toUTCString()}`
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  call.reply?.append('set-cookie', `${cookieName(publicUrl)}=${session?.token ?? ''}; Path=/; HttpOnly; SameSite=Lax; ${end}${secure}`)
}
