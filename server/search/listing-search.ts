/** Search over all listings of the market, on an index in a thread of this process. */
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Log } from '../log.ts'
import type { EmbeddingEndpoint } from './meaning/endpoint-embedder.ts'
import type { FacetCounts, FacetQuery, SearchQuery, SearchResult } from './query/search-query.ts'
import type { SyncEvent } from './sync/index-synchronizer.ts'
import type { EmbeddingFailure, IndexStatus, SearchAnswer, SearchRequest, WorkerMessage } from './worker/worker-messages.ts'

/** `unready`: there is no index at the moment, so the caller asks PostgreSQL. `cursor`: the cursor was not made for this query. */
export type Unanswered = 'unready' | 'cursor'
export type ListingSearch = {
  /** Starts to load the index. A query also does. */
  start(): void
  search(query: SearchQuery): Promise<SearchResult | Unanswered>
  countFacets(query: FacetQuery): Promise<FacetCounts | Unanswered>
  metrics(): Promise<SearchMetrics>
  close(): Promise<void>
}
/** `seconds`: durations of answered queries, as a histogram. `unanswered`: queries that the index did not answer. */
export type SearchMetrics = IndexStatus & { readonly seconds: SearchTimes; readonly unanswered: number }
export type SearchTimes = { readonly upTo: readonly number[]; readonly counts: number[]; sum: number; count: number }

export type SearchOptions = {
  readonly url: string
  /** The market's settlement asset, which is the currency of its listings. */
  readonly asset: string
  /** The embedder of texts. Undefined: the one that is part of Parley. */
  readonly embedding?: EmbeddingEndpoint | undefined
  readonly log: Log
  /** How long a query waits for the first load before it is unanswered. Milliseconds. */
  readonly startWaitMs?: number
}

const defaultStartWaitMs = 300
/** A query that takes longer is unanswered. */
const maxAnswerMs = 2_000
const minRestartMs = 500
const maxRestartMs = 30_000
const bounds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1]

type Body<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never
/** The thread of the index and its open requests. */
type Thread = {
  readonly options: SearchOptions
  worker: Worker | null
  readonly open: Map<number, (answer: SearchAnswer | null) => void>
  lastId: number
  loaded: PromiseWithResolvers<void>
  restartMs: number
  isClosed: boolean
}

export function createListingSearch(options: SearchOptions): ListingSearch {
  const thread: Thread = {
    ...{ options, worker: null, open: new Map(), lastId: 0, restartMs: minRestartMs, isClosed: false },
    loaded: Promise.withResolvers<void>(),
  }
  const times: SearchTimes = { upTo: bounds, counts: bounds.map(() => 0), sum: 0, count: 0 }
  let unanswered = 0

  async function measured(body: Body<SearchRequest>): Promise<SearchAnswer | null> {
    start(thread)
    if (!thread.isClosed)
      await Promise.race([thread.loaded.promise, pause(options.startWaitMs ?? defaultStartWaitMs, undefined, { ref: false })])
    const begun = performance.now()
    const answer = await ask(thread, body, maxAnswerMs)
    if (answer === null || (answer.kind === 'failed' && answer.reason === 'unready')) unanswered++
    else countTime(times, (performance.now() - begun) / 1_000)
    return answer
  }
  const reasonOf = (answer: SearchAnswer | null): Unanswered => (answer?.kind === 'failed' ? answer.reason : 'unready')

  return {
    start: () => start(thread),
    async search(query) {
      const answer = await measured({ kind: 'search', query })
      return answer?.kind === 'search' ? answer.result : reasonOf(answer)
    },
    async countFacets(query) {
      const answer = await measured({ kind: 'facets', query })
      return answer?.kind === 'facets' ? answer.counts : reasonOf(answer)
    },
    async metrics() {
      const answer = await ask(thread, { kind: 'status' }, maxAnswerMs)
      const status = answer?.kind === 'status' ? answer.status : { listings: 0, ageMs: null, heapBytes: 0 }
      return { ...status, seconds: times, unanswered }
    },
    async close() {
      thread.isClosed = true
      await ask(thread, { kind: 'close' }, maxAnswerMs)
      await thread.worker?.terminate()
    },
  }
}

function countTime(times: SearchTimes, seconds: number): void {
  const bucket = times.upTo.findIndex((bound) => seconds <= bound)
  if (bucket >= 0) times.counts[bucket] = (times.counts[bucket] ?? 0) + 1
  times.sum += seconds
  times.count++
}

function start(thread: Thread): void {
  if (thread.worker !== null || thread.isClosed) return
  const { url, asset, embedding } = thread.options
  const worker = new Worker(path.join(process.cwd(), 'server', 'search', 'worker', 'search-worker.ts'), {
    ...{ workerData: { url, asset, embedding }, env: {}, execArgv: [] },
  })
  worker.unref()
  worker.on('message', (message: WorkerMessage) => {
    if ('report' in message) return note(thread, message.report)
    thread.open.get(message.answer.id)?.(message.answer)
    thread.open.delete(message.answer.id)
  })
  worker.on('error', (error) =>
    thread.options.log.error({ event: 'search.thread_failed', err: error }, 'The thread of the search index failed and is restarted.'),
  )
  worker.on('exit', () => restart(thread))
  thread.worker = worker
}

/** The thread is gone: its queries are unanswered, and a new one loads the index. */
function restart(thread: Thread): void {
  thread.worker = null
  thread.loaded = Promise.withResolvers<void>()
  for (const resolve of thread.open.values()) resolve(null)
  thread.open.clear()
  if (thread.isClosed) return
  const waiting = thread.restartMs
  thread.restartMs = Math.min(maxRestartMs, waiting * 2)
  setTimeout(() => start(thread), waiting).unref()
}

function ask(thread: Thread, body: Body<SearchRequest>, withinMs: number): Promise<SearchAnswer | null> {
  const { worker } = thread
  if (worker === null) return Promise.resolve(null)
  const id = ++thread.lastId
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      thread.open.delete(id)
      resolve(null)
    }, withinMs)
    thread.open.set(id, (answer) => {
      clearTimeout(late)
      resolve(answer)
    })
    worker.postMessage({ ...body, id })
  })
}

function note(thread: Thread, report: SyncEvent | EmbeddingFailure): void {
  const { log } = thread.options
  switch (report.event) {
    case 'loaded': {
      const { listings, ms, reason } = report
      thread.restartMs = minRestartMs
      thread.loaded.resolve()
      log.info({ event: 'search.index_loaded', listings, ms, reason }, 'The search index was loaded.')
      break
    }
    case 'connection_lost':
      log.warn({ event: 'search.connection_lost', reason: report.message }, 'The search index lost its database connection.')
      break
    case 'damaged':
      log.error(
        { event: 'search.index_damaged', reason: report.message },
        'The search index is damaged and is built again. Until then the old one answers.',
      )
      break
    case 'repaired':
      log.warn(
        { event: 'search.listings_repaired', listings: report.listings },
        'The search index differed from the database in some listings and was repaired.',
      )
      break
    case 'embedding_failed':
      log.warn(
        { event: 'search.embedding_failed', reason: report.message },
        'Listings could not be embedded. Until the next attempt, they are found by their words only.',
      )
      break
    default:
      report satisfies never
  }
}
