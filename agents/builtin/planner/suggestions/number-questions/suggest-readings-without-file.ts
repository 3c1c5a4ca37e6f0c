/** Candidates without a file: statistics of numbers, schedules, dates, loans, prices, units and numerals. */

import type { RequestedOperation } from '../find-requested-operations.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import type { ReadingCandidate } from '../reading-candidate.ts'
import { suggestColourReadings } from './suggest-colour-readings.ts'
import { suggestDateReadings } from './suggest-date-readings.ts'
import { isLoanGoal, suggestLoanReadings } from './suggest-loan-readings.ts'
import { suggestMoneyReadings } from './suggest-money-readings.ts'
import { suggestPriceReadings } from './suggest-price-readings.ts'
import { suggestRomanNumeralReadings } from './suggest-roman-numeral-readings.ts'
import { suggestScalingReadings } from './suggest-scaling-readings.ts'
import { suggestScheduleReadings } from './suggest-schedule-readings.ts'
import { suggestStatisticsReadings } from './suggest-statistics-readings.ts'
import { suggestUnitConversionReadings } from './suggest-unit-conversion-readings.ts'
import { suggestUnitPriceReadings } from './suggest-unit-price-readings.ts'

export function suggestReadingsWithoutFile(goal: GoalParts, operations: ReadonlyMap<RequestedOperation, string>): ReadingCandidate[] {
  // Numbers of a goal with a file are mostly conditions on it.
  if (goal.files.length > 0) return []
  const units = suggestUnitConversionReadings(goal)
  const loans = suggestLoanReadings(goal)
  const money = [...suggestScalingReadings(goal), ...suggestMoneyReadings(goal)]
  const rates = money.length > 0 || isLoanGoal(goal) ? [] : suggestUnitPriceReadings(goal)
  // A reading that names what happens to the money leaves no room for plainer ones.
  const isNamed = money.length > 0 || rates.length > 0
  return [
    ...suggestScheduleReadings(goal, operations),
    ...suggestStatisticsReadings(goal, operations),
    ...suggestDateReadings(goal),
    ...(money.length > 0 ? money : loans),
    ...rates,
    ...(isNamed || isLoanGoal(goal) ? [] : suggestPriceReadings(goal)),
    ...units,
    ...suggestRomanNumeralReadings(goal),
    ...suggestColourReadings(goal),
  ]
}
