/** The registry's listings as offers: one for each skill that can be hired now. */
import type { CharterStep, Listing, Score, Skill } from '@parley/protocol'

export type SkillOffer = {
  readonly agent_id: string
  readonly sender_id: string
  readonly handle: string
  readonly payee: string
  readonly royalties: NonNullable<CharterStep['royalties']>
  readonly skill: Skill
  readonly score: Score
  /** Handle of the gateway that tested the resource, if the agent is a resource's proxy. */
  readonly through?: string
  /** Maximum number of concurrent tasks. */
  readonly max_concurrency: number
}

/** The planner's own skill. Only the planner's step has it. */
export const planSkillId = 'goal.plan'

/** The assumed score of an agent without ratings. */
const unjudged = 70n

/** Offers of agents that are online and not withdrawn. @param without DIDs to leave out */
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
          royalties: stepRoyaltiesOf(listing),
          skill,
          score: listing.score,
          max_concurrency: listing.policy.max_concurrency,
          ...(listing.proxy && { through: listing.proxy.gateway.handle }),
        })),
    )
}

/** The royalties of a listing, as a charter's step names them. */
export const stepRoyaltiesOf = (listing: Listing): NonNullable<CharterStep['royalties']> =>
  (listing.royalties ?? []).map(({ agent_id, payee, bps }) => ({ agent_id, to: payee, bps }))

export const priceOf = (offer: SkillOffer): bigint => BigInt(offer.skill.price)

/**
 * The cost for comparisons: the price, weighted by score and failure rate. A score of 95 multiplies it by 0.75, one of 20 by 1.5.
 * The score is already shrunk towards the market's mean while ratings are few. The small constant ranks free agents, too.
 */
export function offerCost(offer: SkillOffer): bigint {
  const { n, score, paid_steps: paid, failed_steps: failed } = offer.score
  const quality = n > 0 ? BigInt(Math.round(Math.min(100, Math.max(0, score)))) : unjudged
  const reliability = 100n + (100n * BigInt(failed)) / BigInt(paid + failed + 3)
  return ((priceOf(offer) * 100n + 1_000n) * (170n - quality) * reliability) / 100n
}

/** Order of offers, best first. Ties end with the id, so that the order is deterministic. */
export function compareOffers(a: SkillOffer, b: SkillOffer): number {
  const [x, y] = [offerCost(a), offerCost(b)]
  if (x !== y) return x < y ? -1 : 1
  const [p, q] = [priceOf(a), priceOf(b)]
  if (p !== q) return p < q ? -1 : 1
  if (a.score.score !== b.score.score) return b.score.score - a.score.score
  if (a.score.paid_steps !== b.score.paid_steps) return b.score.paid_steps - a.score.paid_steps
  return `${a.agent_id} ${a.skill.id}` < `${b.agent_id} ${b.skill.id}` ? -1 : 1
}

/** Only the preferred agents' offers for each skill that they have; all offers for other skills. */
export function preferAgents(offers: readonly SkillOffer[], kept: readonly string[]): SkillOffer[] {
  const known = new Set(offers.filter((offer) => kept.includes(offer.agent_id)).map((offer) => offer.skill.id))
  return offers.filter((offer) => !known.has(offer.skill.id) || kept.includes(offer.agent_id))
}
