import type { PipelinedStatement } from '../db.ts'

/** A member has processed all messages of the room up to `acked` (an offset commit). */
export type CursorCommit = { readonly roomId: string; readonly memberId: string; readonly acked: number }

/**
 * Moves many cursors forward in one pipelined transaction; each pair of room and member once.
 * An older ack changes nothing, and one beyond the head is cut to the head.
 * The commit is asynchronous: an ack lost in a database crash only costs a second delivery.
 */
export function commitMemberCursorsSteps(moves: readonly CursorCommit[], at: Date): PipelinedStatement[] {
  const rows = moves.map(({ roomId, memberId, acked }) => ({ roomId, memberId, acked, at: at.toISOString() }))
  return [
    { name: 'cursors-need-no-disk', text: "select set_config('synchronous_commit', 'off', true)", values: [] },
    { name: 'move-cursors', text: commitCursorsSql, values: [JSON.stringify(rows)] },
  ]
}

const commitCursorsSql = `
  insert into "cursor" ("roomId", "memberId", "acked", "at")
  select g."id", r."memberId", least(r."acked", g."head"), r."at"
  from json_to_recordset($1::json) as r("roomId" text, "memberId" text, "acked" int, "at" timestamptz) join "room" g on g."id" = r."roomId"
  order by g."id", r."memberId"
  on conflict ("roomId", "memberId") do update set "acked" = greatest("cursor"."acked", excluded."acked"), "at" = excluded."at"
    where "cursor"."acked" < excluded."acked"`
