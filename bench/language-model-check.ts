/**
 * `npm run model:check`: twelve goals, three of them research with citations, planned and done with the configured model. It prints what
 * came back, so that a person can judge it. It ends after ten minutes or a number of tokens, whichever is first.
 */
import { readModelSettings } from '../agents/builtin/model/model-settings.ts'
import { checkedGoals } from './language-model-check/checked-goals.ts'
import { type CheckedRun, openCheckedMarket, runCheckedGoal } from './language-model-check/run-checked-goal.ts'

const maxMs = 600_000
const maxTokens = 500_000
const maxShown = 1_200

function report(runs: readonly CheckedRun[], isOk: boolean): never {
  const figures = {
    goals: checkedGoals.length,
    done: runs.length,
    passed: runs.filter((run) => run.isOk).length,
    tokens: runs.reduce((sum, run) => sum + run.tokens, 0),
    failed: runs.filter((run) => !run.isOk).map((run) => run.title),
  }
  console.log(JSON.stringify({ name: 'model:check', ok: isOk, figures }))
  process.exit(isOk ? 0 : 1)
}

function readSettings() {
  try {
    return readModelSettings(process.env)
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error))
    return report([], false)
  }
}

const settings = readSettings()
if (!settings) {
  console.log(
    'No language model is configured. Set OPENAI_API_KEY; for a local runtime set OPENAI_BASE_URL, such as http://127.0.0.1:11434/v1, and OPENAI_MODEL. Write them to .env or to the environment, and run this command again. docs/models.md has all settings.',
  )
  report([], false)
} else {
  console.log(
    `Model ${settings.model} at ${settings.baseURL ?? 'https://api.openai.com/v1'}. At most ${maxTokens.toLocaleString('en-US')} tokens of deliveries and ${maxMs / 60_000} minutes.`,
  )
  const market = openCheckedMarket(settings)
  const runs: CheckedRun[] = []
  // A goal that hangs does not outlive the limit.
  const stop = setTimeout(() => {
    console.log(`The time of ${maxMs / 60_000} minutes is over.`)
    report(runs, false)
  }, maxMs)
  for (const goal of checkedGoals) {
    const run = await runCheckedGoal(goal, market, settings)
    runs.push(run)
    console.log(
      `\n${run.isOk ? 'passed' : 'FAILED'}  ${run.title}: ${goal.text}\n        ${run.steps.join(' → ') || 'no plan'}, ${run.tokens} tokens, ${run.seconds} s\n${run.text.slice(0, maxShown)}`,
    )
    if (runs.reduce((sum, one) => sum + one.tokens, 0) > maxTokens) {
      console.log(`The ${maxTokens.toLocaleString('en-US')} tokens are used up.`)
      break
    }
  }
  clearTimeout(stop)
  report(runs, runs.length === checkedGoals.length && runs.every((run) => run.isOk))
}
