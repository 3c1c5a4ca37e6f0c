import { constants, deflateRawSync } from 'node:zlib'

/** How messages are compressed on a connection: not at all, each separately, or each with its predecessors as a dictionary. */
export const compressionModes = ['plain', 'alone', 'in_context'] as const
export type CompressionMode = (typeof compressionModes)[number]
/** The sizes of one message, or of many together. `microseconds`: CPU time of one compression. */
export type CompressedSize = {
  readonly messages: number
  readonly bytes: Readonly<Record<CompressionMode, number>>
  readonly microseconds: Readonly<Record<CompressionMode, number>>
}

/** The upper bounds of the size classes, bytes. */
export const sizeClasses = [512, 1_024, 2_048, 4_096, 8_192, Number.POSITIVE_INFINITY] as const

const level = 1
const windowBytes = 32_768
const repeats = 20

/** The permessage-deflate output for a room's messages in order. Its four closing bytes are omitted on the wire. */
export function compressRoom(room: readonly string[]): CompressedSize[] {
  let before = Buffer.alloc(0)
  return room.map((text) => {
    const message = Buffer.from(text)
    const dictionary = before
    const alone = timed(() => deflateRawSync(message, { level }))
    const inContext = timed(() => deflateRawSync(message, dictionary.length === 0 ? { level } : { level, dictionary }))
    before = Buffer.concat([before, message]).subarray(-windowBytes)
    return {
      messages: 1,
      bytes: { plain: message.length, alone: alone.bytes, in_context: inContext.bytes },
      microseconds: { plain: 0, alone: alone.microseconds, in_context: inContext.microseconds },
    }
  })
}

function timed(work: () => Buffer): { bytes: number; microseconds: number } {
  const { length } = work()
  const began = process.cpuUsage()
  for (let n = 0; n < repeats; n++) work()
  const { user, system } = process.cpuUsage(began)
  return { bytes: length, microseconds: (user + system) / repeats }
}

export function sumSizes(all: readonly CompressedSize[]): CompressedSize {
  const add = (part: 'bytes' | 'microseconds', way: CompressionMode) => all.reduce((total, one) => total + one[part][way], 0)
  const each = (part: 'bytes' | 'microseconds') => ({
    plain: add(part, 'plain'),
    alone: add(part, 'alone'),
    in_context: add(part, 'in_context'),
  })
  return { messages: all.length, bytes: each('bytes'), microseconds: each('microseconds') }
}

/** The totals of each size class. Empty classes are omitted. */
export function groupBySizeClass(all: readonly CompressedSize[]): { upTo: number; total: CompressedSize }[] {
  return sizeClasses.flatMap((upTo, index) => {
    const from = sizeClasses[index - 1] ?? 0
    const here = all.filter(({ bytes }) => bytes.plain > from && bytes.plain <= upTo)
    return here.length === 0 ? [] : [{ upTo, total: sumSizes(here) }]
  })
}

/** The bandwidth in bits per second below which compression is faster than sending uncompressed data. */
export function compressionPaysBelow({ bytes, microseconds }: CompressedSize, way: Exclude<CompressionMode, 'plain'>): number {
  return Math.max(0, ((bytes.plain - bytes[way]) * 8 * 1e6) / microseconds[way])
}

/**
 * The permessage-deflate output with context takeover for one direction of a connection. `head`: bytes of a frame's header, of which a
 * payload below 126 bytes has two less; 0 omits headers.
 */
export function compressedBytesOf(payloads: readonly Buffer[], head: number): number {
  let before = Buffer.alloc(0)
  let bytes = 0
  for (const payload of payloads) {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, ...(before.length > 0 && { dictionary: before }) }
    const { length } = deflateRawSync(payload, options).subarray(0, -4)
    bytes += length + (length < 126 ? Math.max(0, head - 2) : head)
    before = Buffer.concat([before, payload]).subarray(-windowBytes)
  }
  return bytes
}
