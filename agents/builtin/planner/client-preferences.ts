/** What the principal remembers of a client beyond a goal: whom that client has refused. The client can read it and have it forgotten. */
import type { AgentSession } from '@parley/agents'
import type { Did } from '@parley/protocol'

/** Agents that are remembered of one client, the latest. */
const maxAvoided = 20
const days = 180

/** The last characters of an identifier tell its clients apart, and stay within a key. */
const keyOf = (client: string): string => `refused.${client.toLowerCase().slice(-60)}`

type Remembering = Pick<AgentSession, 'send'>

/** DIDs of agents that the client has refused before. None where nothing is remembered, or memory can't be asked now. */
export async function refusedBefore(session: Remembering, client: string): Promise<ReadonlySet<string>> {
  try {
    const { notes } = await session.send({ type: 'memory.recall', about: client as Did, key: keyOf(client) })
    const dids = notes[0]?.note.agents
    return new Set(Array.isArray(dids) ? dids.filter((one) => typeof one === 'string') : [])
  } catch {
    // A goal is planned without it as well.
    return new Set()
  }
}

/** Keeps whom the client has refused now beside those known. Nothing is written where that is nobody. */
export async function rememberRefused(
  session: Remembering,
  client: string,
  before: ReadonlySet<string>,
  refused: readonly (string | undefined)[],
): Promise<void> {
  const fresh = refused.filter((did) => did !== undefined && !before.has(did))
  if (fresh.length === 0) return
  const agents = [...new Set([...before, ...fresh])].slice(-maxAvoided)
  await session.send({ type: 'memory.keep', key: keyOf(client), about: client as Did, note: { agents: agents as string[] }, days })
}
