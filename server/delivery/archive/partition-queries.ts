import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import type { ArchivedRow } from '../../ports.ts'

/** The lowest and highest sequence number of a room in a table, and the number of its messages. */
export type RoomRange = { readonly roomId: string; readonly first: number; readonly last: number; readonly messages: number }
/** Rows per query. */
const maxRows = 500

type Row = Omit<ArchivedRow, 'receivedAt'> & { receivedAt: Date }

/** The rooms of a detached partition, in code unit order. */
export async function listRoomRanges(ctx: Context, name: string): Promise<RoomRange[]> {
  const spans = await ctx.db.$queryRaw<RoomRange[]>`
    select "roomId", min("seq") as "first", max("seq") as "last", count(*)::int as "messages" from ${tableSql(name)} group by "roomId"`
  return spans.sort((a, b) => (a.roomId < b.roomId ? -1 : 1))
}

/** The messages of a table by room and sequence number, one page at a time. Small adjacent rooms share a page. */
export async function* readPartitionRows(ctx: Context, name: string, spans: readonly RoomRange[]): AsyncIterable<readonly ArchivedRow[]> {
  for (const lot of batchRanges(spans)) {
    const [first] = lot
    if (!first) continue
    if (lot.length > 1 || first.messages <= maxRows) {
      const rows = await ctx.db.$queryRaw<Row[]>`
        select ${columns} from ${tableSql(name)} where "roomId" = any(${lot.map((span) => span.roomId)})`
      yield rows.sort((a, b) => (a.roomId === b.roomId ? a.seq - b.seq : a.roomId < b.roomId ? -1 : 1)).map(toArchivedRow)
      continue
    }
    for (let after = first.first - 1; after < first.last; ) {
      const rows = await readTable(ctx, name, { roomId: first.roomId, after, limit: maxRows })
      const last = rows.at(-1)
      if (!last) break
      yield rows
      after = last.seq
    }
  }
}

/** Messages of one room after `after`, in order. */
export async function readTable(
  ctx: Context,
  name: string,
  { roomId, after, limit }: { roomId: string; after: number; limit: number },
): Promise<ArchivedRow[]> {
  const rows = await ctx.db.$queryRaw<Row[]>`
    select ${columns} from ${tableSql(name)} where "roomId" = ${roomId} and "seq" > ${after} order by "seq" limit ${limit}`
  return rows.map(toArchivedRow)
}

/** Combines small rooms up to `maxRows` messages per query. A larger room gets its own. */
export function batchRanges(spans: readonly RoomRange[]): RoomRange[][] {
  const lots: RoomRange[][] = []
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

const columns = Prisma.sql`"roomId", "seq", "id"::text as "id", "senderId", "type", "state", "taskId", "body", "bodyHash", "hash", "receivedAt"`

/** Accepts only partition names, because the name becomes part of the SQL. */
export function tableSql(name: string): Prisma.Sql {
  if (!/^message_(start|\d{4}_\d{2})$/.test(name)) throw new Error(`${name} is no table of messages`)
  return Prisma.raw(`"${name}"`)
}

function toArchivedRow({ roomId, seq, id, senderId, type, state, taskId, body, bodyHash, hash, receivedAt }: Row): ArchivedRow {
  return { roomId, seq, id, senderId, type, state, taskId, body, bodyHash, hash, receivedAt: receivedAt.toISOString() }
}
