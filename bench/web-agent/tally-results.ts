/** Computes the figures of the runs. */
import { type Strategy, strategies } from '../../agents/builtin/web/steps/step.ts'
import type { TaskRun } from './run-tasks.ts'

export type Tally = {
  readonly done: number
  readonly of: number
  readonly share: number
  /** The ten tasks that were held out during development of the step chooser. */
  readonly held: number
  readonly steps_per_task: number
  /** Of all steps, those of each kind. */
  readonly steps: { readonly browse: number; readonly api: number }
  readonly ms_per_task: number
  /** Of the tasks that were done: by pages and API both, by one of them alone. */
  readonly mix: { readonly both: number; readonly api: number; readonly browse: number }
}

const round = (value: number, digits = 2) => Number(value.toFixed(digits))

export function tallyOf(runs: readonly TaskRun[]): Tally {
  const done = runs.filter((one) => one.isDone)
  const steps = (kind: 'browse' | 'api') => runs.reduce((sum, { report }) => sum + report.steps[kind], 0)
  const share = (is: (steps: TaskRun['report']['steps']) => boolean) =>
    done.length === 0 ? 0 : round(done.filter((one) => is(one.report.steps)).length / done.length)
  return {
    done: done.length,
    of: runs.length,
    share: round(done.length / Math.max(1, runs.length), 3),
    held: done.filter((one) => one.isHeld).length,
    steps_per_task: round(runs.reduce((sum, { report }) => sum + report.journal.length, 0) / Math.max(1, runs.length), 1),
    steps: { browse: steps('browse'), api: steps('api') },
    ms_per_task: round(runs.reduce((sum, { report }) => sum + report.ms, 0) / Math.max(1, runs.length), 0),
    mix: {
      both: share(({ browse, api }) => browse > 0 && api > 0),
      api: share(({ browse, api }) => browse === 0 && api > 0),
      browse: share(({ browse, api }) => browse > 0 && api === 0),
    },
  }
}

/** Steps and time of a strategy beside the hybrid's, over the tasks that both have done. */
export function ratiosTo(all: readonly TaskRun[], strategy: Strategy): { tasks: number; steps: number; time: number } {
  const own = all.filter((one) => one.strategy === strategy && one.isDone)
  const pairs = own.flatMap((one) => {
    const other = all.find((two) => two.strategy === 'hybrid' && two.isDone && two.site === one.site && two.text === one.text)
    return other ? [{ one: one.report, other: other.report }] : []
  })
  const sum = (of: (pair: (typeof pairs)[number]) => number) => pairs.reduce((total, pair) => total + of(pair), 0)
  return {
    tasks: pairs.length,
    steps: round(
      sum(({ one }) => one.journal.length) /
        Math.max(
          1,
          sum(({ other }) => other.journal.length),
        ),
    ),
    time: round(
      sum(({ one }) => one.ms) /
        Math.max(
          1,
          sum(({ other }) => other.ms),
        ),
    ),
  }
}

/** Hybrid must complete more tasks than either, also of the held-out ones. */
export function isBetter(tallies: { readonly [strategy in Strategy]: Tally }): boolean {
  const others = strategies.filter((one) => one !== 'hybrid').map((one) => tallies[one])
  return others.every((one) => tallies.hybrid.done > one.done && tallies.hybrid.held > one.held)
}
