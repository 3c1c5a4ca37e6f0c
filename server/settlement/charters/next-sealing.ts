import type { EscrowHold } from '../holds/hold.ts'
import type { Charter } from '../holds/hold-store.ts'

/** What the escrow says of a plan, as far as sealing asks. `payableFrom`: Unix seconds; 0 where no proposal is in force. */
export type SealedPlan = {
  readonly status: number
  readonly version: number
  readonly charter: 'none' | 'proposed' | 'authorized'
  readonly payableFrom: number
  readonly refusesProposals: boolean
}
export type Sealing = { readonly charter: Charter; readonly as: 'authorized' | 'proposed' }

/** How long the client's approval is waited for before a charter is proposed without it, where a session key could give it. */
export const approvalSeconds = 120

/** When the last moment comes to bring a charter and its steps on chain before the work's end: a tenth of the time, an hour at most. */
export function urgentFrom({ workBy }: { readonly workBy: number }, openedAt: number): number {
  const tenth = Math.floor((workBy - openedAt) / 10)
  return workBy - Math.min(3_600, Math.max(120, tenth))
}

/**
 * The charter that is to be brought on chain now, and as what. The highest version that is due comes first: it replaces what is
 * there. One that the client has not approved is only proposed, in place of nothing that it has approved, and only while its veto
 * window ends before the work does.
 */
export function nextSealing(hold: EscrowHold, charters: readonly Charter[], plan: SealedPlan, at: Date): Sealing | null {
  if (plan.status !== 1) return null
  const now = Math.floor(at.getTime() / 1_000)
  const { vetoSeconds, workBy } = hold.terms
  const isAnyApproved = charters.some((one) => one.authorization !== null)
  for (const charter of [...charters].sort((a, b) => b.version - a.version)) {
    if (charter.veto || charter.sealDueAt === null || charter.sealDueAt > at) continue
    const isNew = charter.version > plan.version
    // A proposal within its window holds up no version that the client has approved.
    if (charter.authorization && (isNew || plan.charter !== 'authorized')) return { charter, as: 'authorized' }
    if (charter.authorization || !isNew || isAnyApproved || plan.refusesProposals) continue
    if (canPropose({ vetoSeconds, workBy }, now)) return { charter, as: 'proposed' }
  }
  return null
}

/** Whether a charter proposed now could be paid before the work has to be done. */
export function canPropose(terms: { readonly vetoSeconds: number; readonly workBy: number }, now: number): boolean {
  return terms.vetoSeconds > 0 && now + terms.vetoSeconds < terms.workBy
}

/** Whether the client's approval puts a charter in force at once. Otherwise the escrow's log does. */
export function isInForceAtOnce(approval: {
  /** No other charter of the plan can come on chain before. */
  readonly isOnlyCandidate: boolean
  /** A key signed it, and not the code of a wallet, whose answer can change. */
  readonly isByKey: boolean
}): boolean {
  return approval.isOnlyCandidate && approval.isByKey
}
