import type { Lane } from '../db.ts'
import { channel, type Wake } from '../wake.ts'
import type { Numbered, Tail } from './number-message.ts'

/** A log that this transaction has locked; `earlier`: which of the asked ids it holds already. */
export type LockedLog = Tail & { readonly earlier: ReadonlyMap<string, { readonly seq: number; readonly bodyHash: string }> }

type LogRow = { id: string; head: number; hash: string; earlier: { id: string; seq: number; bodyHash: string }[] | null }

const lockText = (wait: string) => `
  select g."id", g."head", g."hash",
    (select json_agg(json_build_object('id', m."id", 'seq', m."seq", 'bodyHash', m."bodyHash"))
      from unnest($2::text[], $3::uuid[]) as asked("groupId", "id")
      join "message" m on m."groupId" = asked."groupId" and m."id" = asked."id"
      where asked."groupId" = g."id") as "earlier"
  from "group" g where g."id" = any($1) order by g."id" for update ${wait}`

/**
 * Locks these logs to the end of the transaction and tells where they stand. `skip`: leave out those that somebody else
 * holds, instead of waiting. `asked`: messages that may be there already.
 */
export async function lockLogs(
  lane: Lane,
  groupIds: readonly string[],
  asked: readonly { readonly groupId: string; readonly id: string }[],
  skip: boolean,
): Promise<Map<string, LockedLog>> {
  const rows = await lane.query<LogRow>(skip ? 'lock-free-logs' : 'lock-logs', lockText(skip ? 'skip locked' : ''), [
    groupIds,
    asked.map((one) => one.groupId),
    asked.map((one) => one.id),
  ])
  return new Map(
    rows.map(({ id, head, hash, earlier }) => [id, { head, hash, earlier: new Map((earlier ?? []).map((one) => [one.id, one])) }] as const),
  )
}

export type LogBatch = { readonly groupId: string; readonly messages: readonly Numbered[] }

/**
 * Writes the messages of many logs, moves their heads, and notes in the outbox that they were spoken in: nobody waits for
 * that event, so it is handled as it is written. Other processes are woken at the commit; `from` is how ours knows its own.
 */
export async function appendBatch(lane: Lane, logs: readonly LogBatch[], from: string): Promise<void> {
  const rows = logs.flatMap(({ groupId, messages }) => messages.map((message) => copyRow(groupId, message)))
  if (rows.length === 0) return
  await lane.copy(
    'copy "message" ("groupId", "seq", "id", "senderId", "type", "state", "taskId", "body", "bodyHash", "hash", "receivedAt") from stdin',
    rows.join(''),
  )
  const heads = logs.flatMap(({ groupId, messages }) => {
    const last = messages.at(-1)
    if (!last) return []
    const wake: Wake = { topic: 'group', id: groupId, seq: last.head, from }
    return [{ id: groupId, head: last.head, hash: last.hash, wake: JSON.stringify(wake), at: last.receivedAt.toISOString() }]
  })
  await lane.query(
    'move-heads',
    `with moved as (select * from json_to_recordset($1::json) as r("id" text, "head" int, "hash" text, "wake" text, "at" timestamptz)),
      heads as (update "group" g set "head" = r."head", "hash" = r."hash" from moved r where g."id" = r."id"),
      told as (insert into "outbox_event" ("id", "type", "body", "createdAt", "handledAt")
        select 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'message.posted',
          jsonb_build_object('type', 'message.posted', 'group_id', r."id", 'seq', r."head"), r."at", r."at" from moved r)
    select pg_notify('${channel}', r."wake") from moved r`,
    [JSON.stringify(heads)],
  )
}

function copyRow(groupId: string, { spelled: { envelope, bodyHash }, head, hash, body, receivedAt }: Numbered): string {
  const { id, sender_id, type, state, task_id } = envelope
  const fields = [groupId, String(head), id, sender_id, type, state, task_id ?? null, body, bodyHash, hash, receivedAt.toISOString()]
  return `${fields.map(copyField).join('\t')}\n`
}

const special = /[\\\n\r\t]/g
const escapes: { readonly [character: string]: string } = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function copyField(value: string | null): string {
  return value === null ? '\\N' : value.replace(special, (character) => escapes[character] ?? character)
}
