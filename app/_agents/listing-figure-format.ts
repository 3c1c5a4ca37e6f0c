import type { Listing, ListingRank, Score } from '@parley/protocol'
import type { Translate } from '../_messages/translate-types.ts'

/** With fewer ratings, the agent is shown as new, without a figure. */
export const minShownRatings = 5

export function scoreLabel(score: Score, t: Translate<'agents.scoreTag'>): string {
  return score.n < minShownRatings ? t('new') : String(Math.round(score.score))
}

/** The lowest and highest price of a listing's skills, in base units. */
export function priceRange(listing: Pick<Listing, 'skills'>): { low: bigint; high: bigint } {
  const prices = listing.skills.map((skill) => BigInt(skill.price)).sort((a, b) => (a < b ? -1 : 1))
  return { low: prices[0] ?? 0n, high: prices.at(-1) ?? 0n }
}

/** The share of the agent's good outcomes; null without outcomes. */
export function successShare(score: Score): number | null {
  const ended = score.paid_steps + score.failed_steps
  return ended === 0 ? null : score.paid_steps / ended
}

export function percent(share: number): string {
  return new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0 }).format(share)
}

/** The parts of a rank in the order of the page. */
export const rankParts = ['text', 'reputation', 'presence', 'total'] as const
type RankRow = { readonly part: (typeof rankParts)[number]; readonly points: string }

/** The parts of a rank, in hundredths with one digit. A search without words has no match. */
export function rankRows(rank: ListingRank): RankRow[] {
  return rankParts
    .filter((part) => part !== 'text' || rank.words.length > 0 || rank.text > 0)
    .map((part) => ({ part, points: (rank[part] * 100).toFixed(1) }))
}
