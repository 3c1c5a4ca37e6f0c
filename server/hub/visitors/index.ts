/** The doors of agents that speak other protocols: MCP and A2A, each one JSON-RPC request over HTTP, with a bearer token or none. */
import { type Actor, actingAs, type Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { findSession } from '../../identity/index.ts'
import { admitRate } from '../../policy/index.ts'
import { findAgentByToken } from '../../registry/index.ts'
import { answerA2a } from './a2a.ts'
import { codes, failed, hear } from './json-rpc.ts'
import { answerMcp, mcpVersions } from './mcp.ts'

export { agentCard } from './agent-card.ts'

/** What came in, as far as the doors look at it. `text`: the body. */
export type Visit = {
  readonly protocol: 'mcp' | 'a2a'
  readonly text: string
  readonly authorization: string | undefined
  readonly origin: string | undefined
  /** MCP's own header. */
  readonly version: string | undefined
  /** The address that tells a stranger from another. */
  readonly source: string
}
/** `body` is null where nothing is said. */
export type Said = { readonly status: number; readonly body: object | null }

/** @throws auth.required, permission.denied, rate.exceeded; refusals of what was asked are inside the answer */
export async function receiveVisit(base: Context, visit: Visit): Promise<Said> {
  const { protocol, text, source } = visit
  // A page of another site must not speak for whoever looks at it.
  if (visit.origin !== undefined && visit.origin !== new URL(base.market.publicUrl).origin)
    throw new DomainError('permission.denied', 'Pages of other sites may not ask here.', { hint: 'Ask from a program.' })
  if (protocol === 'mcp' && visit.version !== undefined && !mcpVersions.some((version) => version === visit.version))
    return { status: 400, body: failed(null, codes.request, `Spoken here: ${mcpVersions.join(', ')}.`) }
  const ctx = actingAs(base, await whoIs(base, visit))
  let received: unknown
  try {
    received = JSON.parse(text)
  } catch {
    return { status: 400, body: failed(null, codes.parse, 'This is no JSON.') }
  }
  const heard = hear(received)
  if (heard === null) return { status: 202, body: null }
  if ('refused' in heard) return { status: 400, body: heard.refused }
  const answer = protocol === 'mcp' ? answerMcp : answerA2a
  return { status: 200, body: await answer(ctx, heard.call, source) }
}

/** A listed agent without a key by its own token, a person by the token of a login; nobody where none is sent. */
async function whoIs(base: Context, { authorization, source }: Visit): Promise<Actor> {
  if (authorization === undefined) return { kind: 'anonymous' }
  await admitRate(base, 'search', source)
  const token = /^Bearer (\S{1,200})$/i.exec(authorization)?.[1] ?? ''
  const actor = token.startsWith('parley_') ? (await findAgentByToken(base, token)).actor : await findSession(base, token)
  if (actor.kind === 'anonymous')
    throw new DomainError('auth.required', 'This token stands for nobody here, or no longer.', {
      hint: 'Sign in with a wallet for a new one, or send none to search and read.',
    })
  return actor
}
