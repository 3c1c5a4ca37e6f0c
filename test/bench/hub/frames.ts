import { randomBytes } from 'node:crypto'
import net from 'node:net'

/** What a frame of the hub is, told by the letter in which the types differ. */
export type Incoming = (kind: 'deliver' | 'result' | 'problem' | 'other', payload: Buffer) => void

/** A WebSocket as thin as one can be: a load that spends itself on its own frames measures itself. */
export type ThinSocket = { send(text: string): void; end(): void; readonly closed: Promise<void> }

/**
 * Connects and upgrades. `wholeDeliveries`: hand over the bytes of delivered messages too; otherwise they are only counted,
 * and their payload is empty.
 */
export async function openThin(port: number, path: string, incoming: Incoming, wholeDeliveries: () => boolean): Promise<ThinSocket> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>()
  let isUpgraded = false
  let carry: Buffer = Buffer.alloc(0)
  let skip = 0
  socket.once('error', reject)
  socket.on('error', () => undefined)
  socket.once('close', () => {
    reject(new Error('the hub closed before it answered'))
    noteClosed()
  })
  socket.on('data', (chunk: Buffer) => {
    let data = chunk
    if (skip >= data.length) {
      skip -= data.length
      return
    }
    if (skip > 0) {
      data = data.subarray(skip)
      skip = 0
    }
    if (carry.length > 0) data = Buffer.concat([carry, data])
    let at = 0
    if (!isUpgraded) {
      const end = data.indexOf('\r\n\r\n')
      carry = data
      if (end < 0) return
      isUpgraded = true
      at = end + 4
      resolve()
    }
    at = readFrames(data, at)
    if (at >= data.length) {
      skip = at - data.length
      carry = Buffer.alloc(0)
    } else carry = data.subarray(at)
  })

  /** Where the first frame begins that isn't here in full; beyond the end where the rest of one needs no reading. */
  function readFrames(data: Buffer, from: number): number {
    let at = from
    for (;;) {
      if (data.length < at + 10) return at
      const short = (data[at + 1] ?? 0) & 0x7f
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      const length = short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2))
      const start = at + head
      const isText = ((data[at] ?? 0) & 0x0f) === 1
      if (isText && data.length < start + Math.min(length, 12)) return at
      const kind = isText ? kindOf(data, start) : 'other'
      const isWhole = data.length >= start + length
      if (kind === 'deliver' && !wholeDeliveries()) incoming(kind, Buffer.alloc(0))
      else if (!isWhole) return at
      else if (isText) incoming(kind, data.subarray(start, start + length))
      at = start + length
      if (at >= data.length) return at
    }
  }

  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  await opened
  return {
    closed,
    send: (text) => {
      socket.write(maskedFrame(text))
    },
    end: () => socket.destroy(),
  }
}

/** `{"type":"…`: the tenth byte tells deliver, and the twelfth result from problem. A bare relay's echo is a delivery. */
function kindOf(data: Buffer, start: number): Parameters<Incoming>[0] {
  switch (data[start + 9]) {
    case 0x64:
      return 'deliver'
    case 0x72:
      return 'result'
    case 0x70:
      return data[start + 10] === 0x72 ? 'problem' : 'other'
    default:
      return 'other'
  }
}

/** A client's frames are masked; with the key 0 their bytes stay as they are. */
function maskedFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = length < 126 ? 6 : length < 65_536 ? 8 : 14
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = 0x81
  if (length < 126) frame[1] = 0x80 | length
  else if (length < 65_536) {
    frame[1] = 0x80 | 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 0x80 | 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.fill(0, head - 4, head)
  frame.write(text, head)
  return frame
}
