/** Runs one web task: asks the step chooser for each step, does it, and records it in a journal. */
import { callApi } from './api/call-api.ts'
import { discoverApi, fetchRobotsRules } from './api/discover-api-and-robots-rules.ts'
import type { Api } from './api/parse-openapi.ts'
import type { BrowserTab } from './browser/browser-tab.ts'
import type { SharedBrowser } from './browser/shared-browser.ts'
import type { EgressPolicy, Lookup } from './egress/egress-policy.ts'
import { systemLookupAll } from './egress/egress-policy.ts'
import { createSiteClient, type OriginThrottle, type SiteClient } from './egress/site-client.ts'
import type { StepChooserInput } from './step-choosers/deterministic-step-chooser.ts'
import { failedOutcome, type Outcome, type Step, type StepChoice, type StepChooser, type StepResult, type Strategy } from './steps/step.ts'
import { parseWebTask } from './task/parse-web-task.ts'

export type WebTaskInput = {
  readonly task: string
  /** Origins: the task's site first, then others that it may use. */
  readonly sites: readonly string[]
  readonly strategy: Strategy
  /** First URL to browse; default: the root of the first site. */
  readonly start?: string | undefined
  /** URL of the API's OpenAPI document, if it is known. */
  readonly document?: string | undefined
  readonly signal?: AbortSignal | undefined
}
export type WebTaskDependencies = {
  readonly browser: SharedBrowser
  readonly pace: OriginThrottle
  /** Origins inside this machine's network that are allowed. */
  readonly local: readonly string[]
  readonly stepChooserFor: (situation: StepChooserInput) => StepChooser
  readonly limits?: Partial<WebTaskLimits>
  readonly lookup?: Lookup
}
export type WebTaskLimits = {
  readonly steps: number
  readonly ms: number
  readonly bytes: number
  readonly downloads: number
  readonly downloadBytes: number
}
const timeoutReason = 'The task took too long.'
const usualLimits: WebTaskLimits = { steps: 30, ms: 180_000, bytes: 50 * 2 ** 20, downloads: 3, downloadBytes: 5 * 2 ** 20 }

/** `what`: the step, `came`: its result, in a few words. */
export type JournalEntry = { readonly kind: 'browse' | 'api'; readonly what: string; readonly came: string; readonly ms: number }
export type WebTaskReport = {
  readonly task: string
  readonly sites: readonly string[]
  readonly strategy: Strategy
  readonly api: string | null
  readonly outcome: Outcome
  readonly steps: { readonly browse: number; readonly api: number }
  readonly ms: number
  readonly journal: readonly JournalEntry[]
  /** Requests of the task, or of its pages, that were refused. */
  readonly refused: readonly string[]
}

type State = {
  readonly input: WebTaskInput
  readonly dependencies: WebTaskDependencies
  readonly limits: WebTaskLimits
  readonly guard: EgressPolicy
  readonly ask: SiteClient
  /** Aborted at the time limit, or by the caller. */
  readonly until: AbortSignal
  readonly api: Api | undefined
  readonly mayChange: boolean
  readonly journal: JournalEntry[]
  readonly refused: string[]
  tab: Promise<BrowserTab> | undefined
}

/** Runs the task within its limits. A task that fails has the reason in `outcome`. */
export async function runWebTask(input: WebTaskInput, dependencies: WebTaskDependencies): Promise<WebTaskReport> {
  const startedAt = performance.now()
  const state = await createState(input, dependencies)
  try {
    const timeout = new Promise<Outcome>((resolve) =>
      state.until.addEventListener('abort', () => resolve(failedOutcome(timeoutReason)), { once: true }),
    )
    const outcome = await Promise.race([followStepChooser(state), timeout])
    return await report(state, outcome, Math.round(performance.now() - startedAt))
  } finally {
    await (await state.tab?.catch(() => undefined))?.close()
  }
}

async function createState(input: WebTaskInput, dependencies: WebTaskDependencies): Promise<State> {
  const limits = { ...usualLimits, ...dependencies.limits }
  const { task, sites, strategy } = input
  const guard: EgressPolicy = { sites, local: dependencies.local, lookup: dependencies.lookup ?? systemLookupAll }
  const ask = createSiteClient(guard, dependencies.pace)
  const until = AbortSignal.any([AbortSignal.timeout(limits.ms), ...(input.signal ? [input.signal] : [])])
  const api = strategy === 'browse' ? undefined : await discoverApi(sites[0] ?? '', ask, input.document)
  const mayChange = !isQuestion(task)
  return { input, dependencies, limits, guard, ask, until, api, mayChange, journal: [], refused: [], tab: undefined }
}

async function report({ input, api, journal, refused, tab }: State, outcome: Outcome, ms: number): Promise<WebTaskReport> {
  const { task, sites, strategy } = input
  const count = (kind: JournalEntry['kind']) => journal.filter((one) => one.kind === kind).length
  const allRefused = [...new Set([...refused, ...((await tab)?.refused() ?? [])])].slice(0, 100)
  return {
    task,
    sites,
    strategy,
    api: api?.title ?? null,
    outcome,
    steps: { browse: count('browse'), api: count('api') },
    ms,
    journal,
    refused: allRefused,
  }
}

async function followStepChooser(state: State): Promise<Outcome> {
  const { input, dependencies, limits, until, api, journal, refused } = state
  const { task, strategy, sites } = input
  const choose = dependencies.stepChooserFor({ task, start: input.start ?? `${sites[0] ?? ''}/`, strategy, api })
  let move: StepChoice = await choose(null)
  while (move.kind !== 'finish') {
    if (journal.length >= limits.steps) return failedOutcome(`The task took more than ${limits.steps} steps.`)
    if (until.aborted) return failedOutcome(timeoutReason)
    const startedAt = performance.now()
    const result = await performStep(state, move)
    const ms = Math.round(performance.now() - startedAt)
    journal.push({ kind: move.kind, what: describeStep(move, api), came: describeResult(result), ms })
    if ('refused' in result) refused.push(result.refused)
    move = await choose(result)
  }
  return move.outcome
}

async function performStep(state: State, step: Step): Promise<StepResult> {
  const { input, api, mayChange, ask, until } = state
  if (step.kind === 'api')
    return input.strategy === 'browse'
      ? { refused: 'This task is done by browsing only.' }
      : callApi({ api, mayChange, ask, signal: until }, step)
  if (input.strategy === 'api') return { refused: 'This task is done by API only.' }
  state.tab ??= openTab(state)
  return (await state.tab).perform(step)
}

async function openTab({ input, dependencies, limits, guard, ask, mayChange }: State): Promise<BrowserTab> {
  const robots = new Map(await Promise.all(input.sites.map(async (site) => [site, await fetchRobotsRules(site, ask)] as const)))
  const mayVisit = ({ origin, pathname, search }: URL) => robots.get(origin)?.(pathname + search) ?? false
  const { bytes: maxBytes, downloads: maxDownloads, downloadBytes: maxDownloadBytes } = limits
  return dependencies.browser.openTab(guard, { mayChange, mayVisit, maxBytes, maxDownloads, maxDownloadBytes })
}

const questions = ['count', 'name', 'value', 'sum', 'average']
const asking = /^(?:tell|find|list|show|look|read|check|name|get|search|compare|when|where|why|is|are|does|do|did|has|have|can)$/

/** Whether the task only asks. Then nothing may be changed, even if a page or a model decides so. */
export function isQuestion(task: string): boolean {
  const intents = parseWebTask(task)
  return intents?.every((one) => questions.includes(one.do) || (one.do === 'act' && asking.test(one.verb))) ?? false
}

function describeStep(step: Step, api: Api | undefined): string {
  if (step.kind === 'api') {
    const operation = api?.operations.find((one) => one.id === step.operation)
    return `${operation ? `${operation.method} ${operation.path}` : step.operation} ${JSON.stringify(step.args)}`.slice(0, 300)
  }
  if (step.act === 'goto') return `go to ${step.url}`
  if (step.act === 'back') return 'go back'
  return `${step.act} “${step.name}”${'value' in step ? ` with “${step.value}”` : ''}`.slice(0, 300)
}

function describeResult(seen: StepResult): string {
  if ('refused' in seen) return seen.refused
  return 'reply' in seen ? `status ${seen.reply.status}` : `${seen.page.title} (${seen.page.url})`.slice(0, 200)
}
