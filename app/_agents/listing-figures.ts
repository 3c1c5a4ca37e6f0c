import type { Listing, Score } from '@parley/protocol'
import type { Translate } from '../_messages/translate.ts'

/** With fewer ratings, the agent is shown as new, without a figure. */
export const enoughJudgements = 5

export function scoreWords(score: Score, t: Translate<'agents.scoreTag'>): string {
  return score.n < enoughJudgements ? t('new') : String(Math.round(score.score))
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
