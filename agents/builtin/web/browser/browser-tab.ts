/** One task's tab: does browse steps and tells what the page looks like afterwards. */
import { readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Download as BrowserDownload, Page as BrowserPage, Route } from 'playwright-core'
import { type EgressPolicy, findUrlViolation } from '../egress/egress-policy.ts'
import type { EgressProxy } from '../egress/egress-proxy.ts'
import { type OriginThrottle, userAgent } from '../egress/site-client.ts'
import { type AriaNode, buildTree } from '../steps/accessibility-tree.ts'
import type { BrowseStep, Download, StepResult } from '../steps/step.ts'

export type BrowserTabRules = {
  /** Whether the task lets anything be changed; a question does not. */
  readonly mayChange: boolean
  readonly mayVisit: (url: URL) => boolean
  readonly maxBytes: number
  readonly maxDownloads: number
  readonly maxDownloadBytes: number
}
export type BrowserTab = { perform(step: BrowseStep): Promise<StepResult>; refused(): readonly string[]; close(): Promise<void> }

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
/** How long after a click its request may begin. */
const beginMs = 60
/** How long a page may go on loading what it shows, after it has loaded; it has done so once nothing was under way for a moment. */
const settleMs = 1_500
const calmMs = 25
/** Scripts can nest elements deeper than a stack is. */
const maxDepth = 400

export async function createBrowserTab({ context, proxy, guard, rules, pace, done }: Parts): Promise<BrowserTab> {
  const refused: string[] = []
  const downloads: Download[] = []
  const saving: Promise<void>[] = []
  let under = 0
  let navigations = 0
  /** Told of each request that begins or ends. */
  const watchers = new Set<() => void>()
  const changed = () => {
    for (const look of watchers) look()
  }
  /** Why the page was kept from being left, since the last step began. */
  let stopped: string | undefined

  /** First of two gates. What it doesn't see, such as where a redirect leads, the proxy does. */
  async function gate(route: Route): Promise<void> {
    const request = route.request()
    const url = request.url()
    const reason = /^(?:data|blob|about):/.test(url)
      ? undefined
      : (findUrlViolation(url, guard) ??
        (!rules.mayChange && !/^(?:GET|HEAD|OPTIONS)$/.test(request.method())
          ? 'The task asks a question, so nothing is changed for it.'
          : undefined) ??
        (request.isNavigationRequest() && !rules.mayVisit(new URL(url)) ? 'The site asks programs to stay away from there.' : undefined))
    if (!reason)
      return route.continue({ headers: { ...request.headers(), 'user-agent': `${request.headers()['user-agent'] ?? ''} ${userAgent}` } })
    if (refused.length < 100) refused.push(`${request.method()} ${url}: ${reason}`)
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) stopped = reason
    return route.abort('blockedbyclient')
  }

  context.setDefaultTimeout(actionMs)
  await context.route('**', gate)
  const page = await context.newPage()
  page.on('request', (request) => {
    under++
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) navigations++
    changed()
  })
  const less = () => {
    under--
    changed()
  }
  page.on('requestfinished', less)
  page.on('requestfailed', less)
  page.on('dialog', (dialog) => void (dialog.type() === 'prompt' ? dialog.dismiss() : dialog.accept()).catch(() => {}))
  page.on('download', (download) => saving.push(keep(download)))
  context.on('page', (other) => {
    if (other !== page) void follow(other)
  })

  /** What would open in another tab opens in this one. */
  async function follow(other: BrowserPage): Promise<void> {
    await other.waitForURL(/^http/, { timeout: 2_000, waitUntil: 'commit' }).catch(() => {})
    const url = other.url()
    await other.close().catch(() => {})
    if (/^http/.test(url)) await page.goto(url, { timeout: loadMs }).catch(() => {})
  }

  async function keep(download: BrowserDownload): Promise<void> {
    const name = download.suggestedFilename().slice(0, 200)
    if (saving.length >= rules.maxDownloads) {
      refused.push(`${name}: the task has downloaded as many files as it may.`)
      return download.cancel()
    }
    const file = await download.path().catch(() => undefined)
    if (!file) return
    const { size } = await stat(file)
    const isReadable = size <= rules.maxDownloadBytes && /\.(?:csv|tsv|txt|json|md)$/i.test(name)
    if (size > rules.maxDownloadBytes) refused.push(`${name}: ${size} bytes are more than a download may have.`)
    else downloads.push({ name, bytes: size, ...(isReadable && { text: await readFile(file, 'utf8') }) })
    await download.delete().catch(() => {})
  }

  async function act(step: BrowseStep): Promise<string | undefined> {
    if (step.act === 'goto') {
      const reason =
        findUrlViolation(step.url, guard) ??
        (rules.mayVisit(new URL(step.url)) ? undefined : 'The site asks programs to stay away from there.')
      if (reason) return reason
      await pace(new URL(step.url).origin)
      await page.goto(step.url, { timeout: loadMs })
      return undefined
    }
    if (step.act === 'back') {
      await page.goBack({ timeout: loadMs })
      return undefined
    }
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

  /** Until it has held for so long, as requests come and go; or `maxMs` have passed. */
  function holding(maxMs: number, forMs: number, holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const done = () => {
        clearTimeout(timer)
        clearTimeout(most)
        watchers.delete(look)
        resolve()
      }
      const look = () => {
        clearTimeout(timer)
        if (holds()) timer = setTimeout(done, forMs)
      }
      const most = setTimeout(done, maxMs)
      watchers.add(look)
      look()
    })
  }

  /** A click's request starts a moment after it. Then the page loads, and fetches what it shows. */
  async function settle(before: number): Promise<void> {
    await holding(beginMs, 0, () => navigations !== before)
    if (navigations !== before) await page.waitForLoadState('load', { timeout: loadMs })
    await holding(settleMs, calmMs, () => under === 0)
    const files = Promise.allSettled(saving)
    const ended = new AbortController()
    await Promise.race([files, sleep(loadMs, undefined, ended).catch(() => {})])
    ended.abort()
  }

  return {
    async perform(step) {
      try {
        const before = navigations
        stopped = undefined
        const reason = await act(step)
        if (reason) return { refused: reason }
        if (step.act === 'click' || step.act === 'press') await settle(before)
        if (stopped) await page.waitForURL(/^chrome-error:/, { timeout: 1_000, waitUntil: 'commit' }).catch(() => {})
        const isError = /^chrome-error:/.test(page.url())
        if (isError) await page.goBack({ timeout: loadMs }).catch(() => {})
        if (stopped || isError) return { refused: stopped ?? proxy.refused.at(-1) ?? 'The page does not load.' }
        const snapshot = (await page.ariaSnapshotJSON({ mode: 'ai', depth: maxDepth })) as AriaNode[]
        return { page: { url: page.url(), title: await page.title(), tree: buildTree(snapshot), downloads: [...downloads] } }
      } catch (error) {
        return {
          refused: refused.at(-1) ?? (error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 200) : 'The browser failed.'),
        }
      }
    },
    refused: () => [...refused, ...proxy.refused],
    async close() {
      await context.close().catch(() => {})
      await proxy.close()
      done()
    },
  }
}
