import { feeOn } from '@parley/protocol'
import type { RunView } from './run.ts'

/** How a hold divides at this moment. The three always sum to `total`. */
export type BudgetView = {
  readonly total: bigint
  /** For work that is finished, its fee included: goes to the agents on acceptance. */
  readonly earned: bigint
  /** Promised to steps that are not finished, their fee included. */
  readonly reserved: bigint
  /** Goes back to the client whatever happens. */
  readonly refundable: bigint
  readonly isSettled: boolean
}

/** Splits the hold into earned, reserved and refundable. The fee is taken once, on the sum, as the escrow does. */
export function budgetOf(run: RunView): BudgetView {
  const total = run.hold?.total ?? run.goal.budget
  const feeBps = run.hold?.feeBps ?? 0
  const isSettled = run.goal.state === 'paid' || run.goal.state === 'refunded' || run.goal.state === 'canceled'
  const wentBack = run.hold?.wentBack ?? null
  if (isSettled && wentBack !== null) return { total, earned: total - wentBack, reserved: 0n, refundable: wentBack, isSettled }
  const sumOf = (states: readonly string[]) =>
    run.steps.filter((step) => states.includes(step.state)).reduce((sum, step) => sum + step.amount, 0n)
  const earnedSteps = sumOf(isSettled ? ['paid'] : ['done', 'paid'])
  const openSteps = isSettled ? 0n : sumOf(['planned', 'offered'])
  const earned = earnedSteps + feeOn(earnedSteps, feeBps)
  const all = earnedSteps + openSteps
  const reserved = all + feeOn(all, feeBps) - earned
  return { total, earned, reserved, refundable: total - earned - reserved, isSettled }
}
