import type { Lane } from '../db.ts'

/** A member has handled everything of the group up to `acked`. */
export type CursorMove = { readonly groupId: string; readonly memberId: string; readonly acked: number }

/**
 * Moves many cursors forward; an older ack changes nothing, one beyond the head is cut to it. Each group and member once.
 * Lost in a crash of the database, an ack costs a second delivery and nothing more: it isn't waited for on the disk.
 */
export async function moveCursors(lane: Lane, moves: readonly CursorMove[], at: Date): Promise<void> {
  await lane.query('cursors-need-no-disk', 'set local synchronous_commit = off', [])
  await lane.query(
    'move-cursors',
    `insert into "cursor" ("groupId", "memberId", "acked", "at")
     select g."id", r."memberId", least(r."acked", g."head"), $4
     from unnest($1::text[], $2::text[], $3::int[]) as r("groupId", "memberId", "acked") join "group" g on g."id" = r."groupId"
     order by g."id", r."memberId"
     on conflict ("groupId", "memberId") do update set "acked" = greatest("cursor"."acked", excluded."acked"), "at" = excluded."at"
       where "cursor"."acked" < excluded."acked"`,
    [moves.map((one) => one.groupId), moves.map((one) => one.memberId), moves.map((one) => one.acked), at],
  )
}
