import type { EscrowHold } from '../holds/hold.ts'
import type { HoldCharter } from '../holds/hold-store.ts'

/** State of a plan that sealing depends on. `payableFrom`: Unix seconds; 0 if no proposal is in force. */
export type SealedPlan = {
  readonly status: number
  readonly version: number
  readonly charter: 'none' | 'proposed' | 'authorized'
  readonly payableFrom: number
  readonly refusesProposals: boolean
}
export type Sealing = { readonly charter: HoldCharter; readonly as: 'authorized' | 'proposed' }

/** How long to wait for the client's approval by session key before a charter is proposed without it. Seconds. */
export const approvalSeconds = 120

/**
 * Latest safe time to seal a charter and submit its steps before `workBy`. The margin is a tenth of the work time, at least two
 * minutes and at most an hour.
 */
export function latestSafeSealTime({ workBy }: { readonly workBy: number }, openedAt: number): number {
  const tenth = Math.floor((workBy - openedAt) / 10)
  return workBy - Math.min(3_600, Math.max(120, tenth))
}

/**
 * The charter to seal now, and how. The highest due version comes first, because it replaces the sealed one. An unapproved charter
 * is only proposed, never in place of an approved one, and only if its veto window ends before `workBy`.
 */
export function nextSealing(hold: EscrowHold, charters: readonly HoldCharter[], plan: SealedPlan, at: Date): Sealing | null {
  if (plan.status !== 1) return null
  const now = Math.floor(at.getTime() / 1_000)
  const { vetoSeconds, workBy } = hold.terms
  const isAnyApproved = charters.some((one) => one.authorization !== null)
  for (const charter of [...charters].sort((a, b) => b.version - a.version)) {
    if (charter.veto || charter.sealDueAt === null || charter.sealDueAt > at) continue
    const isNew = charter.version > plan.version
    // A proposal in its veto window does not delay an approved version.
    if (charter.authorization && (isNew || plan.charter !== 'authorized')) return { charter, as: 'authorized' }
    if (charter.authorization || !isNew || isAnyApproved || plan.refusesProposals) continue
    if (canPropose({ vetoSeconds, workBy }, now)) return { charter, as: 'proposed' }
  }
  return null
}

/** Whether a charter proposed now becomes payable before `workBy`. */
export function canPropose(terms: { readonly vetoSeconds: number; readonly workBy: number }, now: number): boolean {
  return terms.vetoSeconds > 0 && now + terms.vetoSeconds < terms.workBy
}

/** Whether a charter can still be approved. Work after `workBy` is not paid, so a later approval has no effect. */
export function isApprovalInTime({ workBy }: { readonly workBy: number }, at: Date): boolean {
  return at.getTime() / 1_000 < workBy
}

/** Whether the client's approval puts a charter in force at once. Otherwise the `PlanSealed` event does. */
export function isInForceAtOnce(approval: {
  /** No other charter of the plan can be sealed first. */
  readonly isOnlyCandidate: boolean
  /** A key signed it, not a contract wallet, whose answer can change. */
  readonly isByKey: boolean
}): boolean {
  return approval.isOnlyCandidate && approval.isByKey
}
