/** Runs one web task to its end: asks the policy, does what it says, and writes down each step. */
import { callApi } from './api/api-client.ts'
import type { Api } from './api/openapi.ts'
import { findApi, findRobots } from './api/site-rules.ts'
import type { BrowserTab } from './browser/browser-tab.ts'
import type { Browsers } from './browser/browsers.ts'
import type { EgressPolicy, Lookup } from './egress/egress-policy.ts'
import { systemLookupAll } from './egress/egress-policy.ts'
import { createSiteClient, type OriginThrottle } from './egress/site-client.ts'
import type { PolicyInput } from './policies/deterministic-policy.ts'
import { failed, type Outcome, type Policy, type PolicyMove, type Step, type StepResult, type Strategy } from './steps/step.ts'
import { parseTask } from './task/intent.ts'

export type WebTaskInput = {
  readonly task: string
  /** The site that the task is about first, then others that it may touch. Origins. */
  readonly sites: readonly string[]
  readonly strategy: Strategy
  /** Where browsing begins; the first page of the first site where nothing is said. */
  readonly start?: string | undefined
  /** Where the API's document is, if that is known. */
  readonly document?: string | undefined
  readonly signal?: AbortSignal | undefined
}
export type WebTaskDependencies = {
  readonly browsers: Browsers
  readonly pace: OriginThrottle
  /** Origins on this machine or its network that may be gone to. */
  readonly local: readonly string[]
  readonly policyFor: (situation: PolicyInput) => Policy
  readonly limits?: Partial<Limits>
  readonly lookup?: Lookup
}
export type Limits = {
  readonly steps: number
  readonly ms: number
  readonly bytes: number
  readonly downloads: number
  readonly downloadBytes: number
}
const usualLimits: Limits = { steps: 30, ms: 180_000, bytes: 50 * 2 ** 20, downloads: 3, downloadBytes: 5 * 2 ** 20 }

/** `came`: what came of it, in a few words. */
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
  /** What the task, or a page that it saw, asked for and was not let. */
  readonly refused: readonly string[]
}

export async function runWebTask(order: WebTaskInput, means: WebTaskDependencies): Promise<WebTaskReport> {
  const begun = performance.now()
  const limits = { ...usualLimits, ...means.limits }
  const { task, sites, strategy } = order
  const guard: EgressPolicy = { sites, local: means.local, lookup: means.lookup ?? systemLookupAll }
  const ask = createSiteClient(guard, means.pace)
  const until = AbortSignal.any([AbortSignal.timeout(limits.ms), ...(order.signal ? [order.signal] : [])])
  const [home = ''] = sites
  const api = strategy === 'browse' ? undefined : await findApi(home, ask, order.document)
  const mayChange = !isQuestion(task)
  const journal: JournalEntry[] = []
  const refused: string[] = []
  let tab: Promise<BrowserTab> | undefined

  const openTab = async (): Promise<BrowserTab> => {
    const robots = new Map(await Promise.all(sites.map(async (site) => [site, await findRobots(site, ask)] as const)))
    const mayVisit = ({ origin, pathname, search }: URL) => robots.get(origin)?.(pathname + search) ?? false
    const { bytes: maxBytes, downloads: maxDownloads, downloadBytes: maxDownloadBytes } = limits
    return means.browsers.open(guard, { mayChange, mayVisit, maxBytes, maxDownloads, maxDownloadBytes })
  }

  async function perform(step: Step): Promise<StepResult> {
    if (step.kind === 'api')
      return strategy === 'browse' ? { refused: 'This task is done by browsing only.' } : callApi(api, step, mayChange, ask, until)
    if (strategy === 'api') return { refused: 'This task is done by API only.' }
    tab ??= openTab()
    return (await tab).perform(step)
  }

  async function follow(): Promise<Outcome> {
    const policy = means.policyFor({ task, start: order.start ?? `${home}/`, strategy, api })
    let move: PolicyMove = await policy(null)
    while (move.kind !== 'finish') {
      if (journal.length >= limits.steps) return failed(`The task took more than ${limits.steps} steps.`)
      if (until.aborted) return failed('The task took too long.')
      const at = performance.now()
      const seen = await perform(move)
      journal.push({ kind: move.kind, what: told(move, api), came: cameOf(seen), ms: Math.round(performance.now() - at) })
      if ('refused' in seen) refused.push(seen.refused)
      move = await policy(seen)
    }
    return move.outcome
  }

  try {
    const cut = new Promise<Outcome>((resolve) =>
      until.addEventListener('abort', () => resolve(failed('The task took too long.')), { once: true }),
    )
    const outcome = await Promise.race([follow(), cut])
    const steps = { browse: journal.filter((one) => one.kind === 'browse').length, api: journal.filter((one) => one.kind === 'api').length }
    const all = [...new Set([...refused, ...((await tab)?.refused() ?? [])])].slice(0, 100)
    return {
      task,
      sites,
      strategy,
      api: api?.title ?? null,
      outcome,
      steps,
      ms: Math.round(performance.now() - begun),
      journal,
      refused: all,
    }
  } finally {
    await (await tab?.catch(() => undefined))?.close()
  }
}

const questions = ['count', 'name', 'value', 'sum', 'average']
const asking = /^(?:tell|find|list|show|look|read|check|name|get|search|compare|when|where|why|is|are|does|do|did|has|have|can)$/

/** A task that only asks changes nothing, whatever a page or a model makes of it. */
export function isQuestion(task: string): boolean {
  const intents = parseTask(task)
  return intents?.every((one) => questions.includes(one.do) || (one.do === 'act' && asking.test(one.verb))) ?? false
}

function told(step: Step, api: Api | undefined): string {
  if (step.kind === 'api') {
    const operation = api?.operations.find((one) => one.id === step.operation)
    return `${operation ? `${operation.method} ${operation.path}` : step.operation} ${JSON.stringify(step.args)}`.slice(0, 300)
  }
  if (step.act === 'goto') return `go to ${step.url}`
  if (step.act === 'back') return 'go back'
  return `${step.act} “${step.name}”${'value' in step ? ` with “${step.value}”` : ''}`.slice(0, 300)
}

function cameOf(seen: StepResult): string {
  if ('refused' in seen) return seen.refused
  return 'reply' in seen ? `status ${seen.reply.status}` : `${seen.page.title} (${seen.page.url})`.slice(0, 200)
}
