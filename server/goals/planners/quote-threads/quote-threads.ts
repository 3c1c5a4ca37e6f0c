/**
 * Reads goals with the built-in planner in worker threads. A text that takes too long ends its thread, so that no text can block the
 * process. Sources are served round-robin.
 */
import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import Tinypool from 'tinypool'
import type { ExampleGoals, ExampleRequest } from '../../../../agents/builtin/planner/quote/examples/find-example-goals.ts'
import type { GoalQuote, QuoteRequest } from '../../../../agents/builtin/planner/quote/quote-goal.ts'
import { createFairQueue, type QueueLimits } from '../../../threads/fair-queue.ts'
import { limitProcessorTime } from '../../../threads/processor-time-limit.ts'
import { planningOverloaded, planningTooSlow } from '../../errors.ts'

/** The limit of one goal in the worker, in processor time. The slowest known text needs 400 ms. */
const deadlineMs = 5_000
/** The first thread of a process has to load the planner and its tools. */
const startWithinMs = 60_000
const maxThreads = 2
/** The maximum number of waiting goals, in total and of one source. */
const maxWaiting: QueueLimits = { together: 64, ofSource: 16 }

export type QuoteThreads = {
  /** `source`: the caller. @throws goal.planning_overloaded, goal.planning_too_slow */
  quote(request: QuoteRequest, source: string): Promise<GoalQuote>
  /** As `quote`, for the example goals of a skill. */
  findExamples(request: ExampleRequest, source: string): Promise<ExampleGoals>
  /** Loads the planner into the first thread. A failure is left to the first goal. */
  warmUp(): Promise<void>
  close(): Promise<void>
}

/** `file`: the module of the worker. `withinMs`: the limit of processor time per goal. */
export function createQuoteThreads(
  file = path.join(process.cwd(), 'server', 'goals', 'planners', 'quote-threads', 'quote-worker.ts'),
  withinMs = deadlineMs,
): QuoteThreads {
  const pool = new Tinypool({
    filename: file,
    runtime: 'worker_threads',
    minThreads: 1,
    maxThreads,
    idleTimeout: 60_000,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  const slots = createFairQueue(maxThreads, maxWaiting)

  async function run<Answer>(name: 'quote' | 'examples' | 'warmUp', request: unknown, source: string): Promise<Answer> {
    if (!(await slots.take(source, 1))) throw planningOverloaded()
    const limit = limitFrom(withinMs)
    try {
      return await pool.run({ request, started: limit.started }, { name, signal: limit.signal, transferList: [limit.started] as never })
    } catch (error) {
      throw limit.signal.aborted ? planningTooSlow() : error
    } finally {
      limit.end()
      slots.give()
    }
  }

  return {
    quote: (request, source) => run('quote', request, source),
    findExamples: (request, source) => run('examples', request, source),
    warmUp: () => run<void>('warmUp', null, 'start').catch(() => undefined),
    close: () => pool.destroy(),
  }
}

/** A limit of processor time that begins when a thread sends a message to `started`. Until then, the limit of a new thread applies. */
function limitFrom(withinMs: number) {
  const { port1, port2: started } = new MessageChannel()
  const abort = new AbortController()
  const start = setTimeout(() => abort.abort(), startWithinMs)
  let endLimit = () => clearTimeout(start)
  port1.once('message', () => {
    clearTimeout(start)
    endLimit = limitProcessorTime(abort, withinMs)
  })
  const end = () => {
    endLimit()
    port1.close()
  }
  return { started, signal: abort.signal, end }
}

// The bundler creates several instances of this module. The process needs one pool.
const holder = globalThis as typeof globalThis & { parleyQuotes?: QuoteThreads }

/** The threads of this process, started for the first goal or by `warmUp`. */
export function getQuoteThreads(): QuoteThreads {
  holder.parleyQuotes ??= createQuoteThreads()
  return holder.parleyQuotes
}
