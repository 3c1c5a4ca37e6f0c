/** Server-sent events: an answer that goes on. Keeps the connection alive, and never more in memory than the reader takes. */
import type { ServerResponse } from 'node:http'

/** `id`: where a reader that comes back goes on. `data`: one line; empty where only the id is told. */
export type StreamEvent = { readonly id?: string; readonly data: string }

const heartbeatMs = 15_000
/** A reader that takes nothing for so long is let go; it comes back with the id that it has. */
const slowReaderMs = 30_000

/** Resolves when all was written, or the reader has gone. Whoever makes the events ends with the reader's signal. */
export async function sendEvents(response: ServerResponse, events: AsyncIterable<StreamEvent>): Promise<void> {
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
