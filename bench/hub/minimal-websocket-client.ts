import { randomBytes } from 'node:crypto'
import net from 'node:net'

/** The kind of a frame: a delivered message, the answer to one of ours, or a frame that is read in full. */
export type Kind = 'deliver' | 'own' | 'result' | 'problem' | 'other'
export type Reader = {
  /** By the first bytes of the payload, of which at least twelve are there or all. */
  kindOf(data: Buffer, start: number): Kind
  /** Whether it needs the bytes of what is delivered; otherwise its payload is empty. */
  needsDeliveries(): boolean
  /** `payload` is valid only during the call: its buffer is reused. */
  onFrame(kind: Kind, payload: Buffer): void
}

/** A minimal WebSocket client, so that the benchmark does not measure its own frame handling. */
export type ThinSocket = {
  send(text: string): void
  /** Frames as `clientFrame` makes them. */
  write(frames: Buffer): void
  end(): void
  readonly closed: Promise<void>
}

const none = Buffer.alloc(0)
/** All sockets of a process are read into it, in sequence. */
const inbound = Buffer.allocUnsafeSlow(262_144)

/** Connects and upgrades. */
export async function openThinSocket(port: number, path: string, reader: Reader): Promise<ThinSocket> {
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
  const { promise: closed, resolve: noteClosed } = Promise.withResolvers<void>()
  let isUpgraded = false
  let carry = none
  let skip = 0
  const socket = net.connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: inbound,
      callback(length) {
        take(length)
        return true
      },
    },
  })
  socket.once('error', reject)
  socket.on('error', () => undefined)
  socket.once('close', () => {
    reject(new Error('the hub closed before it answered'))
    noteClosed()
  })

  function take(length: number): void {
    if (skip >= length) {
      skip -= length
      return
    }
    const fresh = inbound.subarray(skip, length)
    skip = 0
    const data = carry.length > 0 ? Buffer.concat([carry, fresh]) : fresh
    let at = 0
    if (!isUpgraded) {
      const end = data.indexOf('\r\n\r\n')
      if (end < 0) {
        carry = Buffer.from(data)
        return
      }
      isUpgraded = true
      at = end + 4
      resolve()
    }
    at = readFrames(data, at)
    skip = Math.max(0, at - data.length)
    carry = at < data.length ? Buffer.from(data.subarray(at)) : none
  }

  /** The start of the first incomplete frame; beyond the end if the rest of a frame need not be read. */
  function readFrames(data: Buffer, from: number): number {
    let at = from
    while (data.length >= at + 2) {
      const short = (data[at + 1] ?? 0) & 0x7f
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      if (data.length < at + head) return at
      const length =
        short < 126 ? short : short === 126 ? ((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0) : Number(data.readBigUInt64BE(at + 2))
      const start = at + head
      const isText = ((data[at] ?? 0) & 0x0f) === 1
      if (isText && data.length < start + Math.min(length, 12)) return at
      const kind = isText ? reader.kindOf(data, start) : 'other'
      const isWhole = data.length >= start + length
      if ((kind === 'deliver' || kind === 'own') && !reader.needsDeliveries()) reader.onFrame(kind, none)
      else if (!isWhole) return at
      else if (isText) reader.onFrame(kind, data.subarray(start, start + length))
      at = start + length
    }
    return at
  }

  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: hub\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  await opened
  return {
    closed,
    send: (text) => {
      socket.write(clientFrame(text))
    },
    write: (frames) => {
      socket.write(frames)
    },
    end: () => socket.destroy(),
  }
}

/** `{"type":"…`: the tenth byte distinguishes deliver, and the twelfth result from problem. */
export function kindOfHubs(data: Buffer, start: number): Kind {
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
export function clientFrame(text: string): Buffer {
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

const firstNumber = 1_000_000_000

/** Frames that differ in their number only, many in one write. `text`: contains the number, which always has ten digits. */
export function numberedFrames(text: (number: number) => string): (count: number) => Buffer {
  const frame = clientFrame(text(firstNumber))
  const digits = frame.indexOf(String(firstNumber))
  let number = firstNumber
  return (count) => {
    const frames = Buffer.allocUnsafe(count * frame.length)
    for (let at = 0; at < frames.length; at += frame.length) {
      frame.copy(frames, at)
      if (digits >= 0) frames.write(String(number++), at + digits, 'latin1')
    }
    return frames
  }
}
