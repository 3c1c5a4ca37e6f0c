/** Runs the tasks of the benchmark on fresh sites, and checks each by the final state of the site or by the exact answer. */
import { isDeepStrictEqual } from 'node:util'
import type { SharedBrowser } from '../../agents/builtin/web/browser/shared-browser.ts'
import type { OriginThrottle } from '../../agents/builtin/web/egress/site-client.ts'
import { runWebTask, type WebTaskReport } from '../../agents/builtin/web/run-web-task.ts'
import type { StepChooserInput } from '../../agents/builtin/web/step-choosers/deterministic-step-chooser.ts'
import type { StepChooser, Strategy } from '../../agents/builtin/web/steps/step.ts'
import { forum } from './sites/forum.ts'
import { shop } from './sites/shop.ts'
import { type ServedSite, type Site, serve } from './sites/site.ts'
import { tracker } from './sites/tracker.ts'
import { forumTasks } from './tasks/forum.ts'
import { shopTasks } from './tasks/shop.ts'
import type { WebTask } from './tasks/task.ts'
import { trackerTasks } from './tasks/tracker.ts'

export type TaskRun = {
  readonly site: string
  readonly text: string
  readonly isHeld: boolean
  readonly strategy: Strategy
  readonly isDone: boolean
  readonly report: WebTaskReport
}
type Means = {
  readonly browser: SharedBrowser
  readonly pace: OriginThrottle
  readonly stepChooserFor: (situation: StepChooserInput) => StepChooser
}
type TaskRunner = {
  readonly tasks: readonly { readonly text: string; readonly isHeld: boolean; run(strategy: Strategy): Promise<TaskRun> }[]
}

async function playerOf<S>(name: string, site: Site<S>, tasks: readonly WebTask<S>[], means: Means): Promise<TaskRunner & AsyncDisposable> {
  const served = await serve(site)
  return {
    tasks: tasks.map((task) => ({
      text: task.text,
      isHeld: task.held === true,
      async run(strategy) {
        served.reset()
        const order = { task: task.text, sites: [served.origin], strategy }
        const report = await runWebTask(order, { ...means, local: [served.origin] })
        return { site: name, text: task.text, isHeld: task.held === true, strategy, isDone: isDone(served, task, report), report }
      },
    })),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  }
}

/** Nothing else may have changed either. */
function isDone<S>({ site, state }: ServedSite<S>, { answer, change }: WebTask<S>, { outcome }: WebTaskReport): boolean {
  const wanted = site.fresh()
  change?.(wanted)
  if (!isDeepStrictEqual(site.look(state()), site.look(wanted))) return false
  if (!answer) return outcome.done
  return outcome.done && outcome.answer !== null && isAnswer(outcome.answer, answer(site.fresh()))
}

/** A number by its value to the cent, a text by its letters. */
function isAnswer(given: string, wanted: string | number): boolean {
  if (typeof wanted === 'number') return Math.abs(Number(given.replace(/[^\d.-]/g, '')) - wanted) < 0.005 && /\d/.test(given)
  return given.trim().toLowerCase() === wanted.toLowerCase()
}

export async function startAgents(means: Means): Promise<TaskRunner & AsyncDisposable> {
  const runners = [
    await playerOf('tracker', tracker, trackerTasks, means),
    await playerOf('shop', shop, shopTasks, means),
    await playerOf('forum', forum, forumTasks, means),
  ]
  return {
    tasks: runners.flatMap((one) => one.tasks),
    async [Symbol.asyncDispose]() {
      for (const one of runners) await one[Symbol.asyncDispose]()
    },
  }
}
