/** What the presence and the ratings of an agent add to the rank of its listing. */
import type { ListingIndex } from '../index/listing-index.ts'
import type { RankingTerms } from './search-query.ts'

/** A number of each slot. It reads the columns of one moment: it holds until the next write. */
export type SlotNumber = (slot: number) => number

/** 1 online, 0.5 idle, 0 offline. */
export function aliveFunction({ columns }: ListingIndex, { now, idleAfterMs, offlineAfterMs }: RankingTerms): SlotNumber {
  const [left, seen] = [columns.hasLeft.data, columns.seenAt.data]
  return (slot) => {
    // NaN, for an agent that never connected, is not less than anything. Without a branch, which a processor would predict badly.
    const silent = now - (seen[slot] as number)
    return Number(left[slot] === 0) * (0.5 * Number(silent <= idleAfterMs) + 0.5 * Number(silent <= offlineAfterMs))
  }
}

/** Beside a match of 1: what presence adds, and what a listing loses whose agent was never connected, so that it cannot work yet. */
export const presenceWeight = 0.05
export const neverConnectedWeight = 0.002

/** What the presence of the agent adds to the match. Agents of other markets connect there. */
export function presenceFunction(index: ListingIndex, terms: RankingTerms): SlotNumber {
  const alive = aliveFunction(index, terms)
  const [seen, expires] = [index.columns.seenAt.data, index.columns.expiresAt.data]
  return (slot) => {
    const wasNeverConnected = Number.isNaN(seen[slot] as number) && Number.isNaN(expires[slot] as number)
    return presenceWeight * alive(slot) - neverConnectedWeight * Number(wasNeverConnected)
  }
}

/** The score of the agent, 0 to 100. */
export function scoreFunction({ columns }: ListingIndex, { prior, priorWeight }: RankingTerms): SlotNumber {
  const [total, judges] = [columns.total.data, columns.judges.data]
  const assumed = prior * priorWeight
  return (slot) => ((total[slot] as number) + assumed) / ((judges[slot] as number) + priorWeight)
}
