import type { HoldState } from '@parley/protocol'
import type { PayoutState } from '../../../prisma/client/client.ts'
import { Prisma } from '../../db.ts'
import { lateSettlementSeconds } from '../submit/next-settlement.ts'

/** What a hold wants of the chain. */
export type HoldAction = 'fund' | 'seal' | 'settle' | 'reclaim'
export type HoldFacts = {
  readonly state: HoldState
  /** The client's signature is here. */
  readonly isSigned: boolean
  /** Unix seconds, as `now`. */
  readonly expiry: number
  /** The contract has closed the plan but for its disputed steps. */
  readonly isClosing: boolean
  /** What is to be paid is, and a returned step can still be disputed. */
  readonly isDisputeTime: boolean
  /** A charter is to be brought on chain by now. */
  readonly isSealDue: boolean
}

/** A minute late rather than early: the chain's clock may run behind ours. */
const slackSeconds = 60

export function nextHoldAction(facts: HoldFacts, now: number): HoldAction | null {
  const { state, isClosing } = facts
  if (state === 'authorizing') return facts.isSigned ? 'fund' : null
  if (state !== 'authorized' && state !== 'capturing' && state !== 'voiding') return null
  const isSettling = state !== 'authorized' && !isClosing
  // A settlement that could not be made in all that time won't be.
  if (facts.expiry < now - (isSettling ? lateSettlementSeconds : slackSeconds)) return 'reclaim'
  if (facts.isSealDue) return 'seal'
  return isSettling && !facts.isDisputeTime ? 'settle' : null
}

/** The same over columns of `f`, to find the holds that want something; a test compares the two. */
export function nextHoldActionSql(now: number): Prisma.Sql {
  return Prisma.sql`case
    when f."state" = 'authorizing' then case when f."isSigned" then 'fund' end
    when f."state" not in ('authorized', 'capturing', 'voiding') then null
    when f."expiry" < ${now - slackSeconds} and (f."state" = 'authorized' or f."isClosing") then 'reclaim'
    when f."expiry" < ${now - lateSettlementSeconds} then 'reclaim'
    when f."isSealDue" then 'seal'
    when f."state" <> 'authorized' and not f."isClosing" and not f."isDisputeTime" then 'settle'
  end`
}

/** Whether only time is awaited: all that is to be paid is paid, and a returned step can still be disputed. */
export function isDisputeTime(disputeBy: number | null, payouts: readonly PayoutState[], now: number): boolean {
  return disputeBy !== null && disputeBy > now && payouts.includes('sealed') && !payouts.includes('paying')
}
