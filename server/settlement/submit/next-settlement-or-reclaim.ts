import { latestSafeSealTime } from '../charters/next-sealing.ts'
import { type EscrowHold, type Hold, hasStep, isFunded, stepsWithStatus } from '../holds/hold.ts'
import { silenceOutcomeOfTerms } from '../holds/silence-outcome-mapping.ts'

/** State of the plan in the contract. */
export type PlanState = {
  readonly status: number
  /** Version of the last charter. */
  readonly version: number
  /** Status of the charter in force; `none` without one. */
  readonly charter: 'none' | 'proposed' | 'authorized'
  readonly codes: bigint
  readonly closing: boolean
  /** Unix seconds: when a proposed charter becomes payable. */
  readonly payableFrom: number
  /** Steps submitted on chain. */
  readonly submitted: bigint
}
const isFundedPlan = 1

export type SettlementFacts = {
  readonly plan: PlanState
  /** Steps with a sealed payout whose payment was not requested. */
  readonly unpaidSteps: readonly number[]
  /** A pending seal or batch changes what can be settled. */
  readonly isOverwritten: boolean
  /** Steps with a pending dispute or offer, which decides how they end. Bit `step - 1`. */
  readonly heldSteps: bigint
  /** The client has approved the charter in force, so it can be sealed together with its settlement. */
  readonly canBring: boolean
  /** A partial settlement, outside the dispute window, is pending. */
  readonly isPartUnderway: boolean
  /** Unix seconds. */
  readonly now: number
}

/**
 * `isHalf`: half of each step in `bits` is paid. `charter`: already `sealed`, `brought` with the settlement, or `none` if nothing is paid
 * and the plan has no charter.
 */
export type NextSettlement = {
  readonly bits: bigint
  readonly isHalf: boolean
  readonly close: boolean
  readonly charter: 'sealed' | 'brought' | 'none'
}

/**
 * Decides the next settlement call: the steps to pay, and whether to close. Null if the plan is closed, a pending transaction must
 * be mined first, a veto window runs, or the index lags behind.
 */
export function nextSettlement(hold: Hold, facts: SettlementFacts): NextSettlement | null {
  if (hold.state !== 'capturing' && hold.state !== 'voiding') return null
  const { plan } = facts
  // Any account has closed the plan, or only disputed steps remain for the arbitrator, the parties or the timeout.
  if (plan.status !== isFundedPlan || plan.closing || facts.isOverwritten) return null
  const pending = stepsWithStatus(plan.codes, 'pending')
  const due = hold.state === 'capturing' ? hold.bits & pending & ~facts.heldSteps : 0n
  const halves = hold.state === 'capturing' ? due & hold.halves : 0n
  const bits = due & ~halves
  // A plan with a vetoed charter is closed without one.
  const charter = charterFor(hold.charter?.version ?? null, facts) ?? (plan.charter === 'none' && due === 0n ? 'none' : null)
  if (charter === null) return null
  const isDisputeTime = hold.disputeBy !== null && facts.now < hold.disputeBy
  const isDecisionAwaited = (pending & facts.heldSteps) !== 0n
  const close = !isDecisionAwaited && !(isDisputeTime && facts.unpaidSteps.some((step) => hasStep(pending, step)))
  if (!close && due === 0n) return null
  // The pending partial settlement changes what is left to pay.
  if ((close || halves !== 0n) && facts.isPartUnderway) return null
  if (halves === 0n) return { bits, isHalf: false, close, charter: plan.charter === 'none' && bits === 0n ? 'none' : charter }
  // Steps that are paid whole come first. The same call seals a charter that is not on chain, because no call seals and halves.
  if (bits !== 0n || charter !== 'sealed') return { bits, isHalf: false, close: false, charter }
  return { bits: halves, isHalf: true, close, charter }
}

/** Null if the escrow is ahead of our index, or if its charter is not payable yet. `version`: of the charter in force here. */
function charterFor(version: number | null, { plan, canBring, now }: SettlementFacts): 'sealed' | 'brought' | 'none' | null {
  const isPayable = plan.charter === 'authorized' || (plan.charter === 'proposed' && plan.payableFrom <= now)
  if (version === null) return plan.charter === 'none' ? 'none' : null
  if (isPayable && plan.version === version) return 'sealed'
  return plan.charter !== 'authorized' && canBring ? 'brought' : null
}

/** For so long after the expiry, a requested settlement still precedes the refund. Seconds. */
export const lateSettlementSeconds = 3_600

/**
 * Decides how to close an expired plan: a refund, or `closeExpired`, which first pays submitted steps and disputed steps without a
 * ruling. Null: not by the server, or not yet. `now`: Unix seconds.
 */
export function nextReclaim(hold: Hold, plan: PlanState, now: number): 'refund' | 'closeExpired' | null {
  if (hold.rail !== 'escrow' || 'settledTx' in hold || plan.status !== isFundedPlan) return null
  // A settlement requested in time goes first, unless it is impossible. After a settlement only disputed or reviewed steps are left.
  const isLate = now > hold.terms.expiry + lateSettlementSeconds
  if (hold.state !== 'authorized' && !plan.closing && !isLate) return null
  const isOwed = stepsWithStatus(plan.codes, 'disputed') !== 0n || (plan.submitted & stepsWithStatus(plan.codes, 'pending')) !== 0n
  return isOwed && plan.charter !== 'none' && silenceOutcomeOfTerms(hold.terms) !== 'refund' ? 'closeExpired' : 'refund'
}

/**
 * The next action for a submitted but unsettled step: submit it on chain, or seal its charter first. Null: nothing, or not yet.
 * `openedAt`, `now`: Unix seconds.
 */
export function nextSubmission(
  hold: EscrowHold,
  plan: PlanState,
  { step, version, openedAt, now }: { readonly step: number; readonly version: number; readonly openedAt: number; readonly now: number },
): 'submit' | 'seal' | null {
  if (!isFunded(hold) || (hold.state !== 'authorized' && hold.state !== 'capturing') || hold.charter?.version !== version) return null
  if (now < latestSafeSealTime(hold.terms, openedAt) || now > hold.terms.workBy) return null
  if (plan.status !== isFundedPlan || plan.version > version) return null
  if (plan.version < version) return 'seal'
  return !hasStep(plan.submitted, step) && hasStep(stepsWithStatus(plan.codes, 'pending'), step) ? 'submit' : null
}

/** Submitted steps that the escrow pays by default now, because they were not settled or disputed in time. `now`: Unix seconds. */
export function stepsToPayByDefault(hold: EscrowHold, plan: PlanState, now: number): bigint {
  if (!isFunded(hold) || 'settledTx' in hold || silenceOutcomeOfTerms(hold.terms) === 'refund') return 0n
  if (plan.status !== isFundedPlan || now < hold.terms.reviewBy || plan.payableFrom > now) return 0n
  // The default pays half where the terms split, so it leaves the steps that a requested settlement pays whole.
  const isSplit = silenceOutcomeOfTerms(hold.terms) === 'split'
  const whole = isSplit && hold.state === 'capturing' ? hold.bits & ~hold.halves : 0n
  return plan.submitted & stepsWithStatus(plan.codes, 'pending') & ~whole
}
