/** The part of a quote that servers need for charters. It loads nothing of the planner's search. */
import type { Charter, Listing } from '@parley/protocol'
import type { Plan } from '../plan/plan.ts'
import { planSkillId, stepRoyaltiesOf } from '../plan/skill-offers.ts'
import { buildCharter, type CharterFrame, type PlannerIdentity } from './build-charter.ts'

/** A planner as a member of the team that it leads. */
export function plannerIdentityOf(listing: Listing): PlannerIdentity {
  const { agent_id, did, payout: payee, skills } = listing
  const price = BigInt(skills.find(({ id }) => id === planSkillId)?.price ?? 0)
  return { agent_id, did, payee, price, royalties: stepRoyaltiesOf(listing) }
}

/** The charter of a quoted plan under this planner. */
export const charterOfQuote = (plan: Plan, planner: Listing, frame: CharterFrame, version: number): Charter =>
  buildCharter(plan, frame, plannerIdentityOf(planner), version)
