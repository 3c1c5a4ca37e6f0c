/** The browser tab of one task: does browse steps and returns the page after each. */
import { readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Download as BrowserDownload, Page as BrowserPage, Request, Route } from 'playwright-core'
import { type EgressPolicy, findUrlViolation } from '../egress/egress-policy.ts'
import type { EgressProxy } from '../egress/egress-proxy.ts'
import { type OriginThrottle, userAgent } from '../egress/site-client.ts'
import { type AriaNode, buildAccessibilityTree } from '../steps/accessibility-tree.ts'
import type { BrowseStep, Download, StepResult } from '../steps/step.ts'

export type BrowserTabRules = {
  /** Whether the task may change anything; a question may not. */
  readonly mayChange: boolean
  readonly mayVisit: (url: URL) => boolean
  readonly maxBytes: number
  readonly maxDownloads: number
  readonly maxDownloadBytes: number
}

export type BrowserTab = {
  /** Never rejects: a step that fails returns the reason. */
  perform(step: BrowseStep): Promise<StepResult>
  /** Requests and downloads that were refused, with the reasons. */
  refused(): readonly string[]
  close(): Promise<void>
}

type Parts = {
  readonly context: BrowserContext
  readonly proxy: EgressProxy
  readonly guard: EgressPolicy
  readonly rules: BrowserTabRules
  readonly pace: OriginThrottle
  readonly done: () => void
}

const actionMs = 5_000
const loadMs = 15_000
/** How long after a click its request may start. */
const requestStartMs = 60
/** How long a loaded page may load more. It is settled when no request was pending for `idleMs`. */
const settleMs = 1_500
const idleMs = 25
/** Scripts can nest elements deeper than a stack allows. */
const maxSnapshotDepth = 400
const maxRefused = 100
const awayReason = 'The site asks programs to stay away from there.'

type State = Parts & {
  readonly page: BrowserPage
  readonly refusals: string[]
  readonly downloads: Download[]
  /** Downloads that are being saved. */
  readonly saving: Promise<void>[]
  /** Called when a request starts or ends. */
  readonly watchers: Set<() => void>
  pendingRequests: number
  /** Navigations of the main frame so far. */
  navigations: number
  /** Why a navigation was refused since the last step started. */
  blockedReason: string | undefined
}

export async function createBrowserTab(parts: Parts): Promise<BrowserTab> {
  const { context, proxy, done } = parts
  context.setDefaultTimeout(actionMs)
  let state: State | undefined
  // The route is set before the page exists, so that no request avoids it.
  await context.route('**', (route) => (state ? checkRequest(state, route) : route.abort('blockedbyclient')))
  const page = await context.newPage()
  state = {
    ...parts,
    ...{ page, refusals: [], downloads: [], saving: [], watchers: new Set() },
    ...{ pendingRequests: 0, navigations: 0, blockedReason: undefined },
  }
  const tab = state
  watchPage(tab)
  return {
    perform: (step) => perform(tab, step),
    refused: () => [...tab.refusals, ...proxy.refused],
    async close() {
      await context.close().catch(() => {})
      await proxy.close()
      done()
    },
  }
}

function watchPage(state: State): void {
  const { page, context, saving } = state
  const isMainNavigation = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('request', (request) => {
    state.pendingRequests++
    if (isMainNavigation(request)) state.navigations++
    notifyWatchers(state)
  })
  const requestEnded = () => {
    state.pendingRequests--
    notifyWatchers(state)
  }
  page.on('requestfinished', requestEnded)
  page.on('requestfailed', requestEnded)
  page.on('dialog', (dialog) => void (dialog.type() === 'prompt' ? dialog.dismiss() : dialog.accept()).catch(() => {}))
  page.on('download', (download) => saving.push(saveDownload(state, download)))
  context.on('page', (other) => {
    if (other !== page) void openHere(page, other)
  })
}

function notifyWatchers({ watchers }: State): void {
  for (const watcher of watchers) watcher()
}

/** The first of two checks. The proxy checks what this one cannot see, such as the target of a redirect. */
async function checkRequest(state: State, route: Route): Promise<void> {
  const { page, refusals } = state
  const request = route.request()
  const reason = findRequestViolation(state, request)
  if (!reason)
    return route.continue({ headers: { ...request.headers(), 'user-agent': `${request.headers()['user-agent'] ?? ''} ${userAgent}` } })
  if (refusals.length < maxRefused) refusals.push(`${request.method()} ${request.url()}: ${reason}`)
  if (request.isNavigationRequest() && request.frame() === page.mainFrame()) state.blockedReason = reason
  return route.abort('blockedbyclient')
}

function findRequestViolation({ guard, rules }: State, request: Request): string | undefined {
  const url = request.url()
  if (/^(?:data|blob|about):/.test(url)) return undefined
  const violation = findUrlViolation(url, guard)
  if (violation) return violation
  if (!rules.mayChange && !/^(?:GET|HEAD|OPTIONS)$/.test(request.method())) return 'The task asks a question, so nothing is changed for it.'
  return request.isNavigationRequest() && !rules.mayVisit(new URL(url)) ? awayReason : undefined
}

/** Opens in this tab what the page opened in a new one. */
async function openHere(page: BrowserPage, other: BrowserPage): Promise<void> {
  await other.waitForURL(/^http/, { timeout: 2_000, waitUntil: 'commit' }).catch(() => {})
  const url = other.url()
  await other.close().catch(() => {})
  if (/^http/.test(url)) await page.goto(url, { timeout: loadMs }).catch(() => {})
}

async function saveDownload({ rules, saving, refusals, downloads }: State, download: BrowserDownload): Promise<void> {
  const name = download.suggestedFilename().slice(0, 200)
  if (saving.length >= rules.maxDownloads) {
    refusals.push(`${name}: the task has downloaded as many files as it may.`)
    return download.cancel()
  }
  const file = await download.path().catch(() => undefined)
  if (!file) return
  const { size } = await stat(file)
  const isReadable = size <= rules.maxDownloadBytes && /\.(?:csv|tsv|txt|json|md)$/i.test(name)
  if (size > rules.maxDownloadBytes) refusals.push(`${name}: ${size} bytes are more than a download may have.`)
  else downloads.push({ name, bytes: size, ...(isReadable && { text: await readFile(file, 'utf8') }) })
  await download.delete().catch(() => {})
}

async function perform(state: State, step: BrowseStep): Promise<StepResult> {
  const { page, proxy, refusals } = state
  try {
    const navigationsBefore = state.navigations
    state.blockedReason = undefined
    const reason = await act(state, step)
    if (reason) return { refused: reason }
    if (step.act === 'click' || step.act === 'press') await settle(state, navigationsBefore)
    if (state.blockedReason) await page.waitForURL(/^chrome-error:/, { timeout: 1_000, waitUntil: 'commit' }).catch(() => {})
    const isError = /^chrome-error:/.test(page.url())
    if (isError) await page.goBack({ timeout: loadMs }).catch(() => {})
    if (state.blockedReason || isError) return { refused: state.blockedReason ?? proxy.refused.at(-1) ?? 'The page does not load.' }
    const snapshot = (await page.ariaSnapshotJSON({ mode: 'ai', depth: maxSnapshotDepth })) as AriaNode[]
    return { page: { url: page.url(), title: await page.title(), tree: buildAccessibilityTree(snapshot), downloads: [...state.downloads] } }
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : 'The browser failed.'
    return { refused: refusals.at(-1) ?? message }
  }
}

/** Does one step. Returns why it was refused, if it was. */
async function act(state: State, step: BrowseStep): Promise<string | undefined> {
  const { page, guard, rules, pace } = state
  if (step.act === 'goto') {
    const reason = findUrlViolation(step.url, guard) ?? (rules.mayVisit(new URL(step.url)) ? undefined : awayReason)
    if (reason) return reason
    await pace(new URL(step.url).origin)
    await page.goto(step.url, { timeout: loadMs })
    return undefined
  }
  if (step.act === 'back') {
    await page.goBack({ timeout: loadMs })
    return undefined
  }
  return actOnElement(state, step)
}

async function actOnElement({ page, pace }: State, step: Extract<BrowseStep, { ref: string }>): Promise<string | undefined> {
  if (!/^(?:f\d+)?e\d+$/.test(step.ref)) return `There is no element ${step.ref}.`
  const element = page.locator(`aria-ref=${step.ref}`)
  const origin = new URL(page.url()).origin
  switch (step.act) {
    case 'click':
      await pace(origin)
      await element.click()
      return undefined
    case 'press':
      await pace(origin)
      await element.press('Enter')
      return undefined
    case 'check':
      await element.check()
      return undefined
    case 'fill':
      await element.fill(step.value)
      return undefined
    case 'select':
      await element.selectOption({ label: step.value })
      return undefined
    default:
      return step satisfies never
  }
}

/** Waits until a click's request has started, the page has loaded, and its further requests and downloads have ended. */
async function settle(state: State, navigationsBefore: number): Promise<void> {
  const hasNavigated = () => state.navigations !== navigationsBefore
  await waitUntilStable(state, { maxMs: requestStartMs, stableMs: 0 }, hasNavigated)
  if (hasNavigated()) await state.page.waitForLoadState('load', { timeout: loadMs })
  await waitUntilStable(state, { maxMs: settleMs, stableMs: idleMs }, () => state.pendingRequests === 0)
  const downloads = Promise.allSettled(state.saving)
  const timeout = new AbortController()
  await Promise.race([downloads, sleep(loadMs, undefined, timeout).catch(() => {})])
  timeout.abort()
}

/** Resolves when the condition has held for `stableMs`, checked when requests start and end; or after `maxMs`. */
function waitUntilStable(
  { watchers }: State,
  { maxMs, stableMs }: { readonly maxMs: number; readonly stableMs: number },
  condition: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    let stableTimer: NodeJS.Timeout | undefined
    const finish = () => {
      clearTimeout(stableTimer)
      clearTimeout(maxTimer)
      watchers.delete(check)
      resolve()
    }
    const check = () => {
      clearTimeout(stableTimer)
      if (condition()) stableTimer = setTimeout(finish, stableMs)
    }
    const maxTimer = setTimeout(finish, maxMs)
    watchers.add(check)
    check()
  })
}
