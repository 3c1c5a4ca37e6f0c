/**
 * The endpoints of MCP and A2A: one JSON-RPC request over HTTP, with an optional bearer token.
 * The response is JSON or a stream of server-sent events.
 */
import { type Json, limits } from '@parley/protocol'
import { parseJson } from '../../commands/index.ts'
import { type Actor, actingAs, type Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import type { ConcurrencyLimiter } from '../../http/concurrency-limiter.ts'
import { findActorByToken } from '../../identity/index.ts'
import { admitRate } from '../../policy/index.ts'
import { findAgentByToken } from '../../registry/index.ts'
import { answerA2a } from './a2a/answer-a2a.ts'
import { answerMcp, type McpStreamContext, mcpVersions, resumeMcp } from './mcp/answer-mcp.ts'
import type { StreamContext } from './transport/await-first-event.ts'
import { errorCodes, failure, parseRequest } from './transport/json-rpc.ts'
import type { StreamEvent } from './transport/server-sent-events.ts'

export { marketAgentCard } from './a2a/market-agent-card.ts'

/** A request as the endpoints see it. `text`: reads the body up to a number of bytes. */
export type ForeignRequest = {
  readonly protocol: 'mcp' | 'a2a'
  readonly text: (max: number) => Promise<string>
  readonly authorization: string | undefined
  readonly origin: string | undefined
  /** The header `MCP-Protocol-Version`. */
  readonly version: string | undefined
  readonly accept: string | undefined
  /** The last event that a reconnecting reader has. */
  readonly lastEventId: string | undefined
  /** The rate limit key of an anonymous caller. */
  readonly source: string
}
/** `body`: null for an empty response. `events`: a stream. */
export type ForeignResponse = { readonly status: number; readonly body: object | null } | { readonly events: AsyncIterable<StreamEvent> }
/** The body limit of an anonymous caller. A signed-in caller can attach files, as with a command. */
const maxAnonymousBytes = 16_384

/** `signal`: aborted when the client disconnects or the server stops. */
export type StreamServices = Pick<StreamContext, 'listener' | 'signal'> & { readonly streams: ConcurrencyLimiter }

/** @throws auth.required, permission.denied, rate.exceeded; other errors are part of the response */
export async function handleMcpOrA2aRequest(base: Context, visit: ForeignRequest, way: StreamServices): Promise<ForeignResponse> {
  const { protocol, text, source } = visit
  const refused = earlyRefusal(base, visit)
  if (refused) return refused
  const ctx = actingAs(base, await authenticateCaller(base, visit))
  const received = parseBody(await text(ctx.actor.kind === 'anonymous' ? maxAnonymousBytes : limits.requestBytes))
  if ('fault' in received) return { status: 400, body: failure(null, errorCodes.parse, received.fault) }
  const parsed = parseRequest(received.value)
  if (parsed === null) return { status: 202, body: null }
  if ('refused' in parsed) return { status: 400, body: parsed.refused }
  const full = streamContextOf(base, ctx, visit, way)
  return toResponse(await (protocol === 'mcp' ? answerMcp(ctx, parsed.call, source, full) : answerA2a(ctx, parsed.call, source, full)))
}

/** Parses the body as strictly as a command: depth, keys, and ambiguous names. `fault`: what is wrong, and where. */
function parseBody(text: string): { readonly value: Json } | { readonly fault: string } {
  try {
    return { value: parseJson(text) }
  } catch (error) {
    if (error instanceof DomainError) return { fault: error.message }
    throw error
  }
}

/** Resumes an MCP stream after a lost connection. @throws as `handleMcpOrA2aRequest` */
export async function resumeForeignStream(
  base: Context,
  visit: ForeignRequest & { readonly lastEventId: string },
  way: StreamServices,
): Promise<ForeignResponse> {
  const refused = earlyRefusal(base, visit)
  if (refused) return refused
  const ctx = actingAs(base, await authenticateCaller(base, visit))
  return toResponse(await resumeMcp(ctx, { ...streamContextOf(base, ctx, visit, way), lastEventId: visit.lastEventId }, visit.source))
}

/** @throws permission.denied */
function earlyRefusal(base: Context, { protocol, origin, version: requestedVersion }: ForeignRequest): ForeignResponse | null {
  // A page of another site must not act for its visitor.
  if (origin !== undefined && origin !== new URL(base.market.publicUrl).origin)
    throw new DomainError('permission.denied', 'Web pages of other sites cannot send requests to this endpoint.', {
      hint: 'Send the request from a program.',
    })
  if (protocol === 'mcp' && requestedVersion !== undefined && !mcpVersions.some((version) => version === requestedVersion))
    return {
      status: 400,
      body: failure(null, errorCodes.request, `The MCP version is not supported. Use one of ${mcpVersions.join(', ')}.`),
    }
  return null
}

function streamContextOf(
  base: Context,
  { actor }: Context,
  visit: ForeignRequest,
  { listener, signal, streams }: StreamServices,
): McpStreamContext {
  const reauthenticate = async () => actingAs(base, await authenticateCaller(base, visit))
  const who = actor.kind === 'person' || actor.kind === 'agent' ? [`from ${visit.source}`, actor.did] : [`from ${visit.source}`]
  const takesStreams = visit.accept?.includes('text/event-stream') ?? false
  const isPriming = visit.version === mcpVersions[0]
  return { listener, signal, reauthenticate, take: () => streams.take(...who), lastEventId: visit.lastEventId, takesStreams, isPriming }
}

const toResponse = (answer: object | AsyncIterable<StreamEvent>): ForeignResponse =>
  Symbol.asyncIterator in answer ? { events: answer } : { status: 200, body: answer }

/** The actor of the token: a listed agent without a key, or a person's login; anonymous without a token. */
async function authenticateCaller(base: Context, { authorization, source }: ForeignRequest): Promise<Actor> {
  if (authorization === undefined) return { kind: 'anonymous' }
  await admitRate(base, 'search', source)
  const token = /^Bearer (\S{1,200})$/i.exec(authorization)?.[1] ?? ''
  const actor = token.startsWith('parley_') ? (await findAgentByToken(base, token)).actor : await findActorByToken(base, token)
  if (actor.kind === 'anonymous')
    throw new DomainError('auth.required', 'This token is unknown, or it was replaced.', {
      hint: 'Sign in with a wallet for a new token, or omit the token to search and read.',
    })
  return actor
}
