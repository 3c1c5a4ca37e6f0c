import { urgentFrom } from '../charters/next-sealing.ts'
import { type EscrowHold, type Hold, hasStep, isFunded, stepsWithStatus } from '../holds/hold.ts'

/** The plan as the contract answers for it. */
export type PlanState = {
  readonly status: number
  /** Of the last charter. */
  readonly version: number
  /** Whose word the charter in force has; none where none is. */
  readonly charter: 'none' | 'proposed' | 'authorized'
  readonly codes: bigint
  readonly closing: boolean
  /** Unix seconds: from when a proposed charter can be paid. */
  readonly payableFrom: number
  /** Steps that were handed in on chain. */
  readonly submitted: bigint
}
const isFundedPlan = 1
/** In the terms' `onSilence`. */
const silencePays = 1

export type SettlementFacts = {
  readonly plan: PlanState
  /** Steps whose payout is sealed and was not asked for. */
  readonly unpaidSteps: readonly number[]
  /** A seal or a batch of ours is on its way and changes what can be settled. */
  readonly isOverwritten: boolean
  /** Steps of which a party's dispute or offer is on its way: it decides how they end. Bit `step - 1`. */
  readonly heldSteps: bigint
  /** The client has approved the charter in force here, so it can come on chain with its settlement. */
  readonly canBring: boolean
  /** The settlement of the part that is not in dispute time is on its way. */
  readonly isPartUnderway: boolean
  /** Unix seconds. */
  readonly now: number
}

/** `charter`: `sealed` on chain, `brought` with the settlement, or `none` where nothing is paid and the plan has none. */
export type NextSettlement = { readonly bits: bigint; readonly close: boolean; readonly charter: 'sealed' | 'brought' | 'none' }

/**
 * What the settlement has to call now: the steps to pay, and whether to close. Null where nothing is to be called: it is closed,
 * something on its way has to land first, a veto window has to end, or the contract's log has to be read first.
 */
export function nextSettlement(hold: Hold, facts: SettlementFacts): NextSettlement | null {
  if (hold.state !== 'capturing' && hold.state !== 'voiding') return null
  const { plan } = facts
  // Closed meanwhile, by us or by somebody else; or what was to be settled is, and the rest is for the arbitrator, the parties, or time.
  if (plan.status !== isFundedPlan || plan.closing || facts.isOverwritten) return null
  const pending = stepsWithStatus(plan.codes, 'pending')
  const bits = hold.state === 'capturing' ? hold.bits & pending & ~facts.heldSteps : 0n
  // A plan whose charter was vetoed is closed without one.
  const charter = charterFor(hold.charter?.version ?? null, facts) ?? (plan.charter === 'none' && bits === 0n ? 'none' : null)
  if (charter === null) return null
  const isDisputeTime = hold.disputeBy !== null && facts.now < hold.disputeBy
  const isWordAwaited = (pending & facts.heldSteps) !== 0n
  const close = !isWordAwaited && !(isDisputeTime && facts.unpaidSteps.some((step) => hasStep(pending, step)))
  if (!close && bits === 0n) return null
  // The part that is on its way changes what is left to pay.
  if (close && facts.isPartUnderway) return null
  return { bits, close, charter: plan.charter === 'none' && bits === 0n ? 'none' : charter }
}

/** Null where the escrow is ahead of our reading, or what it has can't be paid yet. `version`: of the charter in force here. */
function charterFor(version: number | null, { plan, canBring, now }: SettlementFacts): 'sealed' | 'brought' | 'none' | null {
  const isPayable = plan.charter === 'authorized' || (plan.charter === 'proposed' && plan.payableFrom <= now)
  if (version === null) return plan.charter === 'none' ? 'none' : null
  if (isPayable && plan.version === version) return 'sealed'
  return plan.charter !== 'authorized' && canBring ? 'brought' : null
}

/** So long after the expiry a settlement that was asked for still goes before the refund. Seconds. */
export const lateSettlementSeconds = 3_600

/**
 * How what is left after the expiry is ended: a plain refund, or one that first pays what was handed in, and what the client disputed and
 * nobody ruled upon. Null: not by us, or not yet. `now`: Unix seconds.
 */
export function nextReclaim(hold: Hold, plan: PlanState, now: number): 'refund' | 'closeExpired' | null {
  if (hold.rail !== 'escrow' || 'settledTx' in hold || plan.status !== isFundedPlan) return null
  // A settlement that was asked for in time goes first, unless it can't be made. One that was made has left nothing but what is
  // disputed or in review.
  const isLate = now > hold.terms.expiry + lateSettlementSeconds
  if (hold.state !== 'authorized' && !plan.closing && !isLate) return null
  const isOwed = stepsWithStatus(plan.codes, 'disputed') !== 0n || (plan.submitted & stepsWithStatus(plan.codes, 'pending')) !== 0n
  return isOwed && plan.charter !== 'none' && (hold.terms.onSilence & silencePays) !== 0 ? 'closeExpired' : 'refund'
}

/**
 * What a step needs that its payee has signed for and that nobody has settled: to be submitted on chain, or that its charter is
 * sealed there first. Null: nothing, or not yet. `openedAt`, `now`: Unix seconds.
 */
export function nextSubmission(
  hold: EscrowHold,
  plan: PlanState,
  { step, version, openedAt, now }: { readonly step: number; readonly version: number; readonly openedAt: number; readonly now: number },
): 'submit' | 'seal' | null {
  if (!isFunded(hold) || (hold.state !== 'authorized' && hold.state !== 'capturing') || hold.charter?.version !== version) return null
  if (now < urgentFrom(hold.terms, openedAt) || now > hold.terms.workBy) return null
  if (plan.status !== isFundedPlan || plan.version > version) return null
  if (plan.version < version) return 'seal'
  return !hasStep(plan.submitted, step) && hasStep(stepsWithStatus(plan.codes, 'pending'), step) ? 'submit' : null
}

/** Submitted steps that the escrow pays now, because nobody settled or disputed them in time. `now`: Unix seconds. */
export function silentSteps(hold: EscrowHold, plan: PlanState, now: number): bigint {
  if (!isFunded(hold) || 'settledTx' in hold || (hold.terms.onSilence & silencePays) === 0) return 0n
  if (plan.status !== isFundedPlan || now < hold.terms.reviewBy || plan.payableFrom > now) return 0n
  return plan.submitted & stepsWithStatus(plan.codes, 'pending')
}
