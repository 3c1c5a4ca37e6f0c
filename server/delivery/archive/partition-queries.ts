import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import type { ArchivedRow } from '../../ports.ts'

/** The lowest and highest sequence number of a group in a table, and the number of its messages. */
export type GroupRange = { readonly groupId: string; readonly first: number; readonly last: number; readonly messages: number }
/** Rows per query. */
const maxRows = 500

type Row = Omit<ArchivedRow, 'receivedAt'> & { receivedAt: Date }

/** The groups of a detached partition, in code unit order. */
export async function listGroupRanges(ctx: Context, name: string): Promise<GroupRange[]> {
  const spans = await ctx.db.$queryRaw<GroupRange[]>`
    select "groupId", min("seq") as "first", max("seq") as "last", count(*)::int as "messages" from ${tableSql(name)} group by "groupId"`
  return spans.sort((a, b) => (a.groupId < b.groupId ? -1 : 1))
}

/** The messages of a table by group and sequence number, one page at a time. Small adjacent groups share a page. */
export async function* readRows(ctx: Context, name: string, spans: readonly GroupRange[]): AsyncIterable<readonly ArchivedRow[]> {
  for (const lot of batchRanges(spans)) {
    const [first] = lot
    if (!first) continue
    if (lot.length > 1 || first.messages <= maxRows) {
      const rows = await ctx.db.$queryRaw<Row[]>`
        select ${columns} from ${tableSql(name)} where "groupId" = any(${lot.map((span) => span.groupId)})`
      yield rows.sort((a, b) => (a.groupId === b.groupId ? a.seq - b.seq : a.groupId < b.groupId ? -1 : 1)).map(toArchivedRow)
      continue
    }
    for (let after = first.first - 1; after < first.last; ) {
      const rows = await readTable(ctx, name, { groupId: first.groupId, after, limit: maxRows })
      const last = rows.at(-1)
      if (!last) break
      yield rows
      after = last.seq
    }
  }
}

/** Messages of one group after `after`, in order. */
export async function readTable(
  ctx: Context,
  name: string,
  { groupId, after, limit }: { groupId: string; after: number; limit: number },
): Promise<ArchivedRow[]> {
  const rows = await ctx.db.$queryRaw<Row[]>`
    select ${columns} from ${tableSql(name)} where "groupId" = ${groupId} and "seq" > ${after} order by "seq" limit ${limit}`
  return rows.map(toArchivedRow)
}

/** Combines small groups up to `maxRows` messages per query. A larger group gets its own. */
export function batchRanges(spans: readonly GroupRange[]): GroupRange[][] {
  const lots: GroupRange[][] = []
  let room = 0
  for (const span of spans) {
    const lot = lots.at(-1)
    if (lot && span.messages <= room) {
      lot.push(span)
      room -= span.messages
    } else {
      lots.push([span])
      room = maxRows - span.messages
    }
  }
  return lots
}

const columns = Prisma.sql`"groupId", "seq", "id"::text as "id", "senderId", "type", "state", "taskId", "body", "bodyHash", "hash", "receivedAt"`

/** Accepts only partition names, because the name becomes part of the SQL. */
export function tableSql(name: string): Prisma.Sql {
  if (!/^message_(start|\d{4}_\d{2})$/.test(name)) throw new Error(`${name} is no table of messages`)
  return Prisma.raw(`"${name}"`)
}

function toArchivedRow({ groupId, seq, id, senderId, type, state, taskId, body, bodyHash, hash, receivedAt }: Row): ArchivedRow {
  return { groupId, seq, id, senderId, type, state, taskId, body, bodyHash, hash, receivedAt: receivedAt.toISOString() }
}
