import type { AgentWithSkill } from '../../registry/index.ts'

/** Of one owner, in one round. */
const maxPerOwner = 2
/** Announcements of one transaction. */
const chunkSize = 50

/**
 * Who is told of a goal, and in which order; pure. Each chunk is one transaction. Those who are online come first, and in each
 * round at most a few of one owner: many listings of one wallet delay nobody else's.
 */
export function announcementChunks(planners: readonly AgentWithSkill[]): AgentWithSkill[][] {
  const rounds: AgentWithSkill[][] = []
  for (const isOnline of [true, false]) {
    const first = rounds.length
    const seen = new Map<string, number>()
    for (const planner of planners.filter((one) => one.isOnline === isOnline)) {
      const nth = seen.get(planner.ownerId) ?? 0
      seen.set(planner.ownerId, nth + 1)
      const round = first + Math.floor(nth / maxPerOwner)
      rounds[round] = [...(rounds[round] ?? []), planner]
    }
  }
  const ordered = rounds.flat()
  return Array.from({ length: Math.ceil(ordered.length / chunkSize) }, (_, nth) => ordered.slice(nth * chunkSize, (nth + 1) * chunkSize))
}
