import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Orders } from './run-worker.ts'

/** A process that has everything it needs in memory and waits for its orders. */
export type WorkerProcess = {
  begin(orders: Orders): void
  /** Where it ended itself; null while it works, or if another process ended it. */
  readonly diedAt: () => string | null
  readonly isWorking: () => boolean
  /** How often its clock was set. */
  readonly jumps: () => number
  /** How many rounds with the chain it has made. */
  readonly rounds: () => number
  readonly hasEnded: () => boolean
  kill(): Promise<void>
}

/** What node has compiled for one is there for the next. */
const cache = path.join(import.meta.dirname, '../../.parley/test/compiled')

export function startWorkerProcess(): WorkerProcess {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'run-worker.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  })
  let said = ''
  let hasEnded = false
  child.stdin.on('error', () => {})
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString()
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
    diedAt: () => /died (\w+)/.exec(said)?.[1] ?? null,
    isWorking: () => said.includes('working') && !hasEnded,
    jumps: () => said.split('jumped').length - 1,
    rounds: () => said.split('round').length - 1,
    hasEnded: () => hasEnded,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
