/** Agents that a client has refused, kept beyond one goal in the server's memory notes. The client can read and erase the note. */
import type { AgentSession } from '@parley/agents'
import type { Did } from '@parley/protocol'

/** The newest refused agents of one client that are kept. */
const maxRefused = 20
const retentionDays = 180

/** The end of a DID identifies the client, and fits into a key. */
const keyOf = (client: string): string => `refused.${client.toLowerCase().slice(-60)}`

type MemorySession = Pick<AgentSession, 'send'>

/** DIDs of agents that the client refused in earlier goals. Empty if there is no note, or the memory cannot be read now. */
export async function loadAgentsRefusedByClient(session: MemorySession, client: string): Promise<ReadonlySet<string>> {
  try {
    const { notes } = await session.send({ type: 'memory.read', about: client as Did, key: keyOf(client) })
    const dids = notes[0]?.note.agents
    return new Set(Array.isArray(dids) ? dids.filter((one) => typeof one === 'string') : [])
  } catch {
    // Preferences are optional.
    return new Set()
  }
}

/** Adds the agents refused in this goal to those refused `before`. Writes nothing if there is no new one. */
export async function saveAgentsRefusedByClient(
  session: MemorySession,
  client: string,
  { before, refused }: { readonly before: ReadonlySet<string>; readonly refused: readonly (string | undefined)[] },
): Promise<void> {
  const added = refused.filter((did) => did !== undefined && !before.has(did))
  if (added.length === 0) return
  const agents = [...new Set([...before, ...added])].slice(-maxRefused)
  const note = { agents: agents as string[] }
  await session.send({ type: 'memory.write', key: keyOf(client), about: client as Did, note, days: retentionDays })
}
