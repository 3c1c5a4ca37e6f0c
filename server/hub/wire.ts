/** A verb's result as JSON: money to decimal strings, times to RFC 3339, what is undefined left out. */
export function wireText(value: unknown): string {
  return JSON.stringify(value ?? {}, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))
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

function headLength(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10
}

/** One message to its readers. `body`: the envelope's canonical text. */
export function deliverText(body: string): string {
  return `{"type":"deliver","envelope":${body}}`
}
