/** Candidates without a file: statistics of numbers, schedules, dates, loans, prices, units and numerals. */

import type { RequestedOperation } from '../find-requested-operations.ts'
import type { GoalParts } from '../goal-parts.ts'
import type { ReadingCandidate } from '../reading-candidate.ts'
import { colourCandidates } from './colour-candidates.ts'
import { dateCandidates } from './date-candidates.ts'
import { isLoanGoal, loanCandidates } from './loan-candidates.ts'
import { moneyCandidates } from './money-candidates.ts'
import { priceCandidates } from './price-candidates.ts'
import { romanNumeralCandidates } from './roman-numeral-candidates.ts'
import { scalingCandidates } from './scaling-candidates.ts'
import { scheduleCandidates } from './schedule-candidates.ts'
import { statisticsCandidates } from './statistics-candidates.ts'
import { unitConversionCandidates } from './unit-conversion-candidates.ts'
import { unitPriceCandidates } from './unit-price-candidates.ts'

export function numberCandidates(goal: GoalParts, operations: ReadonlyMap<RequestedOperation, string>): ReadingCandidate[] {
  // Numbers of a goal with a file are mostly conditions on it.
  if (goal.files.length > 0) return []
  const units = unitConversionCandidates(goal)
  const loans = loanCandidates(goal)
  const money = [...scalingCandidates(goal), ...moneyCandidates(goal)]
  const rates = money.length > 0 || isLoanGoal(goal) ? [] : unitPriceCandidates(goal)
  // A reading that names what happens to the money leaves no room for plainer ones.
  const isNamed = money.length > 0 || rates.length > 0
  return [
    ...scheduleCandidates(goal, operations),
    ...statisticsCandidates(goal, operations),
    ...dateCandidates(goal),
    ...(money.length > 0 ? money : loans),
    ...rates,
    ...(isNamed || isLoanGoal(goal) ? [] : priceCandidates(goal)),
    ...units,
    ...romanNumeralCandidates(goal),
    ...colourCandidates(goal),
  ]
}
