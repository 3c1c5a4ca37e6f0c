import type { Lane, Step } from '../db.ts'
import { channel } from '../wake/notify.ts'
import type { Wake } from '../wake.ts'
import { startRows } from './copy-rows.ts'
import type { Numbered, Tail } from './number-message.ts'

/** Messages that a log holds already, of those that were asked for. */
export type Earlier = ReadonlyMap<string, { readonly seq: number; readonly bodyHash: string }>
/**
 * A log that this transaction has locked, or that is thought to stand so. `horizon`: ids below it lie in tables no more, so
 * that no new message may have one.
 */
export type OpenLog = Tail & { readonly earlier: Earlier; readonly horizon: string }

type LogRow = { id: string; head: number; hash: string; horizon: string }
type EarlierRow = { groupId: string; id: string; seq: number; bodyHash: string }

/** The lowest id that a new message may have. */
export const horizonText = `coalesce((select p."upTo"::text from "message_partition" p where p."state" <> 'attached' order by p."upTo" desc limit 1), '')`

const lockText = (wait: string) => `
  select g."id", g."head", g."hash", ${horizonText} as "horizon"
  from "group" g where g."id" = any($1) order by g."id" for update ${wait}`
const recallText = `
  select m."groupId", m."id", m."seq", m."bodyHash" from unnest($1::text[], $2::uuid[]) as asked("groupId", "id")
  join "message" m on m."groupId" = asked."groupId" and m."id" = asked."id"`

/**
 * Locks these logs to the end of the transaction and tells where they stand. `skip`: leave out those that somebody else
 * holds, instead of waiting. `asked`: messages that may be there already.
 */
export async function lockLogs(
  lane: Lane,
  groupIds: readonly string[],
  asked: readonly { readonly groupId: string; readonly id: string }[],
  skip: boolean,
): Promise<Map<string, OpenLog>> {
  const rows = await lane.query<LogRow>(skip ? 'lock-free-logs' : 'lock-logs', lockText(skip ? 'skip locked' : ''), [groupIds])
  const earlierOf = new Map(rows.map(({ id }) => [id, new Map<string, { seq: number; bodyHash: string }>()]))
  const held = asked.filter(({ groupId }) => earlierOf.has(groupId))
  // A statement sees what was there when it began: one that has waited for a lock doesn't see what its holder has written.
  const earlier =
    held.length === 0
      ? []
      : await lane.query<EarlierRow>('recall-messages', recallText, [held.map((one) => one.groupId), held.map((one) => one.id)])
  for (const { groupId, id, seq, bodyHash } of earlier) earlierOf.get(groupId)?.set(id, { seq, bodyHash })
  return new Map(rows.map(({ id, ...log }) => [id, { ...log, earlier: earlierOf.get(id) ?? new Map() }] as const))
}

/** Locks these logs too, and fails where one is in other hands or does not end in the message that `tail` names. */
export function expectLogs(logs: readonly { readonly groupId: string; readonly tail: Tail }[]): Step {
  return {
    name: 'expect-logs',
    text: `with held as (
        select 1 from "group" g join json_to_recordset($1::json) as t("id" text, "hash" text) on g."id" = t."id" and g."hash" = t."hash"
        for update of g skip locked)
      select "expect"((select count(*) from held) = $2::int)`,
    values: [JSON.stringify(logs.map(({ groupId, tail }) => ({ id: groupId, hash: tail.hash }))), String(logs.length)],
  }
}

export type LogBatch = { readonly groupId: string; readonly messages: readonly Numbered[] }

/**
 * Writes the messages of many logs and moves their heads. No event goes into the outbox: the log itself tells what was said,
 * and nothing is done about talk. `waking`: the database wakes other processes at the commit.
 */
export async function appendBatch(lane: Lane, logs: readonly LogBatch[], waking: Waking): Promise<void> {
  if (logs.length === 0) return
  await lane.copy(copyText, messageRows(logs))
  const { name, text } = moveHeads[waking.byDatabase ? 'aloud' : 'quietly']
  await lane.query(name, text, [headsOf(logs, waking.from)])
}

/** The same for a transaction that goes out whole. */
export function appendSteps(logs: readonly LogBatch[], waking: Waking): Step[] {
  const { name, text } = moveHeads[waking.byDatabase ? 'aloud' : 'quietly']
  return [
    { name: 'copy-messages', text: copyText, rows: messageRows(logs) },
    { name: `${name}-blind`, text, values: [headsOf(logs, waking.from)] },
  ]
}

/** Whether the statement itself wakes other processes, and how ours knows its own signals. */
export type Waking = { readonly byDatabase: boolean; readonly from: string }

/** What other processes have to be told of these messages. */
export function wakesOf(logs: readonly LogBatch[], from: string): Wake[] {
  return logs.flatMap(({ groupId, messages }) => {
    const last = messages.at(-1)
    return last ? [{ topic: 'group', id: groupId, seq: last.head, from } as const] : []
  })
}

const columns = ['groupId', 'seq', 'id', 'senderId', 'type', 'state', 'taskId', 'body', 'bodyHash', 'hash', 'receivedAt']
const copyText = `copy "message" (${columns.map((name) => `"${name}"`).join(', ')}) from stdin (format binary)`

function messageRows(logs: readonly LogBatch[]): Buffer {
  const rows = startRows(columns.length)
  for (const { groupId, messages } of logs) {
    for (const { spelled, head, hash, body, receivedAt } of messages) {
      const { id, sender_id, type, state, task_id } = spelled.envelope
      rows.row()
      rows.text(groupId)
      rows.int4(head)
      rows.uuid(id)
      rows.text(sender_id)
      rows.text(type)
      rows.text(state)
      rows.text(task_id ?? null)
      rows.bytes(body)
      rows.text(spelled.bodyHash)
      rows.text(hash)
      rows.instant(receivedAt.getTime())
    }
  }
  return rows.end()
}

const moveHeadsText = (told: string) => `
  with moved as (select * from json_to_recordset($1::json) as r("id" text, "head" int, "hash" text, "wake" text)),
    heads as (update "group" g set "head" = r."head", "hash" = r."hash" from moved r where g."id" = r."id")
  select ${told} from moved r`
const moveHeads = {
  aloud: { name: 'move-heads', text: moveHeadsText(`pg_notify('${channel}', r."wake")`) },
  quietly: { name: 'move-heads-quietly', text: moveHeadsText('count(*)') },
}

function headsOf(logs: readonly LogBatch[], from: string): string {
  const heads = logs.flatMap(({ groupId, messages }) => {
    const last = messages.at(-1)
    if (!last) return []
    const wake: Wake = { topic: 'group', id: groupId, seq: last.head, from }
    return [{ id: groupId, head: last.head, hash: last.hash, wake: JSON.stringify(wake) }]
  })
  return JSON.stringify(heads)
}
