/**
 * The format of an archive file: Zstandard frames with messages as JSON lines, then a skippable frame with the index.
 * `zstd -dc` prints all lines.
 */
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { ArchivedRow } from '../../ports.ts'

/** The sort key of a message: the room in code unit order, then the sequence number. */
export type RowKey = readonly [roomId: string, seq: number]
/** `offset` and `length`: bytes of the file. `first` and `last`: the keys of its first and last message. */
export type Block = { readonly offset: number; readonly length: number; readonly first: RowKey; readonly last: RowKey }
export type FileIndex = { readonly v: 1; readonly name: string; readonly messages: number; readonly blocks: readonly Block[] }

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)]
/** Each frame carries a checksum, so a read detects damage. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 6, [constants.ZSTD_c_checksumFlag]: 1 } }
const skippable = 0x184d2a50
const magic = Buffer.from('PARLEYM1')
/** The length of the index and the magic bytes, at the end of the file. */
export const tailLength = 4 + magic.length

/** Rows per block: large enough to compress well, small enough to read one message quickly. */
export const maxBlockRows = 256
export const maxBlockBytes = 262_144

export async function encodeBlock(rows: readonly ArchivedRow[]): Promise<Buffer> {
  return compress(Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')), options)
}

export async function decodeBlock(frame: Buffer): Promise<ArchivedRow[]> {
  const text = (await decompress(frame)).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ArchivedRow)
}

export async function encodeIndex(index: FileIndex): Promise<Buffer> {
  const packed = await compress(Buffer.from(JSON.stringify(index)), options)
  const head = Buffer.alloc(8)
  head.writeUInt32LE(skippable, 0)
  head.writeUInt32LE(packed.length + tailLength, 4)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(packed.length)
  return Buffer.concat([head, packed, length, magic])
}

/** The length of the index, from the last bytes of the file; null if it is not an archive file. */
export function indexLength(tail: Buffer): number | null {
  return tail.length === tailLength && tail.subarray(4).equals(magic) ? tail.readUInt32LE(0) : null
}

export async function decodeIndex(packed: Buffer): Promise<FileIndex> {
  return JSON.parse((await decompress(packed)).toString('utf8')) as FileIndex
}

export function compareKeys([roomA, seqA]: RowKey, [roomB, seqB]: RowKey): number {
  return roomA === roomB ? seqA - seqB : roomA < roomB ? -1 : 1
}

export const keyOf = ({ roomId, seq }: Pick<ArchivedRow, 'roomId' | 'seq'>): RowKey => [roomId, seq]

/** The first block that ends after the key (binary search); the number of blocks if there is none. */
export function findBlock({ blocks }: FileIndex, after: RowKey): number {
  let [low, high] = [0, blocks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const block = blocks[middle]
    if (block && compareKeys(block.last, after) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
