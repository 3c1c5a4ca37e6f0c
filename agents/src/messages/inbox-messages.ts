/**
 * What a message means to this agent. The inbox is the server's alone, and the kinds that move money or work are believed
 * only where the right party said them: the server in the inbox, a principal to the agent that it names.
 */
import {
  Acknowledgement,
  ArtifactRef,
  Charter,
  charterHash,
  type DeliveredEnvelope,
  type Envelope,
  GoalOffer,
  readSpeechAct,
  type TaskInput,
  verifyEnvelope,
} from '@parley/protocol'
import { dataOf } from '../conversation/message-data.ts'
import { readInputs } from '../conversation/reduce.ts'

export type RoomMessage = {
  readonly envelope: DeliveredEnvelope
  /** `kind` of the first data part. */
  readonly kind: string | null
  readonly fromServer: boolean
  readonly inbox: boolean
}
export type Offer = { readonly offer: GoalOffer }
export type Invite = {
  readonly goal_id: string
  readonly group_id: string
  readonly charter: Charter
  readonly charter_hash: `0x${string}`
  /** Whose sub-team it is; null of the goal's own. */
  readonly hired_by: string | null
}
export type Assignment = {
  readonly group_id: string
  readonly task_id: string
  readonly step: number
  readonly skill_id: string
  readonly mode: 'sync' | 'async'
  readonly inputs: readonly TaskInput[]
  readonly task_desc: string
  /** DID of who assigned it. */
  readonly from: string
  readonly envelope: DeliveredEnvelope
}
export type Payout = {
  readonly goal_id: string
  readonly group_id: string
  readonly task_ids: readonly string[]
  readonly amount: string
  readonly asset: string
  readonly tx: string
}
export type FeedbackInvite = { readonly goal_id: string; readonly task_id: string; readonly agent_id: string; readonly of: string }
/** A question to this agent alone, paid when it is answered in time. */
export type CallRequest = {
  readonly call_id: string
  readonly channel_id: string
  readonly skill_id: string
  readonly inputs: readonly TaskInput[]
  /** Artifact types that the skill promises, in the listing's order. */
  readonly outputs: readonly string[]
  readonly price: string
  readonly lease_until: string
}
/** What came of a call that this agent has made. */
export type CallEnd = {
  readonly call_id: string
  readonly channel_id: string
  readonly state: 'answered' | 'declined' | 'expired'
  readonly artifacts: readonly ArtifactRef[]
  /** The agent's words, or why there is no answer. */
  readonly text: string
}
export type GoalClosed = { readonly goal_id: string; readonly group_id: string; readonly outcome: string }

/** What a message calls for, besides being a message. */
export type Call =
  | { name: 'offer'; value: Offer }
  | { name: 'invite'; value: Invite }
  | { name: 'task'; value: Assignment }
  | { name: 'acknowledgement'; value: Acknowledgement }
  | { name: 'payout'; value: Payout }
  | { name: 'feedback'; value: FeedbackInvite }
  | { name: 'closed'; value: GoalClosed }
  | { name: 'call'; value: CallRequest }
  | { name: 'answer'; value: CallEnd }

export type Reader = { readonly did: string; readonly server: string; readonly inbox: string }

export function messageOf(envelope: DeliveredEnvelope, reader: Reader): RoomMessage {
  const kind = envelope.parts.find((part) => part.data)?.data?.kind
  return {
    envelope,
    kind: typeof kind === 'string' ? kind : null,
    fromServer: envelope.sender_id === reader.server,
    inbox: envelope.group_id === reader.inbox,
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Undefined for talk, and for what is none of this agent's business. */
export async function callOf(message: RoomMessage, reader: Reader): Promise<Call | undefined> {
  if (message.inbox) return message.fromServer ? inboxCall(message) : undefined
  return taskCall(message.envelope, reader)
}

async function inboxCall({ envelope, kind }: RoomMessage): Promise<Call | undefined> {
  const data = envelope.parts.find((part) => part.data)?.data ?? {}
  switch (kind) {
    case 'goal.offer': {
      const offer = GoalOffer.safeParse(data.offer)
      return offer.success ? { name: 'offer', value: { offer: offer.data } } : undefined
    }
    case 'team.invite': {
      const charter = Charter.safeParse(data.charter)
      if (!charter.success) return undefined
      const charter_hash = await charterHash(charter.data)
      // What is signed is this hash: a charter that doesn't have it is not the one that was proposed.
      if (charter_hash !== data.charter_hash) return undefined
      const { goal_id } = charter.data
      // Of a sub-team's charter: the room in which this agent answers.
      const group_id = text(data.group_id) || charter.data.group_id
      return {
        name: 'invite',
        value: {
          goal_id,
          group_id,
          charter: charter.data,
          charter_hash,
          hired_by: text(data.hired_by) || null,
        },
      }
    }
    case 'task.acknowledged': {
      const receipt = Acknowledgement.safeParse(data)
      return receipt.success ? { name: 'acknowledgement', value: receipt.data } : undefined
    }
    case 'payout': {
      const task_ids = Array.isArray(data.task_ids) ? data.task_ids.map(text) : []
      const { goal_id, group_id, amount, asset, tx } = data
      return {
        name: 'payout',
        value: { goal_id: text(goal_id), group_id: text(group_id), task_ids, amount: text(amount), asset: text(asset), tx: text(tx) },
      }
    }
    case 'feedback.invite': {
      const { goal_id, task_id, agent_id, of } = data
      return { name: 'feedback', value: { goal_id: text(goal_id), task_id: text(task_id), agent_id: text(agent_id), of: text(of) } }
    }
    case 'goal.closed': {
      const { goal_id, group_id, outcome } = data
      return { name: 'closed', value: { goal_id: text(goal_id), group_id: text(group_id), outcome: text(outcome) } }
    }
    case 'call.requested': {
      const { call_id, channel_id, skill_id, price, lease_until } = data
      const outputs = Array.isArray(data.outputs) ? data.outputs.map(text) : []
      const named = { call_id: text(call_id), channel_id: text(channel_id), skill_id: text(skill_id) }
      const value = { ...named, inputs: readInputs(data.inputs), outputs, price: text(price), lease_until: text(lease_until) }
      return { name: 'call', value }
    }
    case 'call.answered':
    case 'call.ended': {
      const artifacts = ArtifactRef.array().safeParse(data.artifacts)
      const state = kind === 'call.answered' ? 'answered' : data.state === 'declined' ? 'declined' : 'expired'
      const named = { call_id: text(data.call_id), channel_id: text(data.channel_id) }
      const words = text(kind === 'call.answered' ? data.text : data.reason)
      return { name: 'answer', value: { ...named, state, artifacts: artifacts.success ? artifacts.data : [], text: words } }
    }
    default:
      return undefined
  }
}

function taskCall(envelope: DeliveredEnvelope, reader: Reader): Call | undefined {
  const act = readSpeechAct(envelope.type)
  if (act !== 'sync_task_assignment' && act !== 'async_task_assignment') return undefined
  const data = dataOf(envelope, 'task')
  if (!data || !envelope.to?.includes(reader.did)) return undefined
  const task_id = envelope.task_id ?? text(data.task_id)
  if (!task_id) return undefined
  return {
    name: 'task',
    value: {
      group_id: envelope.group_id,
      task_id,
      step: typeof data.step === 'number' ? data.step : 0,
      skill_id: text(data.skill_id),
      mode: act === 'async_task_assignment' ? 'async' : 'sync',
      inputs: readInputs(data.inputs),
      task_desc: envelope.task_desc ?? '',
      from: envelope.sender_id,
      envelope,
    },
  }
}

/** A sender named by a host (`did:web`) signs with the key that the server has bound to it, so only that key can be checked here. */
export function isGenuine(envelope: Envelope, server: string): Promise<boolean> {
  const named = envelope.sender_id.startsWith('did:web:') && envelope.sig?.alg === 'EdDSA'
  return named ? verifyEnvelope(envelope, server, envelope.sig?.kid) : verifyEnvelope(envelope, server)
}
