/** The thread of a process's search index. It has its own database connections; queries do not wait for the process, nor the process for queries. */
import { parentPort, workerData } from 'node:worker_threads'
import { createEndpointEmbedder } from '../meaning/endpoint-embedder.ts'
import { readLocalEmbedder } from '../meaning/local-embedder.ts'
import { createQueryVectorCache } from '../meaning/query-vector-cache.ts'
import { CursorProblem } from '../query/search-query.ts'
import { createIndexEngine } from '../sync/index-engine.ts'
import { startIndexSynchronizer } from '../sync/index-synchronizer.ts'
import { startListingEmbedder } from '../sync/listing-embedder.ts'
import { createListingLoadThread } from './listing-load-thread.ts'
import type { SearchAnswer, SearchRequest, WorkerMessage, WorkerSettings } from './worker-messages.ts'

const { url, asset, embedding } = workerData as WorkerSettings
const post = (message: WorkerMessage) => parentPort?.postMessage(message)
const outside = embedding && createEndpointEmbedder(embedding)
const queryVectors = outside && createQueryVectorCache(outside)
const engine = createIndexEngine(outside ?? readLocalEmbedder())
const sync = startIndexSynchronizer({
  url,
  market: { asset },
  engine,
  source: createListingLoadThread({ url, asset, embedsTexts: outside === undefined }, engine.toRecord),
  report: (report) => post({ report }),
})
const listingEmbedder =
  outside &&
  startListingEmbedder({
    ...{ url, market: { asset }, engine, embedder: outside },
    report: (message) => post({ report: { event: 'embedding_failed', message } }),
  })

async function answer(request: SearchRequest): Promise<SearchAnswer> {
  const { id } = request
  if (request.kind === 'close') {
    await listingEmbedder?.close()
    await sync.close()
    return { id, kind: 'closed' }
  }
  if (request.kind === 'status')
    return { id, kind: 'status', status: { listings: engine.size(), ageMs: sync.ageMs(), heapBytes: process.memoryUsage().arrayBuffers } }
  if (!engine.isReady()) return { id, kind: 'failed', reason: 'unready' }
  const { text } = request.query
  const [vector] = await Promise.all([text === undefined ? undefined : queryVectors?.vectorOf(text), sync.catchUp()])
  try {
    return request.kind === 'search'
      ? { id, kind: 'search', result: engine.search({ ...request.query, vector }) }
      : { id, kind: 'facets', counts: engine.countFacets({ ...request.query, vector }) }
  } catch (error) {
    if (error instanceof CursorProblem) return { id, kind: 'failed', reason: 'cursor' }
    sync.rebuild(String(error))
    return { id, kind: 'failed', reason: 'unready' }
  }
}

parentPort?.on('message', async (request: SearchRequest) => {
  post({ answer: await answer(request) })
  if (request.kind === 'close') parentPort?.close()
})
