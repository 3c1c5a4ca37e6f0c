import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { IndexRecord, SourceListing, Standing } from '../index/index-record.ts'
import type { ListingRecordSource } from '../sync/listing-record-source.ts'
import type { LoadMessage, LoadSettings } from './worker-messages.ts'

/** Loads all listings in a thread of its own. `toRecord` prepares those that the thread leaves to the caller. */
export function createListingLoadThread(settings: LoadSettings, toRecord: (listing: SourceListing) => IndexRecord): ListingRecordSource {
  return async (signal) => {
    const worker = new Worker(path.join(process.cwd(), 'server', 'search', 'worker', 'listing-load-worker.ts'), {
      ...{ workerData: settings, env: {}, execArgv: [] },
    })
    signal.addEventListener('abort', () => void worker.terminate(), { once: true })
    const messages = readMessages(worker)
    const first = await messages.next()
    const standings = Promise.withResolvers<readonly (readonly [string, Standing])[]>()
    async function* chunks(): AsyncGenerator<readonly IndexRecord[]> {
      for await (const message of messages) {
        if ('standings' in message) return standings.resolve(message.standings)
        if ('records' in message) yield message.records
        else if ('listings' in message) yield message.listings.map(toRecord)
        worker.postMessage('taken')
      }
    }
    const xmin = first.done !== true && 'xmin' in first.value ? first.value.xmin : '0'
    return { xmin, chunks: chunks(), standings: () => standings.promise }
  }
}

/** @throws if the thread fails, or ends before its last message */
async function* readMessages(worker: Worker): AsyncGenerator<LoadMessage, void> {
  const messages: LoadMessage[] = []
  let failure: Error | null = null
  let changed = Promise.withResolvers<void>()
  const change = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  worker.on('message', (message: LoadMessage) => {
    messages.push(message)
    change()
  })
  worker.on('error', (error: Error) => {
    failure = error
  })
  worker.on('exit', () => {
    failure ??= new Error('The thread that loads the search index ended early.')
    change()
  })
  for (;;) {
    const message = messages.shift()
    if (message !== undefined) yield message
    if (message !== undefined && 'standings' in message) return
    if (messages.length > 0) continue
    if (failure !== null) throw failure
    if (message === undefined) await changed.promise
  }
}
