import type { Step } from '../db.ts'

/** A member has handled everything of the group up to `acked`. */
export type CursorCommit = { readonly groupId: string; readonly memberId: string; readonly acked: number }

/**
 * Moves many cursors forward, in a transaction that goes out whole; an older ack changes nothing, one beyond the head is cut
 * to it. Each group and member once. Lost in a crash of the database, an ack costs a second delivery and nothing more: it isn't waited for on the disk.
 */
export function commitCursorsSteps(moves: readonly CursorCommit[], at: Date): Step[] {
  const rows = moves.map(({ groupId, memberId, acked }) => ({ groupId, memberId, acked, at: at.toISOString() }))
  return [
    { name: 'cursors-need-no-disk', text: "select set_config('synchronous_commit', 'off', true)", values: [] },
    { name: 'move-cursors', text: commitCursorsSql, values: [JSON.stringify(rows)] },
  ]
}

const commitCursorsSql = `
  insert into "cursor" ("groupId", "memberId", "acked", "at")
  select g."id", r."memberId", least(r."acked", g."head"), r."at"
  from json_to_recordset($1::json) as r("groupId" text, "memberId" text, "acked" int, "at" timestamptz) join "group" g on g."id" = r."groupId"
  order by g."id", r."memberId"
  on conflict ("groupId", "memberId") do update set "acked" = greatest("cursor"."acked", excluded."acked"), "at" = excluded."at"
    where "cursor"."acked" < excluded."acked"`
