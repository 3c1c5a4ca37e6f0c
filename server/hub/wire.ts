import { constants, deflateRawSync } from 'node:zlib'
import type { Said } from '../conversations/index.ts'

/** A verb's result as JSON: money to decimal strings, times to RFC 3339, what is undefined left out. */
export function wireText(value: unknown): string {
  return JSON.stringify(value ?? {}, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))
}

/** The answer to a message that was said. What we made ourselves needs no escaping; the id of one that was signed is a UUID. */
export function saidText(frameId: string | number, { group_id, seq, id }: Said): string {
  const name = typeof frameId === 'number' ? frameId : JSON.stringify(frameId)
  return `{"type":"result","id":${name},"result":{"group_id":"${group_id}","seq":${seq},"id":"${id}"}}`
}

/** No room is longer than what the database counts with; an agent may write any number. */
const lastSeq = 2_147_483_647

/** A place in a room as the database can hold it. */
export function boundSeq(seq: number): number {
  return Math.min(seq, lastSeq)
}

/** The path of a request, or null where its target is none: a stranger may write anything there. */
export function readTarget(target: string | undefined, base: string): URL | null {
  return URL.parse(target ?? '/', base)
}

/** WebSocket text frames as a server sends them. */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const frames = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + headLength(length) + length, 0))
  let at = 0
  for (const [index, text] of texts.entries()) {
    const length = lengths[index] ?? 0
    frames[at] = 0x81
    if (length < 126) frames[at + 1] = length
    else if (length < 65_536) {
      frames[at + 1] = 126
      frames.writeUInt16BE(length, at + 2)
    } else {
      frames[at + 1] = 127
      frames.writeBigUInt64BE(BigInt(length), at + 2)
    }
    at += headLength(length)
    at += frames.write(text, at)
  }
  return frames
}

/**
 * A text as a frame that its reader inflates (permessage-deflate, RFC 7692, nothing kept from frame to frame), where that is
 * worth it; null where it is not.
 */
export function squeezedFrame(text: string): Buffer | null {
  if (text.length < squeezeFromBytes) return null
  // Its last four bytes the reader puts back.
  const packed = deflateRawSync(text, { level: 1, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)
  const length = headLength(packed.length)
  const head = Buffer.allocUnsafe(length)
  head[0] = 0xc1
  if (length === 2) head[1] = packed.length
  else if (length === 4) {
    head[1] = 126
    head.writeUInt16BE(packed.length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(packed.length), 2)
  }
  return Buffer.concat([head, packed])
}

/**
 * From here on squeezing halves a message for the time that a line of 200 Mbit/s takes for what is saved; below it takes as long
 * as all else that a message costs, for a third. See `npm run bench:bytes`.
 */
export const squeezeFromBytes = 2_048

/** Frames that follow on one another, made once for all readers of a kind, when the first of them asks. */
export function framesFor(texts: readonly string[]): (isSqueezed: boolean) => Buffer {
  let [plain, squeezed]: (Buffer | undefined)[] = []
  const isWorthIt = texts.some((text) => text.length >= squeezeFromBytes)
  const inPlain = () => {
    plain ??= textFrames(texts)
    return plain
  }
  return (isSqueezed) => {
    if (!isSqueezed || !isWorthIt) return inPlain()
    squeezed ??= Buffer.concat(texts.map((text) => squeezedFrame(text) ?? textFrames([text])))
    return squeezed
  }
}

/** Whether what is sent to this address crosses no line: squeezing for it only costs. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address)
}

function headLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10
}

/** One message to its readers. `body`: the envelope's canonical text. */
export function deliverText(body: string): string {
  return `{"type":"deliver","envelope":${body}}`
}
