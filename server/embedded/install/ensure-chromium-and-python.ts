import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { acquireFileLock, type Lock } from '../processes/file-lock.ts'
import { callerEnvironment, childEnvironment } from './child-environment.mjs'
import { printLine, step } from './terminal-output.mjs'

/** Chromium without windows, which takes less processor time. Debian has it as a package. */
const aptHeadlessShell = '/usr/bin/chromium-headless-shell'
const systemPaths = [
  aptHeadlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The folders of a browser in Playwright's cache, by system. */
const cachedPlaces = [
  'chrome-linux/chrome',
  'chrome-linux64/chrome',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  'chrome-win/chrome.exe',
]

/** A Chromium for the browser tests: the caller's, the system's, or Playwright's; null if there is none. */
export function findChromium(env = callerEnvironment(), isThere: (file: string) => boolean = fs.existsSync): string | null {
  const caches = [
    env.PLAYWRIGHT_BROWSERS_PATH,
    path.join(os.homedir(), '.cache/ms-playwright'),
    path.join(os.homedir(), 'Library/Caches/ms-playwright'),
  ]
  const candidates = [env.CHROMIUM, ...systemPaths, ...caches.flatMap((dir) => browsersIn(dir))]
  return candidates.find((file) => file !== undefined && file !== '' && isThere(file)) ?? null
}

function browsersIn(dir: string | undefined): string[] {
  if (!dir || !fs.existsSync(dir)) return []
  // The last name is the newest version.
  const browsers = fs
    .readdirSync(dir)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort()
    .reverse()
  return browsers.flatMap((name) => cachedPlaces.map((place) => path.join(dir, name, place)))
}

/**
 * Installs a Chromium unless there is one, or states how to get one. `executable`: its path once `done` is fulfilled; null if there is
 * none. `installedChromium` waits until then.
 */
export function ensureChromium(stateDir: string): { executable: string | null; done: Promise<void> } {
  const taken = acquireFileLock(chromiumLock(stateDir))
  async function install(): Promise<void> {
    const lock = 'release' in taken ? taken : await lockChromium(stateDir)
    try {
      if (findChromium()) return
      for (const name of ['chromium-headless-shell', 'chromium'])
        if (await installPackages(name, [name, 'fonts-liberation'], path.join(stateDir, 'logs'))) return
      printLine(
        'No Chromium was found, so the browser tests cannot run. Install one (on Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path.',
      )
    } finally {
      lock.release()
    }
  }
  return { executable: findChromium() ?? (hasApt() ? aptHeadlessShell : null), done: install() }
}

/** A Chromium, after the installation that another process has begun; null if there is none. */
export async function installedChromium(stateDir: string): Promise<string | null> {
  const lock = await lockChromium(stateDir)
  lock.release()
  return findChromium()
}

const chromiumLock = (stateDir: string) => path.join(stateDir, 'chromium.lock')

async function lockChromium(stateDir: string): Promise<Lock> {
  for (;;) {
    const taken = acquireFileLock(chromiumLock(stateDir))
    if ('release' in taken) return taken
    await setTimeout(250)
  }
}

/** Ensures the packages of the Python library in continuous integration. Elsewhere, if they are missing, its check is reported as missing. */
export async function ensurePythonPackages(logsDir: string): Promise<boolean> {
  const isThere = () =>
    ['python3', '/usr/bin/python3'].some(
      (python) => spawnSync(python, ['-c', 'import websockets, cryptography'], { stdio: 'ignore' }).status === 0,
    )
  if (isThere()) return true
  const { CI } = callerEnvironment()
  if (CI && (await installPackages('Python packages', ['python3', 'python3-websockets', 'python3-cryptography'], logsDir))) return isThere()
  printLine('Python 3 with "websockets" and "cryptography" was not found: neither the Python library nor its quickstart is tested here.')
  return false
}

/** Whether packages can be installed: as root, on a system with apt. */
const hasApt = () => process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')

async function installPackages(title: string, names: string[], logsDir: string): Promise<boolean> {
  if (!hasApt()) return false
  const file = path.join(logsDir, 'apt.log')
  fs.mkdirSync(logsDir, { recursive: true })
  const log = fs.openSync(file, 'a')
  const apt = (...args: string[]) => runApt(args, log)
  const install = () => apt('install', '--no-install-recommends', ...names)
  const done = await step(
    (isDone) => (isDone ? `${title} installed by apt` : `${title} not installed: see ${file}`),
    async () => (await install()) || ((await apt('update')) && install()),
  )
  fs.closeSync(log)
  return done
}

function runApt(args: string[], log: number): Promise<boolean> {
  const apt = spawn('/usr/bin/apt-get', ['-y', ...args], {
    stdio: ['ignore', log, log],
    env: childEnvironment({ DEBIAN_FRONTEND: 'noninteractive' }),
    timeout: 300_000,
  })
  return new Promise((done) => {
    apt.once('error', () => done(false))
    apt.once('exit', (code) => done(code === 0))
  })
}
