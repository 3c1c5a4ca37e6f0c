/**
 * The thread that loads all listings. This takes most of the time of a cold start, and queries do not wait for it. It ends after the load.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { type SourceListing, toIndexRecord } from '../index/index-record.ts'
import { readLocalEmbedder } from '../meaning/local-embedder.ts'
import { openListingLoad } from '../sync/listing-record-source.ts'
import type { LoadMessage, LoadSettings } from './worker-messages.ts'

/** The receiver answers queries between two messages. */
const listingsPerMessage = 50
/** Back-pressure: messages that were sent and not yet taken. */
const maxWaiting = 60
/** With no more, the receiver soon waits for work. It then prepares listings itself, so that both threads are busy. */
const minWaiting = 2

const { url, asset, embedsTexts } = workerData as LoadSettings
const port = parentPort
if (port === null) throw new Error('This file runs as a thread of the search index.')
const embedder = embedsTexts ? readLocalEmbedder() : null
const post = (message: LoadMessage) => port.postMessage(message)
let waiting = 0
let taken = Promise.withResolvers<void>()
port.on('message', () => {
  waiting--
  taken.resolve()
  taken = Promise.withResolvers()
})

const load = await openListingLoad(url, { asset }, new AbortController().signal)
post({ xmin: load.xmin })
for await (const chunk of load.chunks)
  for (let from = 0; from < chunk.length; from += listingsPerMessage) await send(chunk.slice(from, from + listingsPerMessage))
post({ standings: [...(await load.standings())] })
port.close()

async function send(listings: readonly SourceListing[]): Promise<void> {
  while (waiting >= maxWaiting) await taken.promise

  post(waiting <= minWaiting ? { listings } : { records: listings.map((one) => toIndexRecord(one, embedder)) })
  waiting++
  await new Promise(setImmediate)
}
