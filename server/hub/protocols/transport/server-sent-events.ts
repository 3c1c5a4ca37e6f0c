/** Server-sent events with heartbeats and back-pressure. */
import type { ServerResponse } from 'node:http'

/** `id`: where a reconnecting reader resumes. `data`: one line; empty for an event that only carries an id. */
export type StreamEvent = { readonly id?: string; readonly data: string }

const heartbeatMs = 15_000
/** A reader that accepts nothing for this time is disconnected, and resumes with its last id. */
const slowReaderMs = 30_000

/** Resolves when all events are written or the reader has disconnected. The producer must stop with the reader's signal. */
export async function sendServerSentEvents(response: ServerResponse, events: AsyncIterable<StreamEvent>): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  response.flushHeaders()
  const beat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': \n\n')
  }, heartbeatMs)
  try {
    for await (const { id, data } of events) {
      if (response.destroyed) return
      const isTaken = response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`)
      if (!isTaken) await drained(response)
    }
  } finally {
    clearInterval(beat)
    response.end()
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const slowReaderTimer = setTimeout(() => response.destroy(), slowReaderMs)
  response.once('drain', resolve)
  response.once('close', resolve)
  await promise
  clearTimeout(slowReaderTimer)
  response.off('drain', resolve)
  response.off('close', resolve)
}
