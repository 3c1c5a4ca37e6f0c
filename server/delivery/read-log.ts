import type { Context } from '../context.ts'
import { inOrder, readFiled } from './archive/read-filed.ts'
import { groupNotFound } from './errors.ts'

export { inOrder } from './archive/read-filed.ts'

/** A stored message: `body` is the delivered envelope's canonical text, byte for byte. */
export type StoredMessage = { readonly seq: number; readonly body: string; readonly hash: string }

/**
 * Messages after `after`, in order and without gaps, wherever they lie: fewer than `limit` (≤ 1000) mean that there are no
 * more. Who may read them is the caller's question.
 * @throws server.unavailable where a file of old messages can't be read
 */
export async function readLog(ctx: Context, input: { groupId: string; after: number; limit: number }): Promise<StoredMessage[]> {
  const { groupId, after } = input
  const limit = Math.min(input.limit, 1_000)
  // Most who ask have everything: the group tells that for less than the tables of all months do.
  const head = await headOf(ctx, groupId)
  if (head <= after) return []
  const rows = await ctx.db.message.findMany({
    where: { groupId, seq: { gt: after } },
    orderBy: { seq: 'asc' },
    take: limit,
    select: { seq: true, body: true, hash: true },
  })
  if (isWhole(rows, after, Math.min(head, after + limit))) return rows
  const older = await readFiled(ctx, { groupId, after, limit })
  return inOrder([...older.map(({ seq, body, hash }) => ({ seq, body, hash })), ...rows]).slice(0, limit)
}

/**
 * Whether these follow on `after` and on one another as far as `end`: numbers have no gaps, so that a gap is filled from
 * elsewhere. What is missing may be the last, of a sender whose clock was late.
 */
function isWhole(rows: readonly StoredMessage[], after: number, end: number): boolean {
  const last = rows.at(-1)?.seq
  return last !== undefined && last >= end && last === after + rows.length
}

async function headOf(ctx: Context, groupId: string): Promise<number> {
  const group = await ctx.db.group.findUnique({ where: { id: groupId }, select: { head: true } })
  return group?.head ?? 0
}
/** The last sequence number and chain hash of a group. @throws group.not_found */
export async function getHead(ctx: Context, groupId: string): Promise<{ head: number; hash: string }> {
  const group = await ctx.db.group.findUnique({ where: { id: groupId }, select: { head: true, hash: true } })
  if (!group) throw groupNotFound(groupId)
  return group
}

/** The last sequence number of each of these groups. */
export async function listHeads(ctx: Context, groupIds: readonly string[]): Promise<{ groupId: string; head: number }[]> {
  return ctx.db.$queryRaw`select "id" as "groupId", "head" from "group" where "id" = any(${[...groupIds]}::text[])`
}

/** How far a member has acked a group, and the group's head. */
export type CursorPlace = { readonly groupId: string; readonly head: number; readonly acked: number }

/** Where a member stands in each of these groups. Groups without a cursor count as 0. */
export async function listCursors(ctx: Context, memberId: string, groupIds: readonly string[]): Promise<CursorPlace[]> {
  return (await listCursorsOfEach(ctx, [{ memberId, groupIds }]))[0] ?? []
}

/** The same for many members, in their order. */
export async function listCursorsOfEach(
  ctx: Context,
  asked: readonly { readonly memberId: string; readonly groupIds: readonly string[] }[],
): Promise<CursorPlace[][]> {
  const pairs = asked.flatMap(({ memberId, groupIds }, place) => groupIds.map((groupId) => ({ place, memberId, groupId })))
  const [places, memberIds, groupIds] = [pairs.map((one) => one.place), pairs.map((one) => one.memberId), pairs.map((one) => one.groupId)]
  const rows = await ctx.db.$queryRaw<(CursorPlace & { place: number })[]>`
    select s."place", g."id" as "groupId", g."head", coalesce(c."acked", 0) as "acked"
    from unnest(${places}::int[], ${memberIds}::text[], ${groupIds}::text[]) as s("place", "memberId", "groupId")
    join "group" g on g."id" = s."groupId" left join "cursor" c on c."groupId" = g."id" and c."memberId" = s."memberId"`
  const found: CursorPlace[][] = asked.map(() => [])
  for (const { place, ...cursor } of rows) found[place]?.push(cursor)
  return found
}

/** Moves a member's cursor forward; an older ack changes nothing, one beyond the head is cut to it. */
export async function moveCursor(ctx: Context, input: { groupId: string; memberId: string; acked: number }): Promise<void> {
  await ctx.db.$executeRaw`
    insert into "cursor" ("groupId", "memberId", "acked", "at")
    select "id", ${input.memberId}, least(${input.acked}::int, "head"), ${ctx.clock.now()} from "group" where "id" = ${input.groupId}
    on conflict ("groupId", "memberId") do update set "acked" = greatest("cursor"."acked", excluded."acked"), "at" = excluded."at"`
}
