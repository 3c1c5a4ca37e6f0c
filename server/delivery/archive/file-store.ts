import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ArchivedFile, ArchivedRow, ArchiveFileStore, FileName } from '../../ports.ts'
import {
  type Block,
  compareKeys,
  decodeBlock,
  decodeIndex,
  encodeBlock,
  encodeIndex,
  type FileIndex,
  findBlock,
  indexLength,
  keyOf,
  maxBlockBytes,
  maxBlockRows,
  tailLength,
} from './block-format.ts'

/** Indexes in the LRU cache. */
const maxCachedIndexes = 32
/** A partial file older than this has no writer any more. */
const abandonedMs = 86_400_000

/** Archive files in a folder that all processes share. A file appears atomically, by rename. */
export function createArchiveFileStore(folder: string): ArchiveFileStore {
  const indexes: IndexCache = new Map()
  return {
    write: (name, rows, reached = async () => undefined) => writeFile(folder, name, rows, reached),
    async read(filed, { roomId, after, limit }) {
      const file = pathOf(folder, filed)
      return using(file, async (handle) => {
        const index = await cachedIndex(indexes, file, handle)
        const found: ArchivedRow[] = []
        for (let at = findBlock(index, [roomId, after]); at < index.blocks.length && found.length < limit; at++) {
          const block = index.blocks[at]
          if (!block || block.first[0] > roomId) break
          const rows = await readBlock(handle, block)
          found.push(...rows.filter((row) => row.roomId === roomId && row.seq > after))
        }
        return found.slice(0, limit)
      })
    },
    async *all(filed) {
      const file = pathOf(folder, filed)
      const handle = await open(file, 'r')
      try {
        // Read from disk and not from the cache, because this verifies the file.
        const { blocks } = await readIndex(file, handle)
        for (const block of blocks) yield await readBlock(handle, block)
      } finally {
        await handle.close()
      }
    },
    async remove(filed) {
      const file = pathOf(folder, filed)
      indexes.delete(file)
      await rm(file, { force: true })
      await syncFolder(folder)
    },
  }
}

function pathOf(folder: string, { name, sha256 }: FileName): string {
  return path.join(folder, `${name}-${sha256.slice(0, 16)}.jsonl.zst`)
}

/** Writes a partial file and renames it, so that the file appears complete. */
async function writeFile(
  folder: string,
  name: string,
  rows: AsyncIterable<readonly ArchivedRow[]>,
  reached: NonNullable<Parameters<ArchiveFileStore['write']>[2]>,
): Promise<ArchivedFile> {
  await mkdir(folder, { recursive: true })
  await clear(folder)
  const half = path.join(folder, `${name}.${randomUUID()}.part`)
  const handle = await open(half, 'wx')
  try {
    const { index, sha256, bytes } = await writeBlocks(handle, name, rows, () => reached('half'))
    await handle.sync()
    await handle.close()
    await reached('synced')
    const filed = { name, messages: index.messages, bytes, sha256 }
    await rename(half, pathOf(folder, filed))
    await reached('named')
    await syncFolder(folder)
    return filed
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(half, { force: true })
    throw error
  }
}

/** LRU cache by file: the index that was read last is the last entry. */
type IndexCache = Map<string, FileIndex>

async function cachedIndex(indexes: IndexCache, file: string, handle: FileHandle): Promise<FileIndex> {
  const index = indexes.get(file) ?? (await readIndex(file, handle))
  indexes.delete(file)
  indexes.set(file, index)
  for (const oldest of indexes.keys()) {
    if (indexes.size <= maxCachedIndexes) break
    indexes.delete(oldest)
  }
  return index
}

async function writeBlocks(
  handle: FileHandle,
  name: string,
  lots: AsyncIterable<readonly ArchivedRow[]>,
  withoutIndex: () => Promise<void>,
) {
  const digest = createHash('sha256')
  const blocks: Block[] = []
  let [offset, messages] = [0, 0]
  let waiting: ArchivedRow[] = []
  let waitingBytes = 0
  async function put(bytes: Buffer): Promise<void> {
    digest.update(bytes)
    await handle.appendFile(bytes)
    offset += bytes.length
  }
  async function flush(): Promise<void> {
    const [first, last] = [waiting[0], waiting.at(-1)]
    if (!first || !last) return
    const frame = await encodeBlock(waiting)
    blocks.push({ offset, length: frame.length, first: keyOf(first), last: keyOf(last) })
    await put(frame)
    messages += waiting.length
    waiting = []
    waitingBytes = 0
  }
  let before: ArchivedRow | undefined
  for await (const lot of lots) {
    for (const row of lot) {
      if (before && compareKeys(keyOf(before), keyOf(row)) >= 0) throw new Error('messages to be filed arrive in the wrong order')
      before = row
      waiting.push(row)
      waitingBytes += row.body.length
      if (waiting.length >= maxBlockRows || waitingBytes >= maxBlockBytes) await flush()
    }
  }
  await flush()
  await withoutIndex()
  const index: FileIndex = { v: 1, name, messages, blocks }
  await put(await encodeIndex(index))
  return { index, bytes: offset, sha256: digest.digest('hex') }
}

async function readIndex(file: string, handle: FileHandle): Promise<FileIndex> {
  const { size } = await handle.stat()
  const length = indexLength(await readBytes(handle, size - tailLength, tailLength))
  if (length === null) throw new Error(`${file} is not a whole file of messages`)
  return decodeIndex(await readBytes(handle, size - tailLength - length, length))
}

async function readBlock(handle: FileHandle, { offset, length }: Block): Promise<ArchivedRow[]> {
  return decodeBlock(await readBytes(handle, offset, length))
}

async function readBytes(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await handle.read(bytes, 0, length, Math.max(0, at))
  return bytes.subarray(0, bytesRead)
}

async function using<T>(file: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r')
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows has no directory handles and does not need this sync.
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part')) continue
    const half = path.join(folder, name)
    const { mtimeMs } = await stat(half).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > abandonedMs) await rm(half, { force: true })
  }
}
