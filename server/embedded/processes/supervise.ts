import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { printLine } from '../install/terminal-output.mjs'
import { forgetRecord, signal, signalGroup, writeRecord } from './process-records.ts'
import { lastLines, ToolFailure } from './run-script.ts'

/** A service that runs as its own process. */
export type Service = {
  name: string
  /** Starts it detached, with its output in the log. */
  spawn: (log: number) => ChildProcess
  /** Resolves when it is ready; rejects if it cannot start. */
  ready: (child: ChildProcess) => Promise<void>
  stopSignal?: NodeJS.Signals
  graceMs?: number
}

export type Running = {
  name: string
  /** Settles once, for the first start. */
  ready: Promise<void>
  /** Stops it, and kills it after `graceMs`. */
  stop: () => Promise<void>
  /** Kills it. */
  kill: () => void
}

export type ProcessFolders = { runDir: string; logsDir: string; firstDelayMs?: number }

const logLimit = 5_000_000
const longestDelayMs = 30_000
// After this run time a service counts as healthy, and the restart delay is reset.
const healthyMs = 60_000

export function logFileOf(processFolders: ProcessFolders, name: string): string {
  return path.join(processFolders.logsDir, `${name}.log`)
}

/** The state of one supervised service. `child`: its process, while it runs. */
type Supervision = {
  readonly service: Service
  readonly runDir: string
  readonly logFile: string
  readonly firstDelayMs: number
  child: ChildProcess | undefined
  /** Resolves when the current process has ended. */
  ended: Promise<void>
  isStopping: boolean
  delayMs: number
  timer: NodeJS.Timeout | undefined
}

/** Starts the service, and restarts it with back-off whenever it ends. */
export function supervise(service: Service, processFolders: ProcessFolders): Running {
  const { runDir, firstDelayMs = 500 } = processFolders
  const supervision: Supervision = {
    service,
    runDir,
    logFile: logFileOf(processFolders, service.name),
    firstDelayMs,
    child: undefined,
    ended: Promise.resolve(),
    isStopping: false,
    delayMs: firstDelayMs,
    timer: undefined,
  }
  return { name: service.name, ready: launch(supervision), stop: () => stop(supervision), kill: () => kill(supervision) }
}

/** @throws {ToolFailure} if the process ends before it is ready */
async function launch(supervision: Supervision): Promise<void> {
  const { service, runDir, logFile } = supervision
  const begun = Date.now()
  const log = openLog(logFile)
  const started = service.spawn(log)
  fs.closeSync(log)
  supervision.child = started
  let isUp = false
  const failure = endOf(started)
  supervision.ended = failure.then((how) => {
    if (started.pid !== undefined) signalGroup(started.pid, 'SIGKILL')
    forgetRecord(runDir, service.name)
    supervision.child = undefined
    if (isUp && !supervision.isStopping) restartLater(supervision, how, Date.now() - begun)
  })
  if (started.pid !== undefined) writeRecord(runDir, service.name, started.pid)
  const how = await Promise.race([
    service.ready(started).then(
      () => null,
      (error: Error) => error.message,
    ),
    failure,
  ])
  if (how === null) {
    isUp = true
    return
  }
  if (supervision.child) signal(started.pid ?? 0, 'SIGKILL')
  await supervision.ended
  throw new ToolFailure(`${service.name} did not start: ${how}.\n${lastLines(logFile)}\nThe whole log: ${logFile}`)
}

/** Resolves to how the process ended. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, by) => resolve(by ?? `exit code ${code}`))
  })
}

function restartLater(supervision: Supervision, how: string, livedMs: number): void {
  const { service, logFile, firstDelayMs } = supervision
  if (livedMs > healthyMs) supervision.delayMs = firstDelayMs
  const seconds = supervision.delayMs / 1_000
  printLine(`  ${service.name} ended (${how}); starting it again in ${seconds} s. Its log: ${path.relative(process.cwd(), logFile)}`)
  supervision.timer = setTimeout(() => {
    launch(supervision).then(
      () => printLine(`  ${service.name} is back`),
      () => {
        if (!supervision.isStopping) restartLater(supervision, 'it did not come up', 0)
      },
    )
  }, supervision.delayMs)
  supervision.delayMs = Math.min(supervision.delayMs * 2, longestDelayMs)
}

async function stop(supervision: Supervision): Promise<void> {
  const { service, child } = supervision
  supervision.isStopping = true
  clearTimeout(supervision.timer)
  if (child?.pid === undefined) return
  const { pid } = child
  signal(pid, service.stopSignal ?? 'SIGTERM')
  const force = setTimeout(() => signal(pid, 'SIGKILL'), service.graceMs ?? 8_000)
  await supervision.ended
  clearTimeout(force)
}

function kill(supervision: Supervision): void {
  supervision.isStopping = true
  clearTimeout(supervision.timer)
  if (supervision.child?.pid !== undefined) signal(supervision.child.pid, 'SIGKILL')
}

function openLog(file: string): number {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > logLimit) fs.renameSync(file, `${file}.1`)
  const log = fs.openSync(file, 'a')
  fs.writeSync(log, `--- ${new Date().toISOString()} ---\n`)
  return log
}
