import type { Json } from '@parley/protocol'

/** A verb's result as JSON: money to decimal strings, times to RFC 3339, what is undefined left out. */
export function toWire(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? {}, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))) as Json
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

/** A WebSocket text frame as a server sends it, for what goes to many: it is made once. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = 0x81
  if (head === 2) frame[1] = length
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, head)
  return frame
}

/** One message to its readers. `body`: the envelope's canonical text. */
export function deliverText(body: string): string {
  return `{"type":"deliver","envelope":${body}}`
}
