/** Pools of one worker thread for work that outsiders can make long. Each process has one pool per module. */
import path from 'node:path'
import Tinypool from 'tinypool'

export type ThreadLimits = {
  readonly maxOldGenerationSizeMb: number
  readonly maxYoungGenerationSizeMb: number
  readonly stackSizeMb: number
}

// The bundler creates several instances of this module. The process needs one pool per module.
const holder = globalThis as typeof globalThis & { parleyThreadPools?: Map<string, Tinypool> }

/** `file`: the module of the thread, from the root of the project. The thread starts with the first task and ends when idle for 1 s. */
export function sharedThreadPool(file: string, resourceLimits?: ThreadLimits): Tinypool {
  holder.parleyThreadPools ??= new Map()
  const pools = holder.parleyThreadPools
  const pool = pools.get(file) ?? createPool(file, resourceLimits)
  pools.set(file, pool)
  return pool
}

function createPool(file: string, resourceLimits?: ThreadLimits): Tinypool {
  return new Tinypool({
    filename: path.join(process.cwd(), file),
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 1_000,
    env: {},
    execArgv: [],
    ...(resourceLimits && { resourceLimits }),
  })
}
