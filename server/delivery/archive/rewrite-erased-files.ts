import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { ArchivedRow } from '../../ports.ts'
import { tableSql } from './partition-queries.ts'

type Erased = { readonly roomId: string; readonly seq: number; readonly body: string; readonly bodyHash: string }

/** Replaces an erased message in tables that are detached but not yet archived. */
export async function eraseInDetached(tx: Context, { roomId, seq, body, bodyHash }: Erased): Promise<void> {
  // This lock and the transaction that records the file wait for each other. If the file wins, the table is gone and the file is
  // rewritten.
  const tables = await tx.db.$queryRaw<{ name: string }[]>`
    select "name" from "message_partition" where "state" = 'detached' for update`
  for (const { name } of tables)
    await tx.db.$executeRaw`
      update ${tableSql(name)} set "body" = ${body}, "bodyHash" = ${bodyHash} where "roomId" = ${roomId} and "seq" = ${seq}`
}

/** Replaces archived messages that were erased but may still be in their file. */
export async function applyErasures(ctx: Context, roomId: string, rows: readonly ArchivedRow[]): Promise<ArchivedRow[]> {
  if (rows.length === 0) return []
  const found = await ctx.db.erasedMessage.findMany({
    where: { roomId, isArchiveRedacted: false, seq: { in: rows.map((row) => row.seq) } },
  })
  const erased = new Map(found.map((one) => [one.seq, one]))
  return rows.map((row) => {
    const one = erased.get(row.seq)
    return one ? { ...row, body: one.placeholder, bodyHash: one.bodyHash } : row
  })
}

/**
 * Rewrites each archive file that still contains erased messages, removes the old file, and returns the names.
 * After a crash the old file stays in use, or an unreferenced file remains. The next run repeats the work.
 */
export async function rewriteErasedFiles(ctx: Context): Promise<string[]> {
  const written: string[] = []
  const due = await ctx.db.$queryRaw<{ name: string }[]>`
    select distinct p."name" from "erased_message" e join "message_partition" p on e."id" >= p."from" and e."id" < p."upTo"
    where not e."isArchiveRedacted" and p."state" = 'archived' order by p."name"`
  for (const { name } of due) if (await rewriteFile(ctx, name)) written.push(name)
  return written
}

/** False if another run was faster. */
async function rewriteFile(ctx: Context, name: string): Promise<boolean> {
  const partition = await ctx.db.messagePartition.findUniqueOrThrow({ where: { name } })
  const { sha256, from, upTo, messages } = partition
  if (sha256 === null) return false
  const erased = await ctx.db.erasedMessage.findMany({ where: { isArchiveRedacted: false, id: { gte: from, lt: upTo } } })
  const bodies = new Map(erased.map((one) => [`${one.roomId} ${one.seq}`, one]))
  const old = { name, sha256 }
  async function* rows(): AsyncIterable<readonly ArchivedRow[]> {
    for await (const lot of ctx.ports.files.all(old))
      yield lot.map((row) => {
        const one = bodies.get(`${row.roomId} ${row.seq}`)
        return one ? { ...row, body: one.placeholder, bodyHash: one.bodyHash } : row
      })
  }
  const filed = await ctx.ports.files.write(name, rows())
  if (filed.messages !== messages) throw new Error(`the file of ${name} has ${filed.messages} messages, it had ${messages}`)
  const isOurs = await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.messagePartition.updateMany({
      where: { name, sha256 },
      data: { sha256: filed.sha256, bytes: filed.bytes },
    })
    if (count === 0) return false
    for (const { roomId, seq } of erased)
      await tx.db.erasedMessage.update({ where: { roomId_seq: { roomId, seq } }, data: { isArchiveRedacted: true } })
    return true
  })
  if (!isOurs) return false
  if (filed.sha256 !== sha256) await ctx.ports.files.remove(old)
  ctx.log.info({ event: 'archive.file_rewritten', name, erased: erased.length }, 'An archive file was rewritten without erased messages.')
  return true
}
