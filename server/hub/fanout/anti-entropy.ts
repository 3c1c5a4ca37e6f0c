import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { countRoomsOf } from '../../conversations/index.ts'
import { listHeads } from '../../delivery/index.ts'
import { listConnections } from '../../registry/index.ts'

/** An agent connected here, as this hub believes it to stand. */
export type Believed = { readonly agentId: string; readonly did: string; readonly connection: string; readonly rooms: number }

export type Surroundings = {
  /** Groups that somebody here reads. */
  groups(): Iterable<string>
  agents(): Iterable<Believed>
  onHead(groupId: string, head: number): void
  /** Another connection of the agent may have come, or its rooms may be others. */
  onChanged(agentId: string): void
}

/** How often a hub looks by itself: a signal of talk gets lost with a process that ends between its commit and its telling. */
export const lookEveryMs = 1_000
const agentsEvery = 5
/** What has just been written is on its way here by itself, and would only be read as well. */
const onItsWayMs = 200
/** Asked for in one query; a hub with more takes several rounds. */
const mostAtOnce = 5_000

/**
 * Signals are sent at most once: what this hub waits for it also looks for by itself, a bounded number of rooms and agents
 * at a time, one query each. Ends with the returned function.
 */
export function startLooking(
  ctx: Context,
  around: Surroundings,
  everyMs: number,
  wait: (ms: number) => Promise<unknown> = pause,
): () => void {
  const groups = inTurns<string>()
  const agents = inTurns<Believed>()
  let round = 0
  let isLooking = false

  async function look(): Promise<void> {
    const asked = groups(around.groups())
    if (asked.length > 0) {
      const heads = await listHeads(ctx, asked)
      await wait(Math.min(onItsWayMs, everyMs))
      for (const { groupId, head } of heads) around.onHead(groupId, head)
    }
    if (round++ % agentsEvery === 0) for (const agentId of await changed(ctx, agents(around.agents()))) around.onChanged(agentId)
  }

  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .catch((error: unknown) => ctx.log.debug({ err: error }, 'could not look around'))
      .finally(() => {
        isLooking = false
      })
  }, everyMs)
  return () => clearInterval(timer)
}

/** Those that stand otherwise than this hub believes. */
async function changed(ctx: Context, believed: readonly Believed[]): Promise<string[]> {
  if (believed.length === 0) return []
  const [connections, rooms] = await Promise.all([
    listConnections(
      ctx,
      believed.map((one) => one.agentId),
    ),
    countRoomsOf(
      ctx,
      believed.map((one) => one.did),
    ),
  ])
  const connectionOf = new Map(connections.map((one) => [one.agentId, one.connection]))
  const roomsOf = new Map(rooms.map((one) => [one.memberId, one.rooms]))
  return believed
    .filter((one) => connectionOf.get(one.agentId) !== one.connection || (roomsOf.get(one.did) ?? 0) !== one.rooms)
    .map((one) => one.agentId)
}

/** Gives all of a list, or the next part of a long one, and begins again after its end. */
export function inTurns<T>(most = mostAtOnce): (all: Iterable<T>) => T[] {
  let from = 0
  return (all) => {
    const list = [...all]
    if (from >= list.length) from = 0
    const part = list.slice(from, from + most)
    from += most
    return part
  }
}
