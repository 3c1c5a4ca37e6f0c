/** The thread of a process's search index. It has its own database connections; queries do not wait for the process, nor the process for queries. */
import { parentPort, workerData } from 'node:worker_threads'
import { CursorProblem } from '../query/search-query.ts'
import { startSynchronizer } from '../sync/synchronizer.ts'
import type { SearchAnswer, SearchRequest, WorkerMessage, WorkerSettings } from './messages.ts'

const { url, asset } = workerData as WorkerSettings
const post = (message: WorkerMessage) => parentPort?.postMessage(message)
const sync = startSynchronizer({ url, market: { asset }, report: (report) => post({ report }) })

async function answer(request: SearchRequest): Promise<SearchAnswer> {
  const { id } = request
  if (request.kind === 'close') {
    await sync.close()
    return { id, kind: 'closed' }
  }
  const { engine } = sync
  if (request.kind === 'status')
    return { id, kind: 'status', status: { listings: engine.size(), ageMs: sync.ageMs(), heapBytes: process.memoryUsage().arrayBuffers } }
  if (!engine.isReady()) return { id, kind: 'failed', reason: 'unready' }
  await sync.catchUp()
  try {
    return request.kind === 'search'
      ? { id, kind: 'search', result: engine.search(request.query) }
      : { id, kind: 'facets', counts: engine.countFacets(request.query) }
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
