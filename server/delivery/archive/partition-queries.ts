import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import type { FiledRow } from '../../ports.ts'

/** Between which numbers a table has messages of a group, and how many. */
export type Span = { readonly groupId: string; readonly first: number; readonly last: number; readonly messages: number }
/** Rows that are read at a time. */
const mostRows = 500

type Row = Omit<FiledRow, 'receivedAt'> & { receivedAt: Date }

/** The groups of a table that was taken out of the log, in the order of their code units. */
export async function spansOf(ctx: Context, name: string): Promise<Span[]> {
  const spans = await ctx.db.$queryRaw<Span[]>`
    select "groupId", min("seq") as "first", max("seq") as "last", count(*)::int as "messages" from ${tableOf(name)} group by "groupId"`
  return spans.sort((a, b) => (a.groupId < b.groupId ? -1 : 1))
}

/** Its messages by group and number, a page at a time: neighbouring small groups share one. */
export async function* rowsOf(ctx: Context, name: string, spans: readonly Span[]): AsyncIterable<readonly FiledRow[]> {
  for (const lot of lotsOf(spans)) {
    const [first] = lot
    if (!first) continue
    if (lot.length > 1 || first.messages <= mostRows) {
      const rows = await ctx.db.$queryRaw<Row[]>`
        select ${columns} from ${tableOf(name)} where "groupId" = any(${lot.map((span) => span.groupId)})`
      yield rows.sort((a, b) => (a.groupId === b.groupId ? a.seq - b.seq : a.groupId < b.groupId ? -1 : 1)).map(asFiled)
      continue
    }
    for (let after = first.first - 1; after < first.last; ) {
      const rows = await readTable(ctx, name, { groupId: first.groupId, after, limit: mostRows })
      const last = rows.at(-1)
      if (!last) break
      yield rows
      after = last.seq
    }
  }
}

/** Messages of one group behind `after`, in order. */
export async function readTable(
  ctx: Context,
  name: string,
  { groupId, after, limit }: { groupId: string; after: number; limit: number },
): Promise<FiledRow[]> {
  const rows = await ctx.db.$queryRaw<Row[]>`
    select ${columns} from ${tableOf(name)} where "groupId" = ${groupId} and "seq" > ${after} order by "seq" limit ${limit}`
  return rows.map(asFiled)
}

/** Groups that are read together: as many as have `mostRows` messages, or one that has more by itself. */
export function lotsOf(spans: readonly Span[]): Span[][] {
  const lots: Span[][] = []
  let room = 0
  for (const span of spans) {
    const lot = lots.at(-1)
    if (lot && span.messages <= room) {
      lot.push(span)
      room -= span.messages
    } else {
      lots.push([span])
      room = mostRows - span.messages
    }
  }
  return lots
}

const columns = Prisma.sql`"groupId", "seq", "id"::text as "id", "senderId", "type", "state", "taskId", "body", "bodyHash", "hash", "receivedAt"`

/** The names are this house's own, from `message_partition`. */
export function tableOf(name: string): Prisma.Sql {
  if (!/^message_(start|\d{4}_\d{2})$/.test(name)) throw new Error(`${name} is no table of messages`)
  return Prisma.raw(`"${name}"`)
}

function asFiled({ groupId, seq, id, senderId, type, state, taskId, body, bodyHash, hash, receivedAt }: Row): FiledRow {
  return { groupId, seq, id, senderId, type, state, taskId, body, bodyHash, hash, receivedAt: receivedAt.toISOString() }
}
