import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { ArchivedFile, ArchivedRow } from '../../ports.ts'
import { uuidTimestampOf } from './create-partitions.ts'
import { listRoomRanges, type RoomRange, readPartitionRows } from './partition-queries.ts'

/** The crash points of an archive run, in order. The next run continues from any of them. */
export const archivePoints = ['detached', 'half', 'synced', 'named', 'written', 'verified', 'noted', 'archived'] as const
export type ArchivePoint = (typeof archivePoints)[number]
export type ArchiveOptions = {
  readonly retentionDays: number
  /** Called at each crash point. Only tests use it, to stop the process there. */
  readonly reached?: (point: ArchivePoint, name: string) => Promise<void>
}

const dayMs = 86_400_000

/**
 * Moves months older than `retentionDays` from their tables into archive files, oldest first, and returns the files.
 * Each file is read back and compared row by row. The transaction that records it drops the table.
 * Two runs at the same time repeat work without harm.
 */
export async function archiveMessages(ctx: Context, filing: ArchiveOptions): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = []
  for (;;) {
    const due = await nextDue(ctx, filing.retentionDays)
    if (!due) return files
    if (due.state === 'attached') await detach(ctx, due.name)
    await filing.reached?.('detached', due.name)
    const filed = await archiveTable(ctx, due.name, filing)
    if (filed) files.push(filed)
  }
}

async function nextDue(ctx: Context, retentionDays: number) {
  const oldest = await ctx.db.messagePartition.findFirst({ where: { state: { not: 'archived' } }, orderBy: { from: 'asc' } })
  const isDue = oldest && (oldest.state === 'detached' || uuidTimestampOf(oldest.upTo) + retentionDays * dayMs <= ctx.clock.now().getTime())
  return isDue ? oldest : null
}

async function detach(ctx: Context, name: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    // The lock blocks all appends and reads, so it is only attempted for a short time. A later run retries.
    await tx.db.$executeRaw`set local lock_timeout = '3s'`
    await tx.db.$queryRaw`select "detach_message_partition"(${name})::text`
  })
  ctx.log.info({ event: 'archive.partition_detached', table: name }, 'The partition of a month was detached for the archive.')
}

/** Null if another run archived the table in the meantime. */
async function archiveTable(ctx: Context, name: string, { reached }: ArchiveOptions): Promise<ArchivedFile | null> {
  const spans = await listRoomRanges(ctx, name)
  const filed = await ctx.ports.files.write(name, readPartitionRows(ctx, name, spans), async (point) => reached?.(point, name))
  await reached?.('written', name)
  await verify(ctx, filed, spans)
  await reached?.('verified', name)
  const isOurs = await inTransaction(ctx, async (tx) => {
    const { messages, bytes, sha256 } = filed
    const { count } = await tx.db.messagePartition.updateMany({
      where: { name, state: 'detached' },
      data: { state: 'archived', messages, bytes, sha256, archivedAt: tx.clock.now() },
    })
    if (count === 0) return false
    for (let at = 0; at < spans.length; at += 1_000)
      await tx.db.archivedRange.createMany({ data: spans.slice(at, at + 1_000).map((span) => ({ ...span, partition: name })) })
    await tx.db.$queryRaw`select "drop_archived_partition"(${name})::text`
    await reached?.('noted', name)
    return true
  })
  if (!isOurs) return null
  ctx.log.info({ event: 'archive.month_archived', ...filed }, 'The messages of a month were archived.')
  await reached?.('archived', name)
  return filed
}

/** Compares the file, as read from disk, with the table row by row. */
async function verify(ctx: Context, filed: ArchivedFile, spans: readonly RoomRange[]): Promise<void> {
  const inFile = flat(ctx.ports.files.all(filed))
  let rows = 0
  for await (const row of flat(readPartitionRows(ctx, filed.name, spans))) {
    const { value } = await inFile.next()
    if (JSON.stringify(value) !== JSON.stringify(row)) throw differs(filed, row.roomId, row.seq)
    rows++
  }
  const { done } = await inFile.next()
  if (!done || rows !== filed.messages || rows !== spans.reduce((sum, span) => sum + span.messages, 0))
    throw differs(filed, 'its end', rows)
}

async function* flat(lots: AsyncIterable<readonly ArchivedRow[]>): AsyncGenerator<ArchivedRow, undefined> {
  for await (const lot of lots) yield* lot
}

const differs = ({ name }: ArchivedFile, where: string, seq: number) =>
  new Error(`the file of ${name} differs from its table at ${where}, ${seq}`)
