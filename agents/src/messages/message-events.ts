/**
 * Turns delivered messages into typed events. An event about money or work counts only from its authorized sender. That is the server in
 * the inbox, and the room's lead for an assignment to this agent.
 */
import {
  ArtifactRef,
  Charter,
  charterHash,
  type DeliveredEnvelope,
  type Envelope,
  GoalOffer,
  readSpeechAct,
  type TaskInput,
  TaskReceipt,
  verifyEnvelope,
} from '@parley/protocol'
import { findMessageData, type MessageData } from '../conversation/message-data.ts'
import { parseTaskInputs } from '../conversation/reduce-conversation.ts'

/** A delivered message, with the facts that a listener filters by. */
export type RoomMessage = {
  readonly envelope: DeliveredEnvelope
  /** `kind` of the first data part; null without one. */
  readonly kind: string | null
  readonly isFromServer: boolean
  /** Whether it is in this agent's inbox, where only the server writes. */
  readonly isInbox: boolean
}
/** A goal that this agent may claim as its planner. */
export type GoalAnnouncement = { readonly offer: GoalOffer }
/** A charter in which this agent has steps, for it to accept or decline. */
export type TeamInvitation = {
  readonly goal_id: string
  readonly room_id: string
  readonly charter: Charter
  readonly charter_hash: `0x${string}`
  /** DID of the sub-team's lead; null if the team is the goal's own. */
  readonly hired_by: string | null
}
/** A task for this agent. `task_desc`: the lead's instructions in plain text. */
export type TaskAssignment = {
  readonly room_id: string
  readonly task_id: string
  readonly step: number
  readonly skill_id: string
  readonly mode: 'sync' | 'async'
  readonly inputs: readonly TaskInput[]
  readonly task_desc: string
  /** DID of the lead that assigned it. */
  readonly from: string
  readonly envelope: DeliveredEnvelope
}
/** A payment to this agent. `amount`: base units of the asset. `tx`: hash of the transaction, or the rail's reference. */
export type Payout = {
  readonly goal_id: string
  readonly room_id: string
  readonly task_ids: readonly string[]
  readonly amount: string
  readonly asset: string
  readonly tx: string
}
/** The server asks this agent to rate a settled step. `of`: DID of the agent that did it. */
export type FeedbackRequest = { readonly goal_id: string; readonly task_id: string; readonly agent_id: string; readonly of: string }
/** A direct call to this agent, paid if it is answered before `lease_until` (RFC 3339). `price`: base units. */
export type CallRequest = {
  readonly call_id: string
  readonly channel_id: string
  readonly skill_id: string
  readonly inputs: readonly TaskInput[]
  /** Artifact types that the skill returns, in the order of the listing. */
  readonly outputs: readonly string[]
  readonly price: string
  readonly lease_until: string
}
/** The end of a call that this agent made. */
export type CallResult = {
  readonly call_id: string
  readonly channel_id: string
  readonly state: 'answered' | 'declined' | 'expired'
  readonly artifacts: readonly ArtifactRef[]
  /** The text of the answer, or why there is none. */
  readonly text: string
}
/** The goal of a room has ended. `outcome`: its final state, for example `paid` or `refunded`. */
export type GoalClosed = { readonly goal_id: string; readonly room_id: string; readonly outcome: string }

/**
 * News of an own entry in a contest. `state`: `chosen` or `declined`; empty after a check. `passed`: the verdict of the check; null after a
 * decision. `reasons`: why it did not pass, or why another entry was chosen.
 */
export type EntryNews = {
  readonly goal_id: string
  readonly entry_id: string
  readonly state: string
  readonly passed: boolean | null
  readonly reasons: readonly string[]
}

/** An event beside `message`. The name is the name of the session's event. */
export type MessageEvent =
  | { name: 'offer'; value: GoalAnnouncement }
  | { name: 'invite'; value: TeamInvitation }
  | { name: 'task'; value: TaskAssignment }
  | { name: 'receipt'; value: TaskReceipt }
  | { name: 'payout'; value: Payout }
  | { name: 'feedback'; value: FeedbackRequest }
  | { name: 'closed'; value: GoalClosed }
  | { name: 'entry'; value: EntryNews }
  | { name: 'call'; value: CallRequest }
  | { name: 'answer'; value: CallResult }

/** DIDs of this agent and of the server, and the id of this agent's inbox. */
export type ReaderIdentity = { readonly did: string; readonly server: string; readonly inbox: string }

/** Adds the facts of a delivered envelope for this reader. Pure. */
export function toRoomMessage(envelope: DeliveredEnvelope, reader: ReaderIdentity): RoomMessage {
  const kind = envelope.parts.find((part) => part.data)?.data?.kind
  return {
    envelope,
    kind: typeof kind === 'string' ? kind : null,
    isFromServer: envelope.sender_id === reader.server,
    isInbox: envelope.room_id === reader.inbox,
  }
}

const asString = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Undefined for discussion, and for messages to other agents. */
export async function parseEvent(message: RoomMessage, reader: ReaderIdentity): Promise<MessageEvent | undefined> {
  if (message.isInbox) return message.isFromServer ? parseInboxEvent(message) : undefined
  return parseTaskAssignment(message.envelope, reader)
}

async function parseInboxEvent({ envelope, kind }: RoomMessage): Promise<MessageEvent | undefined> {
  const data: MessageData = envelope.parts.find((part) => part.data)?.data ?? {}
  switch (kind) {
    case 'goal.offer': {
      const offer = GoalOffer.safeParse(data.offer)
      return offer.success ? { name: 'offer', value: { offer: offer.data } } : undefined
    }
    case 'team.invite':
      return parseInvitation(data)
    case 'task.receipt': {
      const receipt = TaskReceipt.safeParse(data)
      return receipt.success ? { name: 'receipt', value: receipt.data } : undefined
    }
    case 'payout':
      return {
        name: 'payout',
        value: { ...stringsIn(data, 'goal_id', 'room_id', 'amount', 'asset', 'tx'), task_ids: stringList(data.task_ids) },
      }
    case 'feedback.invite':
      return { name: 'feedback', value: stringsIn(data, 'goal_id', 'task_id', 'agent_id', 'of') }
    case 'goal.closed':
      return { name: 'closed', value: stringsIn(data, 'goal_id', 'room_id', 'outcome') }
    case 'entry.checked':
      return { name: 'entry', value: { ...entryIds(data), state: '', passed: data.passed === true, reasons: stringList(data.reasons) } }
    case 'entry.decided': {
      const reason = asString(data.reason)
      return {
        name: 'entry',
        value: { ...entryIds(data), state: asString(data.state), passed: null, reasons: reason === '' ? [] : [reason] },
      }
    }
    case 'call.requested': {
      const named = stringsIn(data, 'call_id', 'channel_id', 'skill_id', 'price', 'lease_until')
      return { name: 'call', value: { ...named, inputs: parseTaskInputs(data.inputs), outputs: stringList(data.outputs) } }
    }
    case 'call.answered':
      return { name: 'answer', value: { ...parseCallResult(data), state: 'answered', text: asString(data.text) } }
    case 'call.ended': {
      const state = data.state === 'declined' ? 'declined' : 'expired'
      return { name: 'answer', value: { ...parseCallResult(data), state, text: asString(data.reason) } }
    }
    default:
      return undefined
  }
}

async function parseInvitation(data: MessageData): Promise<MessageEvent | undefined> {
  const parsed = Charter.safeParse(data.charter)
  if (!parsed.success) return undefined
  const charter = parsed.data
  const hash = await charterHash(charter)
  // The agent signs this hash, so it must be the hash of this charter.
  if (hash !== data.charter_hash) return undefined
  // A sub-team's invitation names the room in which to answer.
  const room_id = asString(data.room_id) || charter.room_id
  const hired_by = asString(data.hired_by) || null
  return { name: 'invite', value: { goal_id: charter.goal_id, room_id, charter, charter_hash: hash, hired_by } }
}

function parseCallResult(data: MessageData): Pick<CallResult, 'call_id' | 'channel_id' | 'artifacts'> {
  const artifacts = ArtifactRef.array().safeParse(data.artifacts)
  return { ...stringsIn(data, 'call_id', 'channel_id'), artifacts: artifacts.success ? artifacts.data : [] }
}

/** The fields with these names as strings; empty for any other type. */
function stringsIn<K extends string>(data: MessageData, ...names: K[]): { [name in K]: string } {
  // `fromEntries` loses the literal names.
  return Object.fromEntries(names.map((name) => [name, asString(data[name])])) as { [name in K]: string }
}

const entryIds = (data: MessageData) => stringsIn(data, 'goal_id', 'entry_id')

const stringList = (value: unknown): string[] => (Array.isArray(value) ? value.map(asString) : [])

function parseTaskAssignment(envelope: DeliveredEnvelope, reader: ReaderIdentity): MessageEvent | undefined {
  const act = readSpeechAct(envelope.type)
  if (act !== 'sync_task_assignment' && act !== 'async_task_assignment') return undefined
  const data = findMessageData(envelope, 'task')
  if (!data || !envelope.to?.includes(reader.did)) return undefined
  const task_id = envelope.task_id ?? asString(data.task_id)
  if (!task_id) return undefined
  return {
    name: 'task',
    value: {
      room_id: envelope.room_id,
      task_id,
      step: typeof data.step === 'number' ? data.step : 0,
      skill_id: asString(data.skill_id),
      mode: act === 'async_task_assignment' ? 'async' : 'sync',
      inputs: parseTaskInputs(data.inputs),
      task_desc: envelope.task_desc ?? '',
      from: envelope.sender_id,
      envelope,
    },
  }
}

/** A `did:web` sender signs with the key that the server has bound to it, so `kid` names the key to check. */
export function hasValidSignature(envelope: Envelope, server: string): Promise<boolean> {
  const named = envelope.sender_id.startsWith('did:web:') && envelope.sig?.alg === 'EdDSA'
  return named ? verifyEnvelope(envelope, server, envelope.sig?.kid) : verifyEnvelope(envelope, server)
}
