/**
 * Protects the first results from flooding. Among the first ten, at most two listings have the same owner, the same payee, or nearly the
 * same text. Others keep their order behind them.
 */
import type { ListingIndex } from '../index/listing-index.ts'
import { signatureSimilarity } from '../text/signature.ts'
import type { Candidate } from './ranking.ts'

export const maxOfCluster = 2
/** The similarity from which a text counts as a copy or a paraphrase of another. */
const minSimilarity = 0.3
/** An original that matches at least this well, compared with its copy, takes its copy's place. */
const originalShare = 0.6
/** Listings count as nearest up to this share of the greatest similarity. */
const nearestShare = 0.6

export type Head = { readonly picked: readonly Candidate[]; readonly demoted: ReadonlySet<number> }

/**
 * Picks up to `count` candidates, given in order, for places behind those of `shown`.
 */
export function pickHead(
  index: ListingIndex,
  candidates: readonly Candidate[],
  { shown, count }: { shown: readonly number[]; count: number },
): Head {
  const picked: Candidate[] = []
  const demoted = new Set<number>()
  const used = new Set(shown)
  const place = (candidate: Candidate) => {
    used.add(candidate.slot)
    picked.push(candidate)
  }
  for (const candidate of candidates) {
    if (picked.length === count) break
    if (used.has(candidate.slot)) continue
    const taken = [...shown, ...picked.map((one) => one.slot)]
    if (!hasRoom(index, candidate.slot, taken)) {
      demoted.add(candidate.slot)
      continue
    }
    const original = findOriginal(index, candidate, candidates, (slot) => !used.has(slot) && hasRoom(index, slot, taken))
    if (original) place(original)
    if (original && (picked.length === count || !hasRoom(index, candidate.slot, [...taken, original.slot]))) {
      if (picked.length < count) demoted.add(candidate.slot)
      continue
    }
    place(candidate)
  }
  return { picked, demoted }
}

function hasRoom({ columns }: ListingIndex, slot: number, taken: readonly number[]): boolean {
  const [owner, payout, signature] = [columns.owner.data, columns.payout.data, columns.signature.data]
  const count = (isSame: (other: number) => boolean) => taken.reduce((sum, other) => sum + (isSame(other) ? 1 : 0), 0)
  return (
    count((other) => owner[other] === owner[slot]) < maxOfCluster &&
    count((other) => payout[other] === payout[slot]) < maxOfCluster &&
    count((other) => signatureSimilarity(signature, other, slot) >= minSimilarity) < maxOfCluster
  )
}

/**
 * The listing of another owner that a candidate's text was probably copied from: of those nearest to it, the one with the most payers,
 * then the oldest. It goes first, so that copies cannot push it out of the first results.
 */
function findOriginal(
  index: ListingIndex,
  candidate: Candidate,
  candidates: readonly Candidate[],
  isFree: (slot: number) => boolean,
): Candidate | null {
  const { owner, payout, signature } = index.columns
  const near = candidates.flatMap((other) => {
    if (other.slot === candidate.slot || other.key < candidate.key * originalShare) return []
    if (owner.data[other.slot] === owner.data[candidate.slot] || payout.data[other.slot] === payout.data[candidate.slot]) return []
    const alike = signatureSimilarity(signature.data, other.slot, candidate.slot)
    return alike >= minSimilarity && isFree(other.slot) ? [{ other, alike }] : []
  })
  const nearest = near.reduce((max, { alike }) => Math.max(max, alike), 0)
  let best: Candidate | null = null
  for (const { other, alike } of near)
    if (alike >= nearest * nearestShare && isSenior(index, other.slot, (best ?? candidate).slot)) best = other
  return best
}

function isSenior({ columns }: ListingIndex, a: number, b: number): boolean {
  const payers = columns.payers.data
  if (payers[a] !== payers[b]) return (payers[a] as number) > (payers[b] as number)
  return (columns.publishedAt.data[a] as number) < (columns.publishedAt.data[b] as number)
}
