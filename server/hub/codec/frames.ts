import { isUtf8 } from 'node:buffer'
import { constants, deflateRawSync } from 'node:zlib'
import type { PostResult } from '../../conversations/index.ts'

/** The result of a command as JSON: bigint as decimal strings, dates in RFC 3339. */
export function resultJson(value: unknown): string {
  return JSON.stringify(value ?? {}, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))
}

/** The result frame of a post. Only the frame id may need escaping: the other values are safe by construction. */
export function postResultFrame(frameId: string | number, { room_id, seq, id }: PostResult): string {
  const name = typeof frameId === 'number' ? frameId : JSON.stringify(frameId)
  return `{"type":"result","id":${name},"result":{"room_id":"${room_id}","seq":${seq},"id":"${id}"}}`
}

/** The text of a frame. Text frames are already validated; an invalid binary one becomes the empty string, which is no frame. */
export function decodeFrameText(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : ''
}

/** Encodes texts as WebSocket text frames of a server. */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const frames = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + headLength(length) + length, 0))
  let at = 0
  for (const [index, text] of texts.entries()) {
    at = writeHead(frames, at, lengths[index] ?? 0)
    at += frames.write(text, at)
  }
  return frames
}

/** The first byte of a frame (RFC 6455, section 5.2): a complete text message, and the same with the RSV1 bit of RFC 7692. */
const [textFrame, deflatedTextFrame] = [0x81, 0xc1]

/** Writes a frame header and returns the position after it. */
function writeHead(frames: Buffer, at: number, length: number, first = textFrame): number {
  frames[at] = first
  if (length < 126) frames[at + 1] = length
  else if (length < 65_536) {
    frames[at + 1] = 126
    frames.writeUInt16BE(length, at + 2)
  } else {
    frames[at + 1] = 127
    frames.writeBigUInt64BE(BigInt(length), at + 2)
  }
  return at + headLength(length)
}

/** A text as a compressed frame (permessage-deflate without context takeover, RFC 7692); null below the threshold. */
export function deflatedFrame(text: string): Buffer | null {
  if (text.length < deflateThresholdBytes) return null
  // The reader appends the last four bytes again (RFC 7692, section 7.2.2).
  const payload = deflateRawSync(text, { level: 1, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)
  const frame = Buffer.allocUnsafe(headLength(payload.length) + payload.length)
  frame.set(payload, writeHead(frame, 0, payload.length, deflatedTextFrame))
  return frame
}

/**
 * From this size, compression halves a message in the time that a 200 Mbit/s line needs for the saved bytes.
 * Below it, compression takes as long as the rest of a message and saves a third. See `npm run bench:bytes`.
 */
export const deflateThresholdBytes = 2_048

/**
 * Encodes consecutive messages once for all readers of a kind, when the first reader needs them. `bodies`: canonical envelopes in UTF-8.
 */
export function sharedFrames(bodies: readonly Buffer[]): (isDeflated: boolean) => Buffer {
  let [plain, deflated]: (Buffer | undefined)[] = []
  const isWorthIt = bodies.some((body) => body.length >= deflateThresholdBytes)
  const inPlain = () => {
    plain ??= deliverFrames(bodies)
    return plain
  }
  return (isDeflated) => {
    if (!isDeflated || !isWorthIt) return inPlain()
    deflated ??= Buffer.concat(bodies.map((body) => deflatedFrame(deliverFrameText(body.toString())) ?? deliverFrames([body])))
    return deflated
  }
}

const deliverHead = '{"type":"deliver","envelope":'

/** A deliver frame. `body`: the canonical text of the envelope. */
export function deliverFrameText(body: string): string {
  return `${deliverHead}${body}}`
}

/** The same for many messages, as uncompressed frames. */
function deliverFrames(bodies: readonly Buffer[]): Buffer {
  const around = deliverHead.length + 1
  const frames = Buffer.allocUnsafe(bodies.reduce((sum, body) => sum + headLength(around + body.length) + around + body.length, 0))
  let at = 0
  for (const body of bodies) {
    at = writeHead(frames, at, around + body.length)
    at += frames.write(deliverHead, at, 'latin1')
    at += body.copy(frames, at)
    frames[at++] = closingBrace
  }
  return frames
}
const closingBrace = 0x7d

/** Whether the peer negotiated permessage-deflate. */
export function acceptsDeflate(socket: { readonly extensions?: string }): boolean {
  return socket.extensions?.includes('permessage-deflate') === true
}

function headLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10
}
