import { longestGoalDays, type PostGoal, payableOf } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { formatMarketMoney } from '../../format-market-money.ts'
import { goalBudgetInvalid, goalDeadlinePassed, goalDeadlineTooFar } from '../errors.ts'

/** The minimum time between posting and deadline: enough to confirm one settlement. */
const minWorkMs = 60_000
const dayMs = 86_400_000

/**
 * Checks that a goal leaves time and money for its work.
 *
 * @throws goal.deadline_passed, goal.deadline_too_far, goal.budget_invalid
 */
export function requireEnoughTimeAndBudget(ctx: Context, { deadline, budget }: PostGoal['goal']): void {
  requirePossibleDeadline(ctx, new Date(deadline))
  requireSufficientBudget(ctx, budget)
}

function requirePossibleDeadline(ctx: Context, deadline: Date): void {
  const now = ctx.clock.now().getTime()
  const earliest = new Date(now + minWorkMs)
  if (deadline < earliest) throw goalDeadlinePassed(deadline, earliest)
  const latest = new Date(now + longestGoalDays * dayMs)
  if (deadline > latest) throw goalDeadlineTooFar(deadline, latest, longestGoalDays)
}

function requireSufficientBudget(ctx: Context, budget: string): void {
  const { market } = ctx
  const { minBudget, feeBps } = market
  const total = BigInt(budget)
  if (payableOf(total, feeBps) <= 0n) throw goalBudgetInvalid('The fee uses up the budget, so nothing is left for the work.', { budget })
  if (total < minBudget)
    throw goalBudgetInvalid(`The budget is below the minimum of ${formatMarketMoney(market, minBudget)}.`, {
      budget,
      min: minBudget.toString(),
    })
}
