/**
 * Parses untrusted Markdown into a tree of elements, in a worker thread. If parsing fails or takes too long, the thread is ended and the
 * text is shown unformatted.
 */
import { hash } from 'node:crypto'
import path from 'node:path'
import { limits } from '@parley/protocol'
import Tinypool from 'tinypool'
import { createFairQueue, type QueueLimits } from '../threads/fair-queue.ts'
import { withinProcessorTime } from '../threads/processor-time-limit.ts'
import type { MarkdownNode } from './markdown-tree.ts'

/** `tree`: null if the text is to be shown unformatted. `isBusy`: the queue is full; a later request may succeed. */
export type ParsedMarkdown = { readonly tree: readonly MarkdownNode[] | null; readonly isBusy: boolean }
const busy: ParsedMarkdown = { tree: null, isBusy: true }
const asItStands: ParsedMarkdown = { tree: null, isBusy: false }

/** The limit per text in the worker, in processor time. The longest text needs less than 50 ms. */
const deadlineMs = 400
/** The first thread of a process has to load the parser. */
const startWithinMs = 10_000
const maxThreads = 2
/** The maximum length of waiting texts in UTF-16 units: about one second of work, and the share of one source. */
const maxWaiting: QueueLimits = { together: 2_097_152, ofSource: 524_288 }
/** The maximum size of the cache, in bytes and in texts. */
const maxCachedBytes = 8_388_608
const maxCached = 4_096
/** How long a failed text is not retried. The machine may have been the cause, and each failure costs a thread. */
const failureKeptMs = 600_000

/** `until`: expiry of a failure, in milliseconds of `performance.now()`. */
type CachedTree = { readonly tree: ParsedMarkdown['tree']; readonly bytes: number; readonly until: number }
export type MarkdownParser = {
  /** `source`: the caller; sources are served round-robin. Never throws. */
  parse(text: string, source: string): Promise<ParsedMarkdown>
  close(): Promise<void>
}

/** `file`: the module of the worker. `withinMs`: the limit of processor time per text. */
export function createMarkdownParser(
  file = path.join(process.cwd(), 'server', 'markdown', 'worker.ts'),
  withinMs = deadlineMs,
): MarkdownParser {
  const kept = new Map<string, CachedTree>()
  let keptBytes = 0
  const pool = new Tinypool({
    filename: file,
    runtime: 'worker_threads',
    minThreads: 1,
    maxThreads,
    idleTimeout: 60_000,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
  })
  async function parseInWorker(text: string, limitMs: number): Promise<ParsedMarkdown['tree']> {
    return withinProcessorTime(limitMs, (signal) => pool.run(text, { name: 'parse', signal }))
  }
  const ready: Promise<unknown> = parseInWorker('', startWithinMs).catch(() => undefined)
  const threads = createFairQueue(maxThreads, maxWaiting)

  function forget(key: string): void {
    keptBytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  function cache(key: string, entry: CachedTree): void {
    forget(key)
    kept.set(key, entry)
    keptBytes += entry.bytes
    for (const oldest of kept.keys()) {
      if (kept.size <= maxCached && keptBytes <= maxCachedBytes) break
      forget(oldest)
    }
  }

  async function parse(text: string, source: string): Promise<ParsedMarkdown> {
    if (text.length > limits.markdownLength) return asItStands
    const key = keyOf(text)
    const found = kept.get(key)
    if (found && performance.now() < found.until) {
      cache(key, found)
      return { tree: found.tree, isBusy: false }
    }
    await ready
    // The time limit starts when the text leaves the queue.
    if (!(await threads.take(source, text.length))) return busy
    try {
      const tree = await parseInWorker(text, withinMs)
      cache(key, { tree, bytes: Buffer.byteLength(JSON.stringify(tree)), until: Number.POSITIVE_INFINITY })
      return { tree, isBusy: false }
    } catch {
      cache(key, { tree: null, bytes: 0, until: performance.now() + failureKeptMs })
      return asItStands
    } finally {
      threads.give()
    }
  }
  return { parse, close: () => pool.destroy() }
}

function keyOf(text: string): string {
  return hash('sha256', text, 'base64')
}

// The bundler creates several instances of this module. The process needs one pool.
const holder = globalThis as typeof globalThis & { parleyMarkdown?: MarkdownParser }

/** The parser of this process, created for the first text. */
export function getMarkdownParser(): MarkdownParser {
  holder.parleyMarkdown ??= createMarkdownParser()
  return holder.parleyMarkdown
}
