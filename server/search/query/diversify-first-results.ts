/**
 * Protects the first results from flooding. Among the first ten, at most two listings have the same owner, the same payee, or nearly the
 * same text. Others keep their order behind them.
 */
import { firstOwnerOfPayee } from '../index/first-owner-of-payee.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import { createListingTextSimilarity, type TermMarks } from './listing-text-similarity.ts'
import type { Candidate } from './select-top-matches.ts'

export const maxOfCluster = 2
/** The similarity of words from which a text counts as a copy or a paraphrase of another. */
const minSimilarity = 0.52
/** Less similar words are a paraphrase if the meaning is nearly the same, too. Other listings of one field share fewer words. */
const minParaphrase = { words: 0.33, meaning: 0.78 }
/** How many of the first candidates are clustered with each other. Others are compared with the picked ones only, which bounds the time. */
const maxLinked = 128
/** A place is kept for an original that matches at least this well, compared with its copy. */
const originalShare = 0.6
/** What a listing shares with two results before it. */
export type SharedPart = 'owner' | 'payee' | 'text'
/** `demoted`: by slot, the candidates that got no place, and why. */
export type Head = { readonly picked: readonly Candidate[]; readonly demoted: ReadonlyMap<number, SharedPart> }

/**
 * Picks up to `count` candidates, given in order, for places behind those of `shown`. All keep their order: one of two places of a text is
 * kept free for its original, which takes it at its own key.
 */
export function diversifyFirstResults(
  index: ListingIndex,
  candidates: readonly Candidate[],
  { shown, count, marks }: { shown: readonly number[]; count: number; marks: TermMarks },
): Head {
  const clusters = createClusters(index, candidates, marks)
  const picked: Candidate[] = []
  const demoted = new Map<number, SharedPart>()
  const used = new Set(shown)
  const taken = [...shown]
  const place = (candidate: Candidate) => {
    used.add(candidate.slot)
    taken.push(candidate.slot)
    picked.push(candidate)
  }
  const isFree = (slot: number) => !used.has(slot) && clusters.fullPart(slot, taken) === null
  for (const candidate of candidates) {
    if (picked.length === count) break
    if (used.has(candidate.slot)) continue
    const full = clusters.fullPart(candidate.slot, taken)
    const original = full === null ? findOriginal(clusters, candidate, candidates, isFree) : null
    // Later pages look for originals again, so one of the same key is placed here.
    if (original !== null && original.key === candidate.key) place(original)
    const isKept = original !== null && !used.has(original.slot)
    const part = original === null ? full : clusters.fullPart(candidate.slot, isKept ? [...taken, original.slot] : taken)
    if (part !== null) demoted.set(candidate.slot, part)
    else if (picked.length < count) place(candidate)
  }
  return { picked, demoted }
}

type Clusters = {
  readonly index: ListingIndex
  hasSameText(a: number, b: number): boolean
  /** What a slot shares with two of `taken`; null if it may have a place. */
  fullPart(slot: number, taken: readonly number[]): SharedPart | null
  /** Whether a slot belongs to the owner who was the first to name its payee. */
  isOfFirstOwner(slot: number): boolean
}

function createClusters(index: ListingIndex, candidates: readonly Candidate[], marks: TermMarks): Clusters {
  const [owner, payout] = [index.columns.owner.data, index.columns.payout.data]
  const firstOwners = new Map<number, number>()
  const isOfFirstOwner = (slot: number) => {
    const payee = payout[slot] as number
    const first = firstOwners.get(payee) ?? firstOwnerOfPayee(index, payee)
    firstOwners.set(payee, first)
    return owner[slot] === first
  }
  // Anyone can name any payee. Its first owner does not lose a place to later ones, who share the two places with it.
  const hasSamePayee = (other: number, slot: number) =>
    payout[other] === payout[slot] && (owner[other] === owner[slot] || !isOfFirstOwner(slot))
  const similarity = createListingTextSimilarity(index, marks)
  const isAlike = (a: number, b: number) => {
    const words = similarity(a, b)
    if (words >= minSimilarity || words < minParaphrase.words) return words >= minSimilarity
    return (index.vectors?.ofTexts.between(a, b) ?? 0) >= minParaphrase.meaning
  }
  const linked = candidates.slice(0, maxLinked).map(({ slot }) => slot)
  const isLinked = new Set(linked)
  const clusters = new Map<number, ReadonlySet<number>>()
  const clusterOf = (slot: number) => {
    const known = clusters.get(slot)
    if (known !== undefined) return known
    // No listing outside of a known cluster is like one of its listings.
    const free = linked.filter((one) => !clusters.has(one))
    const cluster = findCluster(slot, free, isAlike)
    for (const one of cluster) clusters.set(one, cluster)
    return cluster
  }
  const hasSameText = (a: number, b: number) => (isLinked.has(a) && isLinked.has(b) ? clusterOf(a).has(b) : isAlike(a, b))
  const isFull = (taken: readonly number[], isSame: (other: number) => boolean) => {
    let count = 0
    for (const other of taken) if (isSame(other) && ++count === maxOfCluster) return true
    return false
  }
  return {
    index,
    hasSameText,
    isOfFirstOwner,
    fullPart(slot, taken) {
      if (isFull(taken, (other) => owner[other] === owner[slot])) return 'owner'
      if (isFull(taken, (other) => hasSamePayee(other, slot))) return 'payee'
      return isFull(taken, (other) => hasSameText(other, slot)) ? 'text' : null
    },
  }
}

/** Single linkage: two paraphrases of one text may differ more from each other than from a third one. */
function findCluster(slot: number, slots: readonly number[], isAlike: (a: number, b: number) => boolean): Set<number> {
  const cluster = new Set([slot])
  for (const one of cluster) for (const other of slots) if (!cluster.has(other) && isAlike(one, other)) cluster.add(other)
  return cluster
}

/**
 * The listing of another owner from which a candidate's text was probably copied. Of the listings with the same text it is the one with the
 * most payers, then the one that had it first. A place is kept for it, so that copies cannot displace it from the first results.
 */
function findOriginal(
  { index, hasSameText, isOfFirstOwner }: Clusters,
  candidate: Candidate,
  candidates: readonly Candidate[],
  isFree: (slot: number) => boolean,
): Candidate | null {
  const { owner, payout } = index.columns
  let best: Candidate | null = null
  for (const other of candidates) {
    if (other.key < candidate.key * originalShare) break
    if (owner.data[other.slot] === owner.data[candidate.slot]) continue
    if (payout.data[other.slot] === payout.data[candidate.slot] && !isOfFirstOwner(other.slot)) continue
    if (!isSenior(index, other.slot, (best ?? candidate).slot)) continue
    if (hasSameText(candidate.slot, other.slot) && isFree(other.slot)) best = other
  }
  return best
}

function isSenior({ columns }: ListingIndex, a: number, b: number): boolean {
  const payers = columns.payers.data
  if (payers[a] !== payers[b]) return (payers[a] as number) > (payers[b] as number)
  return (columns.textSince.data[a] as number) < (columns.textSince.data[b] as number)
}
