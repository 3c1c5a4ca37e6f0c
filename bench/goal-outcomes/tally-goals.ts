/** Counts the outcomes of a run. */
import { type GoalCase, kinds, languages } from './goal-case.ts'

/**
 * `correct`: the answer of a covered goal is right, or a goal that nothing covers ended before money moved. `chosen`: the answer of a
 * suggestion that the client chose is right. `declined` and `asked`: a
 * covered goal ended before money moved. `wrong`: an answer is wrong, or a goal that nothing covers was planned. `dead_end`: money was
 * set aside and nothing was delivered.
 */
export const outcomes = ['correct', 'chosen', 'declined', 'asked', 'wrong', 'dead_end'] as const
export type Outcome = (typeof outcomes)[number]

export type GoalResult = {
  readonly goal: GoalCase
  readonly outcome: Outcome
  readonly quoteMs: number
  /** From the funding to the delivery; null if the goal was not funded. */
  readonly workMs: number | null
  readonly detail: string
}

export type GoalFigures = ReturnType<typeof tallyGoals>

export function tallyGoals(results: readonly GoalResult[]) {
  const covered = results.filter(({ goal }) => goal.expected === 'delivered')
  const count = (of: readonly GoalResult[]) =>
    Object.fromEntries(outcomes.map((outcome) => [outcome, of.filter((one) => one.outcome === outcome).length])) as Record<Outcome, number>
  const groups = <Name extends string>(names: readonly Name[], of: (goal: GoalCase) => Name) =>
    Object.fromEntries(names.map((name) => [name, count(results.filter(({ goal }) => of(goal) === name))])) as Record<
      Name,
      Record<Outcome, number>
    >
  const all = count(results)
  return {
    goals: results.length,
    covered: covered.length,
    ...all,
    correct_share: covered.length === 0 ? 0 : round((count(covered).correct + count(covered).chosen) / covered.length),
    chosen_from_suggestions: all.chosen,
    quote_p50_ms: percentile(
      results.map((one) => one.quoteMs),
      0.5,
    ),
    quote_p95_ms: percentile(
      results.map((one) => one.quoteMs),
      0.95,
    ),
    work_p50_ms: percentile(
      results.flatMap((one) => one.workMs ?? []),
      0.5,
    ),
    covered_by_outcome: count(covered),
    by_kind: groups(kinds, (goal) => goal.kind),
    by_language: groups(languages, (goal) => goal.language),
  }
}

const round = (value: number): number => Number(value.toFixed(3))

/** The nearest-rank percentile; 0 without values. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0)
}
