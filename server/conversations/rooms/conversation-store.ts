import type { ConversationState } from '@parley/protocol'
import { arrayText, type Condition, type PipelinedStatement, type Statements, type TransactionConnection } from '../../db.ts'
import { findKnownMessagesStep, type KnownMessageRow, type LogState, withLockedLogs } from '../../delivery/index.ts'
import type { ConversationRecord } from './conversation.ts'

/** A conversation that this transaction has locked, its client, and which of the given senders are members. */
export type RoomRow = {
  readonly conversation: ConversationRecord
  readonly clientId: string
  readonly members: ReadonlySet<string>
  /** True if the room has a message budget, which it gets when it is opened or never. */
  readonly isBounded: boolean
}

type RoomRecord = ConversationRecord & { readonly clientId: string | null; readonly members: string[]; readonly isBounded: boolean }

const lockText = (wait: string) => `
  select c."roomId", c."goalId", c."state"::text as "state", c."nextSpeakers", c."triggers", c."openQuestionId", c."isPublic", c."version",
    (select m."memberId" from "membership" m where m."roomId" = c."roomId" and m."role" = 'client' limit 1) as "clientId",
    array(select m."memberId" from "membership" m where m."roomId" = c."roomId" and m."memberId" = any($2::text[]) and m."leftAt" is null) as "members",
    exists(select 1 from "message_budget" b where b."roomId" = c."roomId") as "isBounded"
  from "conversation" c where c."roomId" = any($1::text[]) order by c."roomId" for update ${wait}`

/** Locks these conversations until the end of the transaction. */
export async function lockConversations(
  statements: Statements,
  roomIds: readonly string[],
  senders: readonly string[],
): Promise<Map<string, RoomRow>> {
  const rows = await statements.query<RoomRecord>('lock-talks', lockText(''), [roomIds, senders])
  return new Map(rows.map((row) => [row.roomId, toRoomRow(row)]))
}

function toRoomRow({ clientId, members, isBounded, ...conversation }: RoomRecord): RoomRow {
  return {
    conversation: { ...conversation, state: conversation.state satisfies ConversationState },
    clientId: clientId ?? '',
    members: new Set(members),
    isBounded,
  }
}

const lockRoomsText = (wait: string) => `with talks as materialized (${lockText(wait)}) ${withLockedLogs('talks', wait)}`

/** `senders`: whose membership is read. `asked`: message ids that may be known. */
type WantedRooms = {
  readonly roomIds: readonly string[]
  readonly senders: readonly string[]
  readonly asked: readonly { readonly roomId: string; readonly id: string }[]
}

/**
 * Locks rooms with their conversations and logs until the end of the transaction, and finds known message ids, in one round trip.
 * `skip`: skip rooms that another transaction has locked.
 */
export async function lockRooms(
  lane: TransactionConnection,
  { roomIds, senders, asked }: WantedRooms,
  { skip }: { readonly skip: boolean },
): Promise<{ rows: Map<string, RoomRow>; logs: Map<string, LogState> }> {
  const values = [arrayText(roomIds), arrayText(senders)]
  const lock = skip
    ? { name: 'lock-free-rooms', text: lockRoomsText('skip locked'), values }
    : { name: 'lock-rooms', text: lockRoomsText(''), values }
  // Two statements, because one that waited for a lock still reads the snapshot from before the lock.
  const [rooms = [], earlier = []] = await lane.pipeline(asked.length > 0 ? [lock, findKnownMessagesStep(asked)] : [lock])
  const [rows, logs] = [new Map<string, RoomRow>(), new Map<string, LogState>()]
  for (const { head, hash, minNewId, ...row } of rooms as (RoomRecord & Omit<LogState, 'knownIds'>)[]) {
    rows.set(row.roomId, toRoomRow(row))
    const ids = (earlier as KnownMessageRow[]).filter(({ roomId }) => roomId === row.roomId)
    logs.set(row.roomId, { head, hash, minNewId, knownIds: new Map(ids.map(({ id, seq, bodyHash }) => [id, { seq, bodyHash }])) })
  }
  return { rows, logs }
}

/** Saves the locked conversations. */
export async function saveConversations(lane: Statements, conversations: readonly ConversationRecord[]): Promise<void> {
  await lane.query('save-talks', saveText, [JSON.stringify(conversations)])
}

/** The same as a step of a pipeline. */
export function saveConversationsStep(conversations: readonly ConversationRecord[]): PipelinedStatement {
  return { name: 'save-talks-blind', text: saveText, values: [JSON.stringify(conversations)] }
}

const saveText = `
  update "conversation" c set "state" = r."state"::"ConversationState", "version" = r."version", "openQuestionId" = r."openQuestionId",
    "nextSpeakers" = array(select jsonb_array_elements_text(r."nextSpeakers")), "triggers" = array(select jsonb_array_elements_text(r."triggers"))
  from jsonb_to_recordset($1::jsonb)
    as r("roomId" text, "state" text, "version" int, "openQuestionId" uuid, "nextSpeakers" jsonb, "triggers" jsonb)
  where c."roomId" = r."roomId"`

/** Locks conversations that are about to be saved. Fails if one is locked by another transaction or has another version. */
export function expectConversations(conversations: readonly ConversationRecord[]): PipelinedStatement {
  return {
    name: 'expect-talks',
    text: `with held as (
        select 1 from "conversation" c join json_to_recordset($1::json) as t("roomId" text, "version" int)
          on c."roomId" = t."roomId" and c."version" = t."version"
        for update of c skip locked)
      select "expect"((select count(*) from held) = $2::int)`,
    values: [JSON.stringify(conversations.map(({ roomId, version }) => ({ roomId, version }))), String(conversations.length)],
  }
}

/** A condition that each sender is a member of its room. System messages have no sender. */
export function membersCondition(messages: readonly { readonly roomId: string; readonly sender?: string }[]): Condition {
  const sendersByRoom = new Map<string, Set<string>>()
  for (const { roomId, sender } of messages) {
    if (sender === undefined) continue
    const ofRoom = sendersByRoom.get(roomId)
    if (ofRoom) ofRoom.add(sender)
    else sendersByRoom.set(roomId, new Set([sender]))
  }
  const roomIds = [...sendersByRoom].flatMap(([roomId, { size }]) => Array<string>(size).fill(roomId))
  const memberIds = [...sendersByRoom.values()].flatMap((senders) => [...senders])
  return {
    name: 'seated',
    text: (from) => `(select count(*) from unnest($${from}::text[], $${from + 1}::text[]) as s("roomId", "memberId") join "membership" m
      on m."roomId" = s."roomId" and m."memberId" = s."memberId" and m."leftAt" is null) = $${from + 2}::int`,
    values: [arrayText(roomIds), arrayText(memberIds), String(memberIds.length)],
  }
}

/** Whether a member is in a room whose conversation and log this transaction has locked. */
export async function isMember(statements: Statements, roomId: string, memberId: string): Promise<boolean> {
  const { name, text, values } = membersCondition([{ roomId, sender: memberId }])
  const [row] = await statements.query<{ holds: boolean }>(name, `select ${text(1)} as "holds"`, values)
  return row?.holds === true
}
