import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { countRoomsOf } from '../../conversations/index.ts'
import { listHeads } from '../../delivery/index.ts'
import { listConnections } from '../../registry/index.ts'

/** An agent connected to this hub, with the state that the hub assumes. */
export type LocalAgent = { readonly agentId: string; readonly did: string; readonly connection: string; readonly rooms: number }

export type LocalState = {
  /** Rooms with a reader on this hub. */
  rooms(): Iterable<string>
  agents(): Iterable<LocalAgent>
  onHead(roomId: string, head: number): void
  /** The agent may have another connection, or other rooms. */
  onChanged(agentId: string): void
}

/** How often a hub reconciles. A process that crashes between its commit and its signal loses the signal. */
export const reconcileEveryMs = 1_000
const agentRoundInterval = 5
/** Delay before a difference counts: recent writes are usually already in flight. */
const propagationMs = 200
/** Items per query. A hub with more needs several rounds. */
const maxPerQuery = 5_000

/**
 * Anti-entropy: signals are delivered at most once, so the hub periodically compares its state with the database.
 * Each round covers a bounded number of rooms and agents. Returns the function that stops it.
 */
export function startAntiEntropy(
  ctx: Context,
  local: LocalState,
  everyMs: number,
  wait: (ms: number) => Promise<unknown> = pause,
): () => void {
  const rooms = roundRobin<string>()
  const agents = roundRobin<LocalAgent>()
  let round = 0
  let isReconciling = false

  async function reconcile(): Promise<void> {
    const asked = rooms(local.rooms())
    if (asked.length > 0) {
      const heads = await listHeads(ctx, asked)
      await wait(Math.min(propagationMs, everyMs))
      for (const { roomId, head } of heads) local.onHead(roomId, head)
    }
    if (round++ % agentRoundInterval === 0) for (const agentId of await changedAgents(ctx, agents(local.agents()))) local.onChanged(agentId)
  }

  const timer = setInterval(() => {
    if (isReconciling) return
    isReconciling = true
    reconcile()
      .catch((error: unknown) => ctx.log.debug({ event: 'fanout.poll_failed', err: error }, 'A poll of the anti-entropy loop failed.'))
      .finally(() => {
        isReconciling = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}

/** The agents whose stored state differs from what the hub assumes. */
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

/** Returns the whole list, or the next part of a long one, starting over at its end. */
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
