import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import type Axe from 'axe-core'
import type { RunOnly } from 'axe-core'
import { type Hex, numberToHex, type PrivateKeyAccount } from 'viem'
import { expect, onTestFinished } from 'vitest'
import { installedChromium } from '../../server/embedded/install/ensure-chromium-and-python.ts'
import { root } from '../../server/embedded/processes/run-script.ts'

const patience = 180_000

/** Of the driver's own list, which ours takes the place of, what matters to pages and to who must ask no one outside. */
const offByDriver = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]
/** Pages of the address bar that no one sees: each window would bring a process for them that works for a second. */
const offForSpeed = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** What went wrong in a page without failing it: errors in its console, and what its policy stopped. */
export type WatchedPage = { readonly page: Page; readonly faults: string[] }

export type TestBrowser = AsyncDisposable & {
  /** A fresh person's page: no cookies, no storage of another. It is closed with the test that opened it. */
  open(url: string, options?: BrowserContextOptions & { prepare?: (page: Page) => Promise<void> }): Promise<WatchedPage>
}

/** @throws where no Chromium is found, with the way to get one. */
export async function startBrowser(): Promise<TestBrowser> {
  const executablePath = await installedChromium(path.join(root, '.parley'))
  if (!executablePath)
    throw new Error('No Chromium was found. Install one (on Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path.')
  const off = `--disable-features=${[...offByDriver, ...offForSpeed].join(',')}`
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', off]
  const browser: Browser = await chromium.launch({ executablePath, args })
  return {
    async open(url, { prepare, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce', ...options })
      const faults: string[] = []
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') await keepEvidence(context, `${task.file.name}-${task.id}`, faults)
        await context.close()
      })
      context.setDefaultTimeout(patience)
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(`${message.text()} (${message.location().url}, on ${page.url()})`)
      })
      page.on('pageerror', (error) => faults.push(`${error.message} (on ${page.url()})`))
      await prepare?.(page)
      await page.goto(url)
      return { page, faults }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

/** Saves what each page of a failed test showed, and prints where: a timeout alone does not show the cause. */
async function keepEvidence(context: BrowserContext, name: string, faults: readonly string[]): Promise<void> {
  const folder = path.join(root, '.parley/test/failed')
  mkdirSync(folder, { recursive: true })
  for (const [index, page] of context.pages().entries()) {
    const file = path.join(folder, `${name.replace(/[^\w-]+/g, '_')}-${Date.now()}-${index}`)
    const saved = await Promise.all([page.screenshot({ path: `${file}.png`, timeout: 10_000 }), page.content()]).catch(() => null)
    if (saved) writeFileSync(`${file}.html`, saved[1])
    console.error(`A failed test left ${page.url()}: ${saved ? `${file}.png` : 'no screenshot could be taken'}`)
  }
  console.error('The console of its pages:', faults)
}

/** `look`: of a page that passed all rules in another theme or width, those on which theme and width have an effect. */
type Scope = 'all' | 'look'
const rulesOfLook = [
  'color-contrast',
  'link-in-text-block',
  'target-size',
  'scrollable-region-focusable',
  'region',
  'bypass',
  'button-name',
]
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * No rule of WCAG 2.2 A and AA that can be checked by a program is broken, and nothing is wider than the screen. What lasts
 * counts: a notice that passes over the page may cover something meanwhile, and so does the head of a page that is scrolled.
 * `look`: said of a failure.
 */
export async function expectAccessible(page: Page, look = '', scope: Scope = 'all'): Promise<void> {
  const where = `${page.url()} ${look}`
  await page.evaluate(() => window.scrollTo(0, 0))
  let broken = await brokenRules(page, scope)
  for (let again = 0; broken.length > 0 && again < 8; again++) {
    await setTimeout(1_000)
    broken = await brokenRules(page, scope)
  }
  expect(broken, where).toEqual([])
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(tooWide, `${where} scrolls sideways`).toBeLessThanOrEqual(0)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function brokenRules(page: Page, scope: Scope): Promise<string[]> {
  // Pages here have no frames. So one run inside the page is enough, and collects only what is broken.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const runOnly: RunOnly = scope === 'all' ? { type: 'tag', values: rules } : { type: 'rule', values: rulesOfLook }
  return page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: typeof Axe }
      const { violations } = await axe.run(document, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
    },
    // Only rules of all looks need the text of style sheets.
    { runOnly, resultTypes: ['violations' as const], preload: scope === 'all' },
  )
}

type Answer = { result: unknown } | { error: { code: number; message: string } }
export type InjectedWallet = {
  readonly account: PrivateKeyAccount
  readonly rpcUrl: string
  readonly chainId: number
  /** Whether the person accepts; asked for each signature. */
  readonly approves?: (method: string) => boolean
}

/** A person's own wallet, announced by EIP-6963. Its key stays in the test; the page only sees answers. */
export async function injectWallet(page: Page, wallet: InjectedWallet): Promise<void> {
  await page.exposeFunction('askTestWallet', (method: string, params: unknown[]) => answerFor(wallet, method, params))
  await page.addInitScript(() => {
    type Ask = (method: string, params: unknown[]) => Promise<Answer>
    const ask: Ask = (globalThis as unknown as { askTestWallet: Ask }).askTestWallet
    const provider = {
      async request({ method, params = [] }: { method: string; params?: unknown[] }) {
        const answer = await ask(method, params)
        if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
        return answer.result
      },
      on() {},
      removeListener() {},
    }
    const info = {
      uuid: crypto.randomUUID(),
      name: 'Test wallet',
      icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      rdns: 'wallet.test',
    }
    const detail = Object.freeze({ info, provider })
    const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  })
}

async function answerFor(
  { account, rpcUrl, chainId, approves = () => true }: InjectedWallet,
  method: string,
  params: unknown[],
): Promise<Answer> {
  if (/^(personal_sign|eth_signTypedData_v4|eth_requestAccounts)$/.test(method) && !approves(method))
    return { error: { code: 4001, message: 'The person said no.' } }
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      return { result: [account.address] }
    case 'eth_chainId':
      return { result: numberToHex(chainId) }
    case 'wallet_switchEthereumChain':
      return { result: null }
    case 'personal_sign':
      return { result: await account.signMessage({ message: { raw: params[0] as Hex } }) }
    case 'eth_signTypedData_v4':
      return { result: await account.signTypedData(JSON.parse(String(params[1]))) }
    default: {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return (await response.json()) as Answer
    }
  }
}

/** Counts the clicks of the mouse on all documents that the page opens from now on. */
export async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countTestClick', () => ++clicks)
  await page.addInitScript(() => {
    // A label passes its click on to its field; only the person's own click has a pointer.
    const count = (globalThis as unknown as { countTestClick: () => void }).countTestClick
    window.addEventListener('pointerdown', () => count(), { capture: true })
  })
  return () => clicks
}

/** Signs in with the wallet that the page itself offers on the local chain. */
export async function signInWithDevelopmentWallet(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Development wallet/ }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: /^Account 0x/ }).waitFor()
}

/** Signs in with the wallet that `injectWallet` announced. */
export async function signInWithTestWallet(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: /Test wallet/ }).click()
  await page.getByRole('button', { name: /^Account 0x/ }).waitFor()
}
