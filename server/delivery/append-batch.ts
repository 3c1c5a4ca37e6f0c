import { arrayText, type Condition, type PipelinedStatement } from '../db.ts'
import type { Signal } from '../signals/signal.ts'
import { createPostgresBinaryCopyWriter } from './postgres-binary-copy-writer.ts'
import type { LogHead, SequencedMessage } from './sequence-message.ts'

/** Messages that a log already holds, by id. */
export type KnownMessages = ReadonlyMap<string, { readonly seq: number; readonly bodyHash: string }>
/**
 * A log that this transaction has locked, or its cached state. `minNewId`: lower ids may be in the archive, so no new message may use
 * one.
 */
export type LogState = LogHead & { readonly knownIds: KnownMessages; readonly minNewId: string }

/**
 * The maximum age of a new message's id, in days. An agent that was offline can still send its queue.
 * An older message would belong to an archived month. Goals and leases end long before.
 */
export const maxMessageAgeDays = 30
const oldestIdSql = `to_hex((extract(epoch from now() - interval '${maxMessageAgeDays} days') * 1000)::bigint)`
const archivedUpToSql = `(select p."upTo"::text from "message_partition" p where p."state" <> 'attached' order by p."upTo" desc limit 1)`

/** The lowest id of a new message (or its prefix): limited by age, and by the end of the archive. */
export const minNewIdSql = `greatest(${archivedUpToSql} collate "C", regexp_replace(lpad(${oldestIdSql}, 12, '0'), '^(.{8})', '\\1-') collate "C")`

/**
 * SQL that joins each row of `rooms` with its log and locks the logs until the end of the transaction.
 * `rooms`: a part of a `with` that has a `"roomId"`. `wait`: what to do with logs that another transaction has locked.
 */
export const withLockedLogs = (rooms: string, wait: string) => `
  select r.*, g."head", g."hash", ${minNewIdSql} as "minNewId"
  from ${rooms} r join "room" g on g."id" = r."roomId" order by g."id" for update of g ${wait}`

/** The lookup for deduplication: which of these ids the logs hold already. */
export function findKnownMessagesStep(asked: readonly { readonly roomId: string; readonly id: string }[]): PipelinedStatement {
  return {
    name: 'recall-messages',
    text: findKnownMessagesSql,
    values: [arrayText(asked.map((one) => one.roomId)), arrayText(asked.map((one) => one.id))],
  }
}
const findKnownMessagesSql = `
  select m."roomId", m."id", m."seq", m."bodyHash" from unnest($1::text[], $2::uuid[]) as asked("roomId", "id")
  join "message" m on m."roomId" = asked."roomId" and m."id" = asked."id"`

/** A row of `findKnownMessagesStep`. */
export type KnownMessageRow = { readonly roomId: string; readonly id: string; readonly seq: number; readonly bodyHash: string }

/**
 * Optimistic append: locks logs and advances their heads, if each still ends at `knownHead` and `provided` holds.
 * Fails otherwise, and if another transaction holds one of the logs.
 */
export function advanceHeadsStep(logs: readonly (LogBatch & { readonly knownHead: LogHead })[], provided: Condition): PipelinedStatement {
  const lasts = logs.flatMap(({ roomId, knownHead, messages }) => {
    const last = messages.at(-1)
    return last ? [{ roomId, was: knownHead.hash, head: String(last.head), hash: last.hash }] : []
  })
  const lists = (['roomId', 'was', 'head', 'hash'] as const).map((name) => arrayText(lasts.map((one) => one[name])))
  return {
    name: `move-logs-${provided.name}`,
    text: `
      with said as (select * from unnest($1::text[], $2::text[], $3::int[], $4::text[]) as s("id", "was", "head", "hash")),
        held as (select g."id", s."head", s."hash" from said s join "room" g on g."id" = s."id" where g."hash" = s."was" for update of g skip locked),
        moved as (update "room" g set "head" = h."head", "hash" = h."hash" from held h where g."id" = h."id" returning g."id", g."head")
      select "expect"(count(*) = $5::int and ${provided.text(6)}) from moved`,
    values: [...lists, String(lasts.length), ...provided.values],
  }
}

export type LogBatch = { readonly roomId: string; readonly messages: readonly SequencedMessage[] }

/**
 * Appends the messages of many locked logs and advances their heads. Messages create no outbox events, because the log is their record.
 * Fails unless `provided` holds under the locks, independent of earlier reads.
 */
export function appendBatchSteps(logs: readonly LogBatch[], provided: Condition): PipelinedStatement[] {
  const move = {
    name: `move-heads-${provided.name}`,
    text: advanceLockedHeadsSql(provided.text(2)),
    values: [headsOf(logs), ...provided.values],
  }
  return [copyMessagesStep(logs), move]
}

/** Only the messages, for a transaction sent as one pipeline. */
export function copyMessagesStep(logs: readonly LogBatch[]): PipelinedStatement {
  return { name: 'copy-messages', text: copySql, rows: messageRows(logs) }
}

/** The change signals for other processes, to send after the commit. `from`: the name by which this process ignores its own signals. */
export function signalsOf(logs: readonly LogBatch[], from: string): Signal[] {
  return logs.flatMap(({ roomId, messages }) => {
    const last = messages.at(-1)
    return last ? [{ topic: 'room', id: roomId, seq: last.head, from } as const] : []
  })
}

const columns = ['roomId', 'seq', 'id', 'senderId', 'type', 'state', 'taskId', 'body', 'bodyHash', 'hash', 'receivedAt']
const copySql = `copy "message" (${columns.map((name) => `"${name}"`).join(', ')}) from stdin (format binary)`

/** The approximate size of the other columns of a message, in bytes. */
const overheadBytes = 512

function messageRows(logs: readonly LogBatch[]): Buffer {
  const bytes = logs.reduce((sum, { messages }) => messages.reduce((all, { body }) => all + body.length + overheadBytes, sum), 0)
  const rows = createPostgresBinaryCopyWriter(columns.length, bytes)
  for (const { roomId, messages } of logs) {
    for (const { canonical, head, hash, body, receivedAt } of messages) {
      const { id, sender_id, type, state, task_id } = canonical.envelope
      rows.row()
      rows.text(roomId)
      rows.int4(head)
      rows.uuid(id)
      rows.text(sender_id)
      rows.text(type)
      rows.text(state)
      rows.text(task_id ?? null)
      rows.bytes(body)
      rows.text(canonical.bodyHash)
      rows.text(hash)
      rows.instant(receivedAt.getTime())
    }
  }
  return rows.end()
}

const advanceLockedHeadsSql = (holds: string) => `
  with moved as (update "room" g set "head" = r."head", "hash" = r."hash"
    from json_to_recordset($1::json) as r("id" text, "head" int, "hash" text) where g."id" = r."id")
  select "expect"(${holds})`

function headsOf(logs: readonly LogBatch[]): string {
  const heads = logs.flatMap(({ roomId, messages }) => {
    const last = messages.at(-1)
    return last ? [{ id: roomId, head: last.head, hash: last.hash }] : []
  })
  return JSON.stringify(heads)
}
