import type { Context } from '../../context.ts'
import { serverUnavailable } from '../../errors.ts'
import type { ArchivedRow, FileName } from '../../ports.ts'
import { readTable } from './partition-queries.ts'
import { applyErasures } from './rewrite-erased-files.ts'

type Asked = { readonly roomId: string; readonly after: number; readonly limit: number }
/** A table or file with older messages of a room. `first`: the lowest sequence number that it may hold. */
type Source = { readonly first: number; read(asked: Asked): Promise<ArchivedRow[]> }

/** Messages of a room after `after` that are no longer in the log's tables, in order, at most `limit`. */
export async function readArchivedMessages(ctx: Context, asked: Asked): Promise<ArchivedRow[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const sources = await sourcesOf(ctx, asked)
      let found: ArchivedRow[] = []
      for (const source of sources) {
        // Sources overlap if a sender's clock was wrong. A source that starts after a full page need not be read.
        const end = found.length >= asked.limit ? found[asked.limit - 1] : undefined
        if (end && source.first > end.seq) break
        found = sortUniqueBySeq([...found, ...(await source.read(asked))]).slice(0, asked.limit)
      }
      return await applyErasures(ctx, asked.roomId, found)
    } catch (error) {
      // The table was archived between the lookup and the read, so the file has it now.
      if (attempt < 3 && /42P01|does not exist/.test(String(error))) continue
      throw error
    }
  }
}

/** Sorts by sequence number and removes duplicates. */
export function sortUniqueBySeq<Row extends { readonly seq: number }>(rows: readonly Row[]): Row[] {
  const bySeq = new Map(rows.map((row) => [row.seq, row]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

async function sourcesOf(ctx: Context, { roomId, after }: Asked): Promise<Source[]> {
  // The order matters: a table archived between these queries appears in both results. In the other order it would appear in none.
  const detached = await ctx.db.messagePartition.findMany({ where: { state: 'detached' }, select: { name: true } })
  const spans = await ctx.db.archivedRange.findMany({
    where: { roomId, last: { gt: after } },
    orderBy: { first: 'asc' },
    select: { first: true, file: { select: { name: true, sha256: true } } },
  })
  const tables = detached.map(({ name }): Source => ({ first: 0, read: (asked) => readTable(ctx, name, asked) }))
  const files = spans.map(({ first, file }): Source => ({ first, read: (asked) => readFile(ctx, named(file), asked) }))
  return [...tables, ...files].sort((a, b) => a.first - b.first)
}

async function readFile(ctx: Context, file: FileName, asked: Asked): Promise<ArchivedRow[]> {
  try {
    return await ctx.ports.files.read(file, asked)
  } catch (error) {
    // The file was rewritten in the meantime, without erased messages.
    const now = await ctx.db.messagePartition.findUnique({ where: { name: file.name } })
    if (now?.sha256 && now.sha256 !== file.sha256) return readFile(ctx, named(now), asked)
    ctx.log.error({ event: 'archive.read_failed', err: error, file: file.name }, 'An archive file could not be read.')
    throw serverUnavailable(error)
  }
}

function named({ name, sha256 }: { name: string; sha256: string | null }): FileName {
  if (sha256 === null) throw new Error(`${name} has messages in a file, and no file`)
  return { name, sha256 }
}

/** Iterates over all messages of a room after `after` that are no longer in the log's tables. */
export async function* iterateArchived(ctx: Context, roomId: string, after = 0): AsyncGenerator<ArchivedRow, void> {
  // Each may have up to `limits.envelopeBytes`.
  const limit = 100
  for (let last = after; ; ) {
    const rows = await readArchivedMessages(ctx, { roomId, after: last, limit })
    yield* rows
    const end = rows.at(-1)
    if (!end || rows.length < limit) return
    last = end.seq
  }
}

/** Finds a message of a group by id, among those that are no longer in the log's tables. */
export async function findArchived(ctx: Context, roomId: string, id: string): Promise<ArchivedRow | null> {
  const [partition] = await ctx.db.messagePartition.findMany({ where: { state: { not: 'attached' }, from: { lte: id }, upTo: { gt: id } } })
  if (!partition) return null
  const { name } = partition
  const limit = 500
  for (let after = 0; ; ) {
    const asked = { roomId, after, limit }
    const rows = partition.state === 'detached' ? await readTable(ctx, name, asked) : await readFile(ctx, named(partition), asked)
    const row = rows.find((one) => one.id === id)
    if (row) return (await applyErasures(ctx, roomId, [row]))[0] ?? null
    const last = rows.at(-1)
    if (!last) return null
    after = last.seq
  }
}
