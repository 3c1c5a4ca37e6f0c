/** Chromium: one process for all tasks, started for the first tab and closed after the last one. */
import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { refuse } from '../../skill.ts'
import type { EgressPolicy } from '../egress/egress-policy.ts'
import { type EgressProxy, startEgressProxy } from '../egress/egress-proxy.ts'
import type { OriginThrottle } from '../egress/site-client.ts'
import { type BrowserTab, type BrowserTabRules, createBrowserTab } from './browser-tab.ts'

/** One Chromium process. Each tab has its own profile and its own egress proxy. */
export type SharedBrowser = {
  /** Starts Chromium if it does not run. @throws {SkillRefused} if there is no Chromium */
  openTab(guard: EgressPolicy, rules: BrowserTabRules): Promise<BrowserTab>
  close(): Promise<void>
}

const usual = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const idleMs = 60_000

const args = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--dns-prefetch-disable',
  // The browser resolves no names and opens no connection except to the proxy.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** @param executable of Chromium; default: the first one found in the usual places */
export function createSharedBrowser({
  executable,
  pace,
}: {
  readonly executable?: string | undefined
  readonly pace: OriginThrottle
}): SharedBrowser {
  let browser: Promise<Browser> | undefined
  let tabs = 0
  let leaving: NodeJS.Timeout | undefined

  async function close(): Promise<void> {
    clearTimeout(leaving)
    const old = browser
    browser = undefined
    await (await old?.catch(() => undefined))?.close()
  }

  return {
    async openTab(guard, rules) {
      clearTimeout(leaving)
      tabs++
      const done = () => {
        if (--tabs === 0) leaving = setTimeout(() => void close(), idleMs).unref()
      }
      let proxy: EgressProxy | undefined
      try {
        browser ??= launch(executable, () => {
          browser = undefined
        })
        const running = await browser
        proxy = await startEgressProxy(guard, rules.maxBytes)
        const context = await running.newContext({
          proxy: { server: proxy.url, bypass: '<-loopback>' },
          acceptDownloads: true,
          serviceWorkers: 'block',
          viewport: { width: 1280, height: 900 },
          reducedMotion: 'reduce',
        })
        return await createBrowserTab({ context, proxy, guard, rules, pace, done })
      } catch (error) {
        await proxy?.close()
        // A process that failed to start, or has ended, is not used again.
        if (!(await browser?.catch(() => undefined))?.isConnected()) browser = undefined
        done()
        throw error
      }
    },
    close,
  }
}

/** @param onDisconnect called when the process has ended. @throws {SkillRefused} if there is no Chromium */
async function launch(executable: string | undefined, onDisconnect: () => void): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  const executablePath = [executable, ...usual, chromium.executablePath()].find((file) => file && existsSync(file))
  if (!executablePath) refuse('I have no Chromium to browse with here. What a site’s API can do I can still do.')
  // Chromium’s own sandbox does not run for root.
  const chromiumSandbox = process.getuid?.() !== 0
  const running = await chromium.launch({ executablePath, chromiumSandbox, args, proxy: { server: 'http://127.0.0.1:9' } })
  running.once('disconnected', onDisconnect)
  return running
}
