import type { HoldState } from '@parley/protocol'
import type { PayoutState } from '../../../prisma/client/client.ts'
import { Prisma } from '../../db.ts'
import { lateSettlementSeconds } from '../submit/next-settlement-or-reclaim.ts'

/** The next on-chain action of a hold. */
export type HoldAction = 'fund' | 'seal' | 'settle' | 'reclaim'
export type HoldFacts = {
  readonly state: HoldState
  /** The client's signature is stored. */
  readonly isSigned: boolean
  /** Unix seconds, as `now`. */
  readonly expiry: number
  /** The contract has closed the plan except for its disputed steps. */
  readonly isClosing: boolean
  /** All requested steps are paid, but returned steps can still be disputed. */
  readonly isDisputeTime: boolean
  /** A charter is due to be sealed. */
  readonly isSealDue: boolean
  /** The charter in force is proposed: until its veto window ends, the escrow neither pays it nor closes the plan under it. */
  readonly isVetoTime: boolean
}

/** One minute of slack, because the chain's clock may lag behind ours. */
const slackSeconds = 60

export function nextHoldAction(facts: HoldFacts, now: number): HoldAction | null {
  const { state, isClosing } = facts
  if (state === 'authorizing') return facts.isSigned ? 'fund' : null
  if (state !== 'authorized' && state !== 'capturing' && state !== 'voiding') return null
  const isSettling = state !== 'authorized' && !isClosing
  // A settlement that failed for so long will not succeed.
  if (facts.expiry < now - (isSettling ? lateSettlementSeconds : slackSeconds)) return 'reclaim'
  if (facts.isSealDue) return 'seal'
  return isSettling && !facts.isDisputeTime && !facts.isVetoTime ? 'settle' : null
}

/** The same decision in SQL over columns of `f`, to select due holds. A test compares both. */
export function nextHoldActionSql(now: number): Prisma.Sql {
  return Prisma.sql`case
    when f."state" = 'authorizing' then case when f."isSigned" then 'fund' end
    when f."state" not in ('authorized', 'capturing', 'voiding') then null
    when f."expiry" < ${now - slackSeconds} and (f."state" = 'authorized' or f."isClosing") then 'reclaim'
    when f."expiry" < ${now - lateSettlementSeconds} then 'reclaim'
    when f."isSealDue" then 'seal'
    when f."state" <> 'authorized' and not f."isClosing" and not f."isDisputeTime" and not f."isVetoTime" then 'settle'
  end`
}

/** Whether only the dispute window is left: all requested steps are paid, and returned steps can still be disputed. */
export function isDisputeTime(disputeBy: number | null, payouts: readonly PayoutState[], now: number): boolean {
  return disputeBy !== null && disputeBy > now && payouts.includes('sealed') && !payouts.includes('paying')
}

/**
 * Whether the charter that was sealed last waits for its veto window to end, and the client has not approved it. Null: none is sealed, or
 * none is in force here. `payableFrom`, `now`: Unix seconds.
 */
export function isVetoTime(
  sealed: { readonly version: number; readonly payableFrom: number } | null,
  charter: { readonly version: number; readonly isApproved: boolean } | null,
  now: number,
): boolean {
  return sealed !== null && sealed.version === charter?.version && sealed.payableFrom > now && !charter.isApproved
}
