import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import type { WorkerOptions } from './run-worker.ts'

/** A process that has loaded its code and waits for its commands. */
export type WorkerProcess = {
  begin(orders: WorkerOptions): void
  /** The failpoint at which it ended itself; null while it works, or if another process ended it. */
  readonly diedAt: () => string | null
  readonly isWorking: () => boolean
  /** The number of clock adjustments. */
  readonly jumps: () => number
  /** The number of its rounds with the chain. */
  readonly rounds: () => number
  readonly hasEnded: () => boolean
  kill(): Promise<void>
}

/** Warnings and errors of all workers of the last run. */
export const workerLog = path.join(import.meta.dirname, '../../.parley/test/settlement-workers.log')
/** The compile cache is shared by all workers. */
const cache = path.join(import.meta.dirname, '../../.parley/test/compiled')

export function startWorkerProcess(): WorkerProcess {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'run-worker.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  })
  let output = ''
  let hasEnded = false
  child.stdin.on('error', () => {})
  readline.createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) fs.appendFileSync(workerLog, `${line}\n`)
    else output += `${line}\n`
  })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      hasEnded = true
      resolve()
    })
  })
  return {
    begin: (orders) => {
      child.stdin.write(`${JSON.stringify(orders)}\n`)
    },
    diedAt: () => /died (\w+)/.exec(output)?.[1] ?? null,
    isWorking: () => output.includes('working') && !hasEnded,
    jumps: () => output.split('jumped').length - 1,
    rounds: () => output.split('round').length - 1,
    hasEnded: () => hasEnded,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
