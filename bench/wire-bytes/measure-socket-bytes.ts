import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type PerMessageDeflateOptions, WebSocket, WebSocketServer } from 'ws'

/** Bytes on the wire, headers of frames included. `microseconds`: of CPU, at both ends, to send and receive all once. */
export type SocketWeight = { readonly bytes: number; readonly microseconds: number }

/** As every message is compressed alone, it can be compressed once for all readers of a room. */
export const withoutContext: PerMessageDeflateOptions = { serverNoContextTakeover: true, clientNoContextTakeover: true, threshold: 0 }

const repeats = 20

/** Sends these messages over a WebSocket of the `ws` package. */
export async function measureSocketBytes(
  messages: readonly string[],
  perMessageDeflate: PerMessageDeflateOptions | false,
): Promise<SocketWeight> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate })
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const reader = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, { perMessageDeflate })
  const [[writer]] = (await Promise.all([connected, once(reader, 'open')])) as [[WebSocket], unknown]
  const sendAll = () =>
    new Promise<void>((done) => {
      let left = messages.length
      const onMessage = () => {
        left -= 1
        if (left > 0) return
        reader.off('message', onMessage)
        done()
      }
      reader.on('message', onMessage)
      for (const message of messages) writer.send(message)
    })
  try {
    const before = bytesRead(reader)
    await sendAll()
    const bytes = bytesRead(reader) - before
    // Warm-up until the code is compiled.
    for (let n = 0; n < repeats; n++) await sendAll()
    const began = process.cpuUsage()
    for (let n = 0; n < repeats; n++) await sendAll()
    const { user, system } = process.cpuUsage(began)
    return { bytes, microseconds: (user + system) / repeats }
  } finally {
    reader.terminate()
    server.close()
  }
}

/** `ws` has no public counter. */
const bytesRead = (socket: WebSocket) => (socket as unknown as { _socket: { bytesRead: number } })._socket.bytesRead
