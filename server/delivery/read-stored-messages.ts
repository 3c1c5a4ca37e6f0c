import { transcriptStart } from '@parley/protocol'
import type { Context } from '../context.ts'
import { readArchivedMessages, sortUniqueBySeq } from './archive/read-archived-messages.ts'
import { cursorBeyondHead, roomNotFound } from './errors.ts'

export { sortUniqueBySeq } from './archive/read-archived-messages.ts'

/**
 * A stored message. `body`: the canonical text of the delivered envelope, byte for byte. `bodyHash`: of the signed bytes; missing for a
 * placeholder.
 */
export type StoredMessage = { readonly seq: number; readonly body: string; readonly hash: string; readonly bodyHash?: string | undefined }

/** `maxBytes`: the total size of the texts. A page always has at least one message. */
export type LogPageQuery = { readonly roomId: string; readonly after: number; readonly limit: number; readonly maxBytes?: number }
/** What a page is verified against. `previous`: the hash chain value before its first message; null if unknown. */
export type PageBounds = { readonly after: number; readonly previous: string | null; readonly head: number; readonly hash: string | null }
/** `head`: the head of the log before the read. `upTo`: the last sequence number that this page covers. */
export type LogPage = { readonly messages: StoredMessage[]; readonly upTo: number } & PageBounds

/** The size limit of a page if the caller gives none. */
const maxPageBytes = 16_777_216

/**
 * Messages after `after`, in order and without gaps, from tables and archive; at most 1,000.
 * Fewer than `limit` mean the end of the log or of `maxBytes`. The caller checks who may read.
 * @throws server.unavailable if an archive file cannot be read
 */
export async function readStoredMessages(ctx: Context, input: LogPageQuery): Promise<StoredMessage[]> {
  return (await readLogPage(ctx, input)).messages
}

/** The same with the head of the log. */
export async function readLogPage(ctx: Context, input: LogPageQuery): Promise<LogPage> {
  const { roomId, after, maxBytes = maxPageBytes } = input
  const limit = Math.min(input.limit, 1_000)
  // Most readers are up to date. The room's row shows that without a read of all partitions.
  const { head, hash } = await findLogHead(ctx, roomId)
  if (head <= after) return { messages: [], upTo: after, after, previous: null, head, hash }
  const rows = await ctx.db.$queryRaw<(StoredMessage & { end: number; before: string | null })[]>`
    select "seq", "body", "hash", "bodyHash", "end",
      case when "seq" = ${after} + 1 then (select "hash" from "message" where "roomId" = ${roomId} and "seq" = ${after}) end as "before"
    from (
      select "seq", "body", "hash", "bodyHash", max("seq") over () as "end",
        sum(octet_length("body")) over (order by "seq") - octet_length("body") as "bytesBefore"
      from (select * from "message" where "roomId" = ${roomId} and "seq" > ${after} order by "seq" limit ${limit}) m) page
    where "bytesBefore" < ${maxBytes} order by "seq"`
  const messages = rows.map(({ seq, body, hash, bodyHash }) => ({ seq, body, hash, bodyHash }))
  const last = messages.at(-1)?.seq ?? after
  // A page that ended early by its size covers only what it holds.
  const upTo = last < (rows[0]?.end ?? after) ? last : Math.min(head, after + limit)
  const ends = { after, previous: after === 0 ? transcriptStart : (rows[0]?.before ?? null), head, hash }
  if (isContiguous(messages, after, upTo)) return { messages, upTo, ...ends, previous: ends.previous ?? (await hashAt(ctx, roomId, after)) }
  const filed = await readArchivedMessages(ctx, { roomId, after: Math.max(0, after - 1), limit: upTo - Math.max(0, after - 1) })
  const previous = ends.previous ?? filed.find(({ seq }) => seq === after)?.hash ?? null
  const older = filed.filter(({ seq }) => seq > after).map(({ seq, body, hash, bodyHash }) => ({ seq, body, hash, bodyHash }))
  const all = sortUniqueBySeq([...older, ...messages])
  const page = withinBytes(all.slice(0, limit), maxBytes)
  return { messages: page, upTo: page.length < all.length ? (page.at(-1)?.seq ?? after) : upTo, ...ends, previous }
}

/** The hash chain value at a message that is no longer in the log's tables. */
async function hashAt(ctx: Context, roomId: string, seq: number): Promise<string | null> {
  const [row] = await readArchivedMessages(ctx, { roomId, after: seq - 1, limit: 1 })
  return row?.seq === seq ? row.hash : null
}

function withinBytes(messages: readonly StoredMessage[], maxBytes: number): StoredMessage[] {
  let bytes = 0
  const end = messages.findIndex(({ body }, index) => {
    const isBeyond = index > 0 && bytes >= maxBytes
    bytes += Buffer.byteLength(body)
    return isBeyond
  })
  return end < 0 ? [...messages] : messages.slice(0, end)
}

/**
 * Whether the rows follow `after` without a gap up to `end`. A gap is filled from the archive.
 * The last message may be missing as well, if its sender's clock was slow.
 */
function isContiguous(rows: readonly StoredMessage[], after: number, end: number): boolean {
  const last = rows.at(-1)?.seq
  return last !== undefined && last >= end && last === after + rows.length
}

async function findLogHead(ctx: Context, roomId: string): Promise<{ head: number; hash: string | null }> {
  const room = await ctx.db.room.findUnique({ where: { id: roomId }, select: { head: true, hash: true } })
  return room ?? { head: 0, hash: null }
}

/** @throws cursor.beyond_head if the room has no message with this or a higher sequence number; room.not_found */
export async function requireWithinHead(ctx: Context, roomId: string, after: number): Promise<void> {
  const { head } = await getHead(ctx, roomId)
  if (after > head) throw cursorBeyondHead(roomId, after, head)
}

/** The last sequence number of a room, and its hash chain value. @throws room.not_found */
export async function getHead(ctx: Context, roomId: string): Promise<{ head: number; hash: string }> {
  const room = await ctx.db.room.findUnique({ where: { id: roomId }, select: { head: true, hash: true } })
  if (!room) throw roomNotFound(roomId)
  return room
}

/** The last sequence number of each room. */
export async function listHeads(ctx: Context, roomIds: readonly string[]): Promise<{ roomId: string; head: number }[]> {
  return ctx.db.$queryRaw`select "id" as "roomId", "head" from "room" where "id" = any(${[...roomIds]}::text[])`
}

/** How far a member has acked a room, and the room's head. */
export type CursorPosition = { readonly roomId: string; readonly head: number; readonly acked: number }

/** A member's cursor in each of these rooms; 0 without a cursor. */
export async function listCursors(ctx: Context, memberId: string, roomIds: readonly string[]): Promise<CursorPosition[]> {
  return (await listCursorsOfEach(ctx, [{ memberId, roomIds }]))[0] ?? []
}

/** The same for many members, in their order. */
export async function listCursorsOfEach(
  ctx: Context,
  asked: readonly { readonly memberId: string; readonly roomIds: readonly string[] }[],
): Promise<CursorPosition[][]> {
  const pairs = asked.flatMap(({ memberId, roomIds }, place) => roomIds.map((roomId) => ({ place, memberId, roomId })))
  const [places, memberIds, roomIds] = [pairs.map((one) => one.place), pairs.map((one) => one.memberId), pairs.map((one) => one.roomId)]
  const rows = await ctx.db.$queryRaw<(CursorPosition & { place: number })[]>`
    select s."place", g."id" as "roomId", g."head", coalesce(c."acked", 0) as "acked"
    from unnest(${places}::int[], ${memberIds}::text[], ${roomIds}::text[]) as s("place", "memberId", "roomId")
    join "room" g on g."id" = s."roomId" left join "cursor" c on c."roomId" = g."id" and c."memberId" = s."memberId"`
  const found: CursorPosition[][] = asked.map(() => [])
  for (const { place, ...cursor } of rows) found[place]?.push(cursor)
  return found
}

/** Moves a member's cursor forward. An older ack changes nothing, and one beyond the head is cut to the head. */
export async function commitCursor(ctx: Context, input: { roomId: string; memberId: string; acked: number }): Promise<void> {
  await ctx.db.$executeRaw`
    insert into "cursor" ("roomId", "memberId", "acked", "at")
    select "id", ${input.memberId}, least(${input.acked}::int, "head"), ${ctx.clock.now()} from "room" where "id" = ${input.roomId}
    on conflict ("roomId", "memberId") do update set "acked" = greatest("cursor"."acked", excluded."acked"), "at" = excluded."at"`
}
