import { request as ask, createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type StreamEvent, sendServerSentEvents } from '../../../../../server/hub/protocols/transport/server-sent-events.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(events: AsyncIterable<StreamEvent>): Promise<{ port: number; ended: Promise<void> }> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  server = createServer((_, response) => {
    void sendServerSentEvents(response, events).then(resolve)
  })
  await new Promise<void>((ready) => server?.listen(0, '127.0.0.1', ready))
  return { port: (server.address() as AddressInfo).port, ended }
}

describe('sendEvents', () => {
  it('writes each event with its id, and ends with the last', async () => {
    const { port } = await serve(
      (async function* () {
        yield { id: '7', data: '' }
        yield { data: '{"a":1}' }
      })(),
    )
    const response = await fetch(`http://127.0.0.1:${port}`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await response.text()).toBe('id: 7\ndata: \n\ndata: {"a":1}\n\n')
  })

  it('makes no more than its reader takes, and ends what it reads from when the reader goes', async () => {
    let made = 0
    let isEnded = false
    const line = 'x'.repeat(65_536)
    const { port, ended } = await serve(
      (async function* () {
        try {
          for (; made < 5_000; made++) yield { data: line }
        } finally {
          isEnded = true
        }
      })(),
    )
    const request = ask({ port, host: '127.0.0.1' }).end()
    const response = await new Promise<import('node:http').IncomingMessage>((resolve) => request.once('response', resolve))
    response.pause()
    // What fits into the sockets' buffers; then it is stopped.
    await expect
      .poll(async () => {
        const before = made
        await new Promise((resolve) => setImmediate(resolve))
        return made === before && made > 0
      })
      .toBe(true)
    expect(made).toBeLessThan(2_000)
    request.destroy()
    await ended
    expect(isEnded).toBe(true)
  })
})
