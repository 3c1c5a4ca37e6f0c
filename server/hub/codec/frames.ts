import { isUtf8 } from 'node:buffer'
import { constants, deflateRawSync } from 'node:zlib'
import type { PostResult } from '../../conversations/index.ts'

/** A verb's result as JSON: money to decimal strings, times to RFC 3339, what is undefined left out. */
export function resultJson(value: unknown): string {
  return JSON.stringify(value ?? {}, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))
}

/** The answer to a message that was said. What we made ourselves needs no escaping; the id of one that was signed is a UUID. */
export function postResultFrame(frameId: string | number, { group_id, seq, id }: PostResult): string {
  const name = typeof frameId === 'number' ? frameId : JSON.stringify(frameId)
  return `{"type":"result","id":${name},"result":{"group_id":"${group_id}","seq":${seq},"id":"${id}"}}`
}

/** What came as text. A text frame was checked when it came; a binary one that is no text is as good as an empty one, which is no frame. */
export function decodeUtf8(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : ''
}

/** The path of a request, or null where its target is none: a stranger may write anything there. */
export function parseRequestTarget(target: string | undefined, base: string): URL | null {
  return URL.parse(target ?? '/', base)
}

/** WebSocket text frames as a server sends them. */
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

/** Where what it is the head of begins. */
function writeHead(frames: Buffer, at: number, length: number): number {
  frames[at] = 0x81
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

/**
 * A text as a frame that its reader inflates (permessage-deflate, RFC 7692, nothing kept from frame to frame), where that is
 * worth it; null where it is not.
 */
export function deflatedFrame(text: string): Buffer | null {
  if (text.length < deflateThresholdBytes) return null
  // Its last four bytes the reader puts back.
  return frameOf(0xc1, deflateRawSync(text, { level: 1, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4))
}

/** A payload as a binary frame; squeezed where its reader inflates and it is worth it. */
export function binaryFrame(payload: Uint8Array, isDeflated: boolean): Buffer {
  if (!isDeflated || payload.length < deflateThresholdBytes) return frameOf(0x82, payload)
  return frameOf(0xc2, deflateRawSync(payload, { level: 1, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4))
}

function frameOf(first: number, payload: Uint8Array): Buffer {
  const length = headLength(payload.length)
  const frame = Buffer.allocUnsafe(length + payload.length)
  frame[0] = first
  if (length === 2) frame[1] = payload.length
  else if (length === 4) {
    frame[1] = 126
    frame.writeUInt16BE(payload.length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(payload.length), 2)
  }
  frame.set(payload, length)
  return frame
}

/**
 * From here on squeezing halves a message for the time that a line of 200 Mbit/s takes for what is saved; below it takes as long
 * as all else that a message costs, for a third. See `npm run bench:bytes`.
 */
export const deflateThresholdBytes = 2_048

/**
 * Messages that follow on one another, each as a frame, made once for all readers of a kind, when the first of them asks.
 * `bodies`: envelopes' canonical texts in UTF-8.
 */
export function sharedFrames(bodies: readonly Buffer[]): (isDeflated: boolean) => Buffer {
  let [plain, squeezed]: (Buffer | undefined)[] = []
  const isWorthIt = bodies.some((body) => body.length >= deflateThresholdBytes)
  const inPlain = () => {
    plain ??= deliverFrames(bodies)
    return plain
  }
  return (isSqueezed) => {
    if (!isSqueezed || !isWorthIt) return inPlain()
    squeezed ??= Buffer.concat(bodies.map((body) => deflatedFrame(deliverFrameText(body.toString())) ?? deliverFrames([body])))
    return squeezed
  }
}

const deliverHead = '{"type":"deliver","envelope":'

/** One message to its readers. `body`: the envelope's canonical text. */
export function deliverFrameText(body: string): string {
  return `${deliverHead}${body}}`
}

/** The same of many, as plain frames. */
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

/** Whether the other side of a connection has agreed to inflate what comes squeezed. */
export function acceptsDeflate(socket: { readonly extensions?: string }): boolean {
  return socket.extensions?.includes('permessage-deflate') === true
}

/** Whether what is sent to this address crosses no line: squeezing for it only costs. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address)
}

function headLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10
}
