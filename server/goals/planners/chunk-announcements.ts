import type { AgentWithSkill } from '../../registry/index.ts'

/** The maximum number of planners per owner and round. */
const maxPerOwner = 2
/** Announcements per transaction. */
const chunkSize = 50

/**
 * Orders the planners for announcements; pure. Each chunk is one transaction. Online planners come first, and each round has at most a
 * few per owner, so that many listings of one wallet delay no others.
 */
export function chunkAnnouncements(planners: readonly AgentWithSkill[]): AgentWithSkill[][] {
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
