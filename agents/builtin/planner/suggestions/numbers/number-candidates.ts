/** Candidates without a file: statistics of numbers, schedules, dates, loans, prices, units and numerals. */

import type { Wish } from '../find-wishes.ts'
import type { GoalWords } from '../goal-words.ts'
import type { ReadingCandidate } from '../reading-candidate.ts'
import { dateCandidates } from './date-candidates.ts'
import { fuelCandidates } from './fuel-candidates.ts'
import { isLoanGoal, loanCandidates } from './loan-candidates.ts'
import { numeralCandidates } from './numeral-candidates.ts'
import { priceCandidates } from './price-candidates.ts'
import { scheduleCandidates } from './schedule-candidates.ts'
import { statisticsCandidates } from './statistics-candidates.ts'
import { unitConversionCandidates } from './unit-conversion-candidates.ts'

export function numberCandidates(goal: GoalWords, wishes: ReadonlyMap<Wish, string>): ReadingCandidate[] {
  // Numbers of a goal with a file are mostly conditions on it.
  if (goal.files.length > 0) return []
  const fuel = fuelCandidates(goal)
  return [
    ...scheduleCandidates(goal, wishes),
    ...statisticsCandidates(goal, wishes),
    ...dateCandidates(goal),
    ...loanCandidates(goal),
    ...(isLoanGoal(goal) ? [] : priceCandidates(goal)),
    ...(fuel.length > 0 ? fuel : unitConversionCandidates(goal)),
    ...numeralCandidates(goal),
  ]
}
