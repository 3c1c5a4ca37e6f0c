/**
 * `npm run bench:web`: thirty tasks on three local sites, by browsing only, by API only, and by both. Each task has a new site and its own
 * profile in one Chromium. Ten of the tasks were held out while the policy was written, and both groups are printed. With OPENAI_API_KEY
 * the model's policy runs too (OPENAI_BASE_URL, OPENAI_MODEL).
 */
import { createSharedBrowser } from '../agents/builtin/web/browser/shared-browser.ts'
import { createOriginThrottle } from '../agents/builtin/web/egress/site-client.ts'
import { deterministicStepChooser, type StepChooserInput } from '../agents/builtin/web/step-choosers/deterministic-step-chooser.ts'
import { modelStepChoosers } from '../agents/builtin/web/step-choosers/model-step-chooser.ts'
import { type StepChooser, type Strategy, strategies } from '../agents/builtin/web/steps/step.ts'
import { startAgents, type TaskRun } from './web-agent/run-tasks.ts'
import { isBetter, ratiosTo, type Tally, tallyOf } from './web-agent/tally-results.ts'

const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model = 'gpt-4.1-mini' } = process.env
// The sites are local, so no delay between requests is needed.
const pace = createOriginThrottle(0)
const browser = createSharedBrowser({ executable: process.env.CHROMIUM, pace })
const order: readonly Strategy[] = ['browse', 'api', 'hybrid']

async function runAll(
  stepChooserFor: (situation: StepChooserInput) => StepChooser,
): Promise<{ [strategy in Strategy]: Tally } & { all: TaskRun[] }> {
  await using runners = await startAgents({ browser, pace, stepChooserFor })
  const all: TaskRun[] = []
  for (const strategy of order) {
    for (const task of runners.tasks) {
      const results = await task.run(strategy)
      all.push(results)
      const { outcome, steps } = results.report
      const why = results.isDone ? '' : outcome.done ? `  said ${outcome.answer ?? 'nothing'}` : `  ${outcome.reason}`
      const kind = results.isHeld ? 'held' : 'seen'
      console.log(
        `${strategy.padEnd(6)} ${kind} ${results.isDone ? 'done' : '–   '} ${steps.browse}+${steps.api}  ${results.site}: ${results.text}${why}`,
      )
    }
  }
  const tally = (strategy: Strategy) => tallyOf(all.filter((one) => one.strategy === strategy))
  return { browse: tally('browse'), api: tally('api'), hybrid: tally('hybrid'), all }
}

try {
  const { all, ...tallies } = await runAll(deterministicStepChooser)
  const byModel = apiKey ? await runAll(modelStepChoosers({ apiKey, baseURL: baseURL || undefined, model })) : undefined
  for (const strategy of strategies) {
    const { done, of, held, mix, steps } = tallies[strategy]
    console.log(
      `${strategy}: ${done} of ${of}, ${held} of the 10 held out; of those done ${mix.both} by both, ${mix.api} by API, ${mix.browse} by pages; ${steps.api} API steps and ${steps.browse} page steps`,
    )
  }
  const ok = isBetter(tallies)
  const beside = { browse_to_hybrid: ratiosTo(all, 'browse'), api_to_hybrid: ratiosTo(all, 'api') }
  const withModel = byModel && { browse: byModel.browse, api: byModel.api, hybrid: byModel.hybrid }
  console.log(JSON.stringify({ name: 'bench:web', ok, figures: { ...tallies, ...beside, ...(withModel && { model: withModel }) } }))
  process.exitCode = ok ? 0 : 1
} finally {
  await browser.close()
}
