import type { Json } from '@parley/protocol'
import { refuse, requireData, type SkillFunction, type SkillRequest, type SkillResponse } from '../skill.ts'
import { createSharedBrowser } from './browser/shared-browser.ts'
import { createOriginThrottle } from './egress/site-client.ts'
import { runWebTask, type WebTaskDependencies, type WebTaskInput, type WebTaskReport } from './run-web-task.ts'
import { deterministicStepChooser } from './step-choosers/deterministic-step-chooser.ts'
import { strategies } from './steps/step.ts'

export type WebSettings = {
  /** Chromium executable; default: the usual places. */
  readonly chromium?: string | undefined
  /** Origins inside this machine's network that tasks may use. */
  readonly local: readonly string[]
  readonly model?: { readonly apiKey: string; readonly baseURL?: string | undefined; readonly model: string } | undefined
}

const maxTask = 2_000
const maxSites = 5
/** At most four requests per second to one site. */
const gapMs = 250

/** The skills by id. The browser starts with the first task that needs it. */
export function webSkillFunctions({ chromium, local, model }: WebSettings): { readonly [skill: string]: SkillFunction } {
  const pace = createOriginThrottle(gapMs)
  const browser = createSharedBrowser({ executable: chromium, pace })
  return {
    'web.do': async (work) => {
      const { order, mode } = parseWebQuery(work)
      if (mode === 'model' && !model) refuse('No model is set up here. Without “mode” I do the task by rule.')
      // The model client is large, so it is loaded only if a model is used.
      const stepChooserFor =
        mode === 'model' && model
          ? (await import('./step-choosers/model-step-chooser.ts')).modelStepChoosers(model)
          : deterministicStepChooser
      return doWebTask(order, { browser, pace, local, stepChooserFor })
    },
  }
}

/** @throws {SkillRefused} with the reason, if the task was not done */
export async function doWebTask(order: WebTaskInput, means: WebTaskDependencies): Promise<SkillResponse> {
  const report = await runWebTask(order, means)
  const { outcome, steps } = report
  if (!outcome.done) return refuse(`The task was not done: ${outcome.reason} (${steps.browse} steps by page, ${steps.api} by API)`)
  const sentence = outcome.answer === null ? 'Done' : `The answer is “${outcome.answer.slice(0, 300)}”`
  return {
    outputs: [
      { name: 'result.json', media_type: 'application/json', artifact_type: 'web.result', text: JSON.stringify(resultOf(report), null, 2) },
    ],
    text: `${sentence}, after ${steps.browse} steps by page and ${steps.api} by API.`,
  }
}

function resultOf({ outcome, ...report }: WebTaskReport) {
  return { answer: outcome.done ? outcome.answer : null, ...report }
}

/** Parses the query. @throws {SkillRefused} */
export function parseWebQuery(work: SkillRequest): { order: WebTaskInput; mode: 'deterministic' | 'model' } {
  const { task, sites, strategy, mode, document } = requireData(work, 'query.web')
  if (typeof task !== 'string' || task.trim() === '' || task.length > maxTask)
    refuse(`The task must be a text of at most ${maxTask} letters.`)
  const named = [...task.matchAll(/https?:\/\/[^\s"“”«»<>]+/g)].map(([url]) => url.replace(/(?<![.,:;!?)])[.,:;!?)]+$/, ''))
  const given = Array.isArray(sites) && sites.length > 0 ? sites.map(String) : named
  const urls = given.map((one) => URL.parse(one) ?? refuse(`${one.slice(0, 100)} is no address.`))
  const origins = [...new Set(urls.map((url) => url.origin))]
  if (origins.length === 0) refuse('Which site? Put its address into the task.')
  if (origins.length > maxSites) refuse(`A task can have ${maxSites} sites at most.`)
  const [first] = urls
  return {
    order: {
      task,
      sites: origins,
      strategy: oneOf(strategy, strategies, 'hybrid'),
      ...(first && { start: first.href }),
      ...(typeof document === 'string' && { document }),
    },
    mode: oneOf(mode, ['deterministic', 'model'] as const, 'deterministic'),
  }
}

function oneOf<T extends string>(value: Json | undefined, allowed: readonly T[], usual: T): T {
  if (value === undefined || value === null) return usual
  return allowed.find((one) => one === value) ?? refuse(`“${String(value).slice(0, 40)}” is none of: ${allowed.join(', ')}.`)
}
