/** HTTP requests of programs that act for a wallet: login, quotes, and the commands of people. @see SPEC.md#clients */
import type { IncomingMessage } from 'node:http'
import { RequestApiToken, RequestQuote } from '@parley/protocol'
import { z } from 'zod'
import { parseJson, requestMalformed } from '../../commands/index.ts'
import { type Actor, actingAs, type Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { issueQuote } from '../../goals/index.ts'
import { bodyLimits } from '../../http/body-limits.ts'
import { findActorByToken, issueApiToken, issueNonce, signOut, siweStatement } from '../../identity/index.ts'
import { admitRate } from '../../policy/index.ts'
import { limitFailedLogins } from '../connection/limit-failed-logins.ts'
import type { HttpServices } from './http-services.ts'
import { readRequestText } from './read-request-text.ts'

export type ClientRequest = { readonly base: Context; readonly request: IncomingMessage; readonly services: HttpServices }

/** The routes by method and path, each with the status of its answer. A body of null: the answer has none. */
export const walletClientRoutes: Readonly<
  Record<string, { readonly status: number; readonly answer: (exchange: ClientRequest) => Promise<object | null> }>
> = {
  'POST /v1/nonces': { status: 201, answer: createNonce },
  'POST /v1/tokens': { status: 201, answer: createToken },
  'DELETE /v1/tokens/current': { status: 204, answer: deleteToken },
  'POST /v1/quotes': { status: 201, answer: createQuote },
}

/** What the wallet signs: a single-use nonce, and what else the message must say. */
async function createNonce({ base, request, services }: ClientRequest): Promise<object> {
  await admitRate(base, 'identity', services.sourceOf(request))
  const { market } = base
  const { host: domain, origin: uri } = new URL(market.publicUrl)
  return { ...(await issueNonce(base)), statement: siweStatement, domain, uri, version: '1', chain_id: market.chainId }
}

async function createToken(exchange: ClientRequest): Promise<object> {
  const { base, request, services } = exchange
  const source = services.sourceOf(request)
  await admitRate(base, 'identity', source)
  const asked = await readBody(exchange, RequestApiToken, { maxBytes: bodyLimits.signIn, sender: source })
  return issueApiToken(base, asked)
}

/** Ends the login of the token. An unknown token has ended already. */
async function deleteToken({ base, request, services }: ClientRequest): Promise<null> {
  await admitRate(base, 'identity', services.sourceOf(request))
  await signOut(base, bearerOf(request))
  return null
}

async function createQuote(exchange: ClientRequest): Promise<object> {
  const { base, request, services } = exchange
  const source = services.sourceOf(request)
  const isAnonymous = request.headers.authorization === undefined
  const ctx = isAnonymous ? base : actingAs(base, await authenticatePerson(base, request, services))
  await admitRate(ctx, 'search', source)
  return issueQuote(ctx, await readBody(exchange, RequestQuote, { maxBytes: bodyLimits.quote, sender: source }))
}

type Person = Extract<Actor, { kind: 'person' }>

/** @throws auth.required */
export async function authenticatePerson(base: Context, request: IncomingMessage, { sourceOf }: HttpServices): Promise<Person> {
  return limitFailedLogins(base, sourceOf(request), async () => {
    const actor = await findActorByToken(base, bearerOf(request))
    if (actor.kind !== 'person')
      throw new DomainError('auth.required', 'This token is unknown, or its login has ended.', {
        hint: 'Request a nonce with POST /v1/nonces, sign in with POST /v1/tokens, and send its token.',
      })
    return actor
  })
}

/** @throws auth.required */
export function bearerOf(request: IncomingMessage): string {
  const token = /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token !== undefined) return token
  throw new DomainError('auth.required', 'This request needs a token.', { hint: 'Send it as "Authorization: Bearer <token>".' })
}

type BodyBounds = { readonly maxBytes: number; readonly sender: string }

/** @throws request.malformed, request.too_large */
async function readBody<Shape extends z.ZodType>(
  { request, services }: ClientRequest,
  shape: Shape,
  bounds: BodyBounds,
): Promise<z.infer<Shape>> {
  const text = await readRequestText(request, { ...bounds, budget: services.inboundLimits.budget })
  const read = shape.safeParse(parseJson(text))
  if (!read.success) throw requestMalformed(z.prettifyError(read.error))
  return read.data
}
