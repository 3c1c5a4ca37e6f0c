/**
 * Strangers' Markdown as a tree of elements, made outside of the thread that answers requests. The parser takes linear time; where
 * it takes too long all the same, or breaks, its thread is ended and the text is shown as it stands.
 */
import { hash } from 'node:crypto'
import path from 'node:path'
import { limits } from '@parley/protocol'
import Tinypool from 'tinypool'
import { createFairQueue, type QueueLimits } from './fair-queue.ts'
import type { MarkdownNode } from './markdown-tree.ts'

/** `tree`: null where the text is to be shown as it stands. `isBusy`: only for now, because too many texts wait; it can be asked again. */
export type Formatted = { readonly tree: readonly MarkdownNode[] | null; readonly isBusy: boolean }
const busy: Formatted = { tree: null, isBusy: true }
const asItStands: Formatted = { tree: null, isBusy: false }

/** Of one text, once it has a thread. The parser needs less than 50 ms for the longest; the rest is for a busy machine. */
const deadlineMs = 400
/** The first thread of a process has to load the parser. */
const startWithinMs = 10_000
const maxThreads = 2
/** UTF-16 units of the texts that wait for a thread: about a second's work, and what one source may have of it. */
const maxWaiting: QueueLimits = { together: 2_097_152, ofSource: 524_288 }
/** Bytes of the texts' trees that the cache holds, and how many texts. */
const maxCachedBytes = 8_388_608
const maxCached = 4_096
/** A text that broke its thread or took too long is not tried again before: it may have been the machine, and it costs a thread. */
const failureKeptMs = 600_000

/** `until`: of a failure; in the milliseconds of `performance.now()`. */
type CachedTree = { readonly tree: Formatted['tree']; readonly bytes: number; readonly until: number }
export type MarkdownFormatter = {
  /** `source`: who asks; the sources take turns. Never throws. */
  format(text: string, source: string): Promise<Formatted>
  close(): Promise<void>
}

/** `file`: the module of the thread. `withinMs`: what one text is given, once it has a thread. */
export function createMarkdownFormatter(
  file = path.join(process.cwd(), 'server', 'markdown', 'worker.ts'),
  withinMs = deadlineMs,
): MarkdownFormatter {
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
  const parse = (text: string, limitMs: number): Promise<Formatted['tree']> =>
    pool.run(text, { name: 'parse', signal: AbortSignal.timeout(limitMs) })
  const ready: Promise<unknown> = parse('', startWithinMs).catch(() => undefined)
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

  async function format(text: string, source: string): Promise<Formatted> {
    if (text.length > limits.markdownLength) return asItStands
    const key = keyOf(text)
    const found = kept.get(key)
    if (found && performance.now() < found.until) {
      cache(key, found)
      return { tree: found.tree, isBusy: false }
    }
    await ready
    // Its time begins with its turn: a text that has waited for others is not ended for that.
    if (!(await threads.take(source, text.length))) return busy
    try {
      const tree = await parse(text, withinMs)
      cache(key, { tree, bytes: Buffer.byteLength(JSON.stringify(tree)), until: Number.POSITIVE_INFINITY })
      return { tree, isBusy: false }
    } catch {
      cache(key, { tree: null, bytes: 0, until: performance.now() + failureKeptMs })
      return asItStands
    } finally {
      threads.give()
    }
  }
  return { format, close: () => pool.destroy() }
}

function keyOf(text: string): string {
  return hash('sha256', text, 'base64')
}

// The bundler makes several instances of a module; the process needs one pool.
const holder = globalThis as typeof globalThis & { parleyMarkdown?: MarkdownFormatter }

/** The process's own, made at the first text. */
export function getMarkdownFormatter(): MarkdownFormatter {
  holder.parleyMarkdown ??= createMarkdownFormatter()
  return holder.parleyMarkdown
}
