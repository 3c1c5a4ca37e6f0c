/** What the registry offers a planner: one entry per skill of each listing that can be hired now. */
import type { CharterStep, Listing, Score, Skill } from '@parley/protocol'

export type SkillOffer = {
  readonly agent_id: string
  readonly sender_id: string
  readonly handle: string
  readonly payee: string
  readonly royalties: NonNullable<CharterStep['royalties']>
  readonly skill: Skill
  readonly score: Score
  /** The gateway agent that vouches for the resource that does it, where the agent is a resource's front. */
  readonly through?: string
  /** Tasks that the agent takes at the same time. */
  readonly max_concurrency: number
}

/** The skill of whoever plans; it is nobody's step but the principal's own. */
export const planSkillId = 'goal.plan'

/** The market's prior: what an agent without judgements counts as. */
const unjudged = 70n

/** Offers that can be hired: online, not withdrawn, not among `without` (DIDs). */
export function toSkillOffers(listings: readonly Listing[], without: ReadonlySet<string> = new Set()): SkillOffer[] {
  return listings
    .filter((listing) => listing.presence !== 'offline' && listing.withdrawn_at === null && !without.has(listing.did))
    .flatMap((listing) =>
      listing.skills
        .filter((skill) => skill.id !== planSkillId)
        .map((skill) => ({
          agent_id: listing.agent_id,
          sender_id: listing.did,
          handle: listing.handle,
          payee: listing.payout,
          royalties: royaltiesOf(listing),
          skill,
          score: listing.score,
          max_concurrency: listing.policy.max_concurrency,
          ...(listing.front && { through: listing.front.gateway.handle }),
        })),
    )
}

/** As a charter's step names them. */
export const royaltiesOf = (listing: Listing): NonNullable<CharterStep['royalties']> =>
  (listing.royalties ?? []).map(({ agent_id, payee, bps }) => ({ agent_id, to: payee, bps }))

export const priceOf = (offer: SkillOffer): bigint => BigInt(offer.skill.price)

/**
 * What an offer counts as against others: its price, weighted by its score and by how often it let a team down. A score of
 * 95 makes a price count as three quarters of itself, one of 20 as one and a half. Judgements count from the first on; the
 * score itself is already drawn towards the market's mean while they are few. The small constant lets free agents differ.
 */
export function offerCost(offer: SkillOffer): bigint {
  const { n, score, paid_steps: paid, failed_steps: failed } = offer.score
  const quality = n > 0 ? BigInt(Math.round(Math.min(100, Math.max(0, score)))) : unjudged
  const reliability = 100n + (100n * BigInt(failed)) / BigInt(paid + failed + 3)
  return ((priceOf(offer) * 100n + 1_000n) * (170n - quality) * reliability) / 100n
}

/** Best first; ties by price, score, experience and at last by name, so that the same market gives the same plan. */
export function compareOffers(a: SkillOffer, b: SkillOffer): number {
  const [x, y] = [offerCost(a), offerCost(b)]
  if (x !== y) return x < y ? -1 : 1
  const [p, q] = [priceOf(a), priceOf(b)]
  if (p !== q) return p < q ? -1 : 1
  if (a.score.score !== b.score.score) return b.score.score - a.score.score
  if (a.score.paid_steps !== b.score.paid_steps) return b.score.paid_steps - a.score.paid_steps
  return `${a.agent_id} ${a.skill.id}` < `${b.agent_id} ${b.skill.id}` ? -1 : 1
}

/** Offers of those who did the work before, where they have the skill: a team is kept as far as it is there. */
export function preferAgents(offers: readonly SkillOffer[], kept: readonly string[]): SkillOffer[] {
  const known = new Set(offers.filter((offer) => kept.includes(offer.agent_id)).map((offer) => offer.skill.id))
  return offers.filter((offer) => !known.has(offer.skill.id) || kept.includes(offer.agent_id))
}
