import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { countRoomsOf } from '../../conversations/index.ts'
import { listHeads } from '../../delivery/index.ts'
import { listConnections } from '../../registry/index.ts'

/** An agent connected here, as this hub believes it to stand. */
export type LocalAgent = { readonly agentId: string; readonly did: string; readonly connection: string; readonly rooms: number }

export type LocalState = {
  /** Groups that somebody here reads. */
  groups(): Iterable<string>
  agents(): Iterable<LocalAgent>
  onHead(groupId: string, head: number): void
  /** Another connection of the agent may have come, or its rooms may be others. */
  onChanged(agentId: string): void
}

/** How often a hub looks by itself: a signal of talk gets lost with a process that ends between its commit and its telling. */
export const reconcileEveryMs = 1_000
const agentRoundInterval = 5
/** What has just been written is on its way here by itself, and would only be read as well. */
const propagationMs = 200
/** Asked for in one query; a hub with more takes several rounds. */
const maxPerQuery = 5_000

/**
 * Signals are sent at most once: what this hub waits for it also looks for by itself, a bounded number of rooms and agents
 * at a time, one query each. Ends with the returned function.
 */
export function startAntiEntropy(
  ctx: Context,
  local: LocalState,
  everyMs: number,
  wait: (ms: number) => Promise<unknown> = pause,
): () => void {
  const groups = roundRobin<string>()
  const agents = roundRobin<LocalAgent>()
  let round = 0
  let isReconciling = false

  async function reconcile(): Promise<void> {
    const asked = groups(local.groups())
    if (asked.length > 0) {
      const heads = await listHeads(ctx, asked)
      await wait(Math.min(propagationMs, everyMs))
      for (const { groupId, head } of heads) local.onHead(groupId, head)
    }
    if (round++ % agentRoundInterval === 0) for (const agentId of await changedAgents(ctx, agents(local.agents()))) local.onChanged(agentId)
  }

  const timer = setInterval(() => {
    if (isReconciling) return
    isReconciling = true
    reconcile()
      .catch((error: unknown) => ctx.log.debug({ err: error }, 'could not look around'))
      .finally(() => {
        isReconciling = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}

/** Those that stand otherwise than this hub believes. */
async function changedAgents(ctx: Context, agents: readonly LocalAgent[]): Promise<string[]> {
  if (agents.length === 0) return []
  const [connections, rooms] = await Promise.all([
    listConnections(
      ctx,
      agents.map((one) => one.agentId),
    ),
    countRoomsOf(
      ctx,
      agents.map((one) => one.did),
    ),
  ])
  const connectionOf = new Map(connections.map((one) => [one.agentId, one.connection]))
  const roomsOf = new Map(rooms.map((one) => [one.memberId, one.rooms]))
  return agents
    .filter((one) => connectionOf.get(one.agentId) !== one.connection || (roomsOf.get(one.did) ?? 0) !== one.rooms)
    .map((one) => one.agentId)
}

/** Gives all of a list, or the next part of a long one, and begins again after its end. */
export function roundRobin<T>(maxItems = maxPerQuery): (all: Iterable<T>) => T[] {
  let from = 0
  return (all) => {
    const list = [...all]
    if (from >= list.length) from = 0
    const part = list.slice(from, from + maxItems)
    from += maxItems
    return part
  }
}
