import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { say } from '../install/terminal-output.mjs'
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

/** Starts the service, and restarts it with back-off whenever it ends. */
export function supervise(service: Service, processFolders: ProcessFolders): Running {
  const { runDir, firstDelayMs = 500 } = processFolders
  const logFile = logFileOf(processFolders, service.name)
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  let stopping = false
  let delay = firstDelayMs
  let timer: NodeJS.Timeout | undefined

  async function launch(): Promise<void> {
    const begun = Date.now()
    const log = openLog(logFile)
    const started = service.spawn(log)
    fs.closeSync(log)
    child = started
    let isUp = false
    const failure = new Promise<string>((tell) => {
      started.once('error', (error) => tell(error.message))
      started.once('exit', (code, by) => tell(by ?? `exit code ${code}`))
    })
    ended = failure.then((how) => {
      if (started.pid !== undefined) signalGroup(started.pid, 'SIGKILL')
      forgetRecord(runDir, service.name)
      child = undefined
      if (isUp && !stopping) again(how, Date.now() - begun)
    })
    if (started.pid !== undefined) writeRecord(runDir, service.name, started.pid)
    const how = await Promise.race([
      service.ready(started).then(
        () => null,
        (error: Error) => error.message,
      ),
      failure,
    ])
    if (how === null) isUp = true
    else {
      if (child) signal(started.pid ?? 0, 'SIGKILL')
      await ended
      throw new ToolFailure(`${service.name} did not start: ${how}.\n${lastLines(logFile)}\nThe whole log: ${logFile}`)
    }
  }

  function again(how: string, livedMs: number): void {
    if (livedMs > healthyMs) delay = firstDelayMs
    say(`  ${service.name} ended (${how}); starting it again in ${delay / 1_000} s. Its log: ${path.relative(process.cwd(), logFile)}`)
    timer = setTimeout(() => {
      launch().then(
        () => say(`  ${service.name} is back`),
        () => {
          if (!stopping) again('it did not come up', 0)
        },
      )
    }, delay)
    delay = Math.min(delay * 2, longestDelayMs)
  }

  async function stop(): Promise<void> {
    stopping = true
    clearTimeout(timer)
    if (child?.pid === undefined) return
    const { pid } = child
    signal(pid, service.stopSignal ?? 'SIGTERM')
    const force = setTimeout(() => signal(pid, 'SIGKILL'), service.graceMs ?? 8_000)
    await ended
    clearTimeout(force)
  }

  function kill(): void {
    stopping = true
    clearTimeout(timer)
    if (child?.pid !== undefined) signal(child.pid, 'SIGKILL')
  }

  return { name: service.name, ready: launch(), stop, kill }
}

function openLog(file: string): number {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > logLimit) fs.renameSync(file, `${file}.1`)
  const log = fs.openSync(file, 'a')
  fs.writeSync(log, `--- ${new Date().toISOString()} ---\n`)
  return log
}
