import { arrayText, type Condition, type Lane, type Step } from '../db.ts'
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

/**
 * Locks these logs and moves them on to the last of their messages, where each ends in the message that `tail` names and nobody
 * else holds it, and where `provided` holds; fails otherwise.
 */
export function moveLogs(logs: readonly (LogBatch & { readonly tail: Tail })[], provided: Condition): Step {
  const lasts = logs.flatMap(({ groupId, tail, messages }) => {
    const last = messages.at(-1)
    return last ? [{ groupId, was: tail.hash, head: String(last.head), hash: last.hash }] : []
  })
  const lists = (['groupId', 'was', 'head', 'hash'] as const).map((name) => arrayText(lasts.map((one) => one[name])))
  return {
    name: `move-logs-${provided.name}`,
    text: `
      with said as (select * from unnest($1::text[], $2::text[], $3::int[], $4::text[]) as s("id", "was", "head", "hash")),
        held as (select g."id", s."head", s."hash" from said s join "group" g on g."id" = s."id" where g."hash" = s."was" for update of g skip locked),
        moved as (update "group" g set "head" = h."head", "hash" = h."hash" from held h where g."id" = h."id" returning g."id", g."head")
      select "expect"(count(*) = $5::int and ${provided.text(6)}) from moved`,
    values: [...lists, String(lasts.length), ...provided.values],
  }
}

export type LogBatch = { readonly groupId: string; readonly messages: readonly Numbered[] }

/**
 * Writes the messages of many logs and moves their heads. No event goes into the outbox: the log itself tells what was said,
 * and nothing is done about talk. Fails where `provided` doesn't hold now that these logs are locked, whatever was read while
 * others had them.
 */
export async function appendBatch(lane: Lane, logs: readonly LogBatch[], provided: Condition): Promise<void> {
  if (logs.length === 0) return
  await lane.copy(copyText, messageRows(logs))
  await lane.query(`move-heads-${provided.name}`, moveHeadsText(provided.text(2)), [headsOf(logs), ...provided.values])
}

/** The messages alone, for a transaction that goes out whole. */
export function copyMessages(logs: readonly LogBatch[]): Step {
  return { name: 'copy-messages', text: copyText, rows: messageRows(logs) }
}

/** What other processes have to be told of these messages, once they are committed. `from`: how this process knows its own signals. */
export function wakesOf(logs: readonly LogBatch[], from: string): Wake[] {
  return logs.flatMap(({ groupId, messages }) => {
    const last = messages.at(-1)
    return last ? [{ topic: 'group', id: groupId, seq: last.head, from } as const] : []
  })
}

const columns = ['groupId', 'seq', 'id', 'senderId', 'type', 'state', 'taskId', 'body', 'bodyHash', 'hash', 'receivedAt']
const copyText = `copy "message" (${columns.map((name) => `"${name}"`).join(', ')}) from stdin (format binary)`

/** What the other columns of a message take, at most about. */
const besideBody = 512

function messageRows(logs: readonly LogBatch[]): Buffer {
  const bytes = logs.reduce((sum, { messages }) => messages.reduce((all, { body }) => all + body.length + besideBody, sum), 0)
  const rows = startRows(columns.length, bytes)
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

const moveHeadsText = (holds: string) => `
  with moved as (update "group" g set "head" = r."head", "hash" = r."hash"
    from json_to_recordset($1::json) as r("id" text, "head" int, "hash" text) where g."id" = r."id")
  select "expect"(${holds})`

function headsOf(logs: readonly LogBatch[]): string {
  const heads = logs.flatMap(({ groupId, messages }) => {
    const last = messages.at(-1)
    return last ? [{ id: groupId, head: last.head, hash: last.hash }] : []
  })
  return JSON.stringify(heads)
}
