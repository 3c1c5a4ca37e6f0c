/**
 * Strangers' Markdown as a tree of elements, made outside of the thread that answers requests. The parser takes linear time; where
 * it takes too long all the same, or breaks, its thread is ended and the text is shown as it stands.
 */
import { hash } from 'node:crypto'
import path from 'node:path'
import { limits } from '@parley/protocol'
import Tinypool from 'tinypool'
import type { MarkdownNode } from './tree.ts'

export type Formatted = readonly MarkdownNode[] | null

/** Of one text, once it has a thread. The parser needs less than 50 ms for the longest; the rest is for a busy machine. */
const deadlineMs = 400
/** The first thread of a process has to load the parser. */
const startWithinMs = 10_000
const maxThreads = 2
/** UTF-16 units of the texts that wait for a thread: about a second's work. Beyond that a text is shown as it stands. */
const maxWaitingLength = 2_097_152
/** UTF-16 units of source that the cache may stand for, and how many texts. */
const maxCachedLength = 8_388_608
const maxCached = 4_096

type Kept = { readonly formatted: Formatted; readonly length: number }
export type MarkdownFormatter = {
  /** Null: show the text as it stands. Never throws. */
  format(text: string): Promise<Formatted>
  /** Whether the answer is at hand, so that asking costs nothing. */
  has(text: string): boolean
  close(): Promise<void>
}

/** `file`: the module of the thread. `withinMs`: what one text is given, once it has a thread. */
export function createMarkdownFormatter(
  file = path.join(process.cwd(), 'server', 'markdown', 'worker.ts'),
  withinMs = deadlineMs,
): MarkdownFormatter {
  const kept = new Map<string, Kept>()
  let keptLength = 0
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
  const parse = (text: string, limitMs: number): Promise<Formatted> =>
    pool.run(text, { name: 'parse', signal: AbortSignal.timeout(limitMs) })
  const ready: Promise<unknown> = parse('', startWithinMs).catch(() => undefined)
  const threads = createTurns(maxThreads, maxWaitingLength)

  function keep(key: string, entry: Kept): void {
    kept.set(key, entry)
    keptLength += entry.length
    for (const [oldest, { length }] of kept) {
      if (kept.size <= maxCached && keptLength <= maxCachedLength) break
      kept.delete(oldest)
      keptLength -= length
    }
  }

  async function format(text: string): Promise<Formatted> {
    if (text.length > limits.markdownLength) return null
    const key = keyOf(text)
    const found = kept.get(key)
    if (found) {
      kept.delete(key)
      kept.set(key, found)
      return found.formatted
    }
    await ready
    // Its time begins with its turn: a text that has waited for others is not ended for that.
    if (!(await threads.take(text.length))) return null
    try {
      const formatted = await parse(text, withinMs)
      if (!kept.has(key)) keep(key, { formatted, length: text.length })
      return formatted
    } catch {
      // Its time was up, or its thread broke: it is parsed again for the next reader.
      return null
    } finally {
      threads.give()
    }
  }
  return { format, has: (text) => kept.has(keyOf(text)), close: () => pool.destroy() }
}

/** So many at once; who comes later waits, where what waits is not too long already. */
function createTurns(atOnce: number, maxWaiting: number) {
  const waiting: { readonly begin: () => void; readonly length: number }[] = []
  let [running, waitingLength] = [0, 0]
  return {
    async take(length: number): Promise<boolean> {
      if (running < atOnce) {
        running++
        return true
      }
      if (waitingLength + length > maxWaiting) return false
      waitingLength += length
      await new Promise<void>((begin) => waiting.push({ begin, length }))
      return true
    },
    give(): void {
      const next = waiting.shift()
      if (!next) running--
      else {
        waitingLength -= next.length
        next.begin()
      }
    },
  }
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
