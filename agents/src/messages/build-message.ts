/** Builds the message that records a command in its room, before it is signed. */
import {
  type Charter,
  type CommandType,
  type ConversationState,
  charterHash,
  Envelope,
  type EnvelopeDraft,
  type MemberSignature,
  type Part,
  uuidv7,
} from '@parley/protocol'
import { toArtifactRef } from '../artifact.ts'
import { charterUnknown, stepUnknown } from '../errors.ts'
import type { CommandInput, MessageOptions } from './commands.ts'

/** Commands that leave a signed message in a room. */
export const roomCommandTypes = [
  'team.propose',
  'team.accept',
  'team.decline',
  'team.seal',
  'task.assign',
  'task.progress',
  'task.complete',
  'task.fail',
  'goal.conclude',
  'message.post',
  'plan.propose',
] as const satisfies readonly CommandType[]
export type RoomCommandType = (typeof roomCommandTypes)[number]
/** A command that a message in a room records. */
export type RoomCommand = { [T in RoomCommandType]: { type: T } & CommandInput<T> }[RoomCommandType]

/** Whether a message in a room must record this command. */
export const isRoomCommand = (command: { type: string }): command is RoomCommand => roomCommandTypes.some((type) => type === command.type)

/** A UUIDv7. As the `id` of a message it is the idempotency key: the server stores a repeated message once. */
export function newMessageId(): string {
  return uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
}

/** The facts that a message needs beyond its command. */
export type MessageContext = {
  /** DID of the sender. */
  readonly did: string
  readonly room_id: string
  /** The room's current state. Posts and plans keep it. */
  readonly state: ConversationState
  /** Loads the room's charter; only some commands need it. */
  readonly charter: () => Promise<Charter | null>
  /** Signs a charter for the escrow; undefined if this agent has no payout key. An invitation's charter is found by its hash. */
  readonly signCharter: (charterHash: string, charter?: Charter) => Promise<MemberSignature | undefined>
  /** W3C traceparent of the room. */
  readonly traceparent: string | undefined
}

type Content = Pick<EnvelopeDraft, 'state' | 'type' | 'parts'> & MessageOptions

const textParts = (text: string | undefined): Part[] => (text ? [{ text }] : [])
/** The protocol's types of data parts are wider than JSON: an optional field may be undefined. */
const dataPart = (data: object): Part => ({ data: data as NonNullable<Part['data']> })

/** @throws {ProblemError} `session.charter_unknown`, `session.step_unknown` */
export async function buildMessage(command: RoomCommand, context: MessageContext, options: MessageOptions = {}): Promise<EnvelopeDraft> {
  const draft: EnvelopeDraft = {
    id: newMessageId(),
    room_id: context.room_id,
    sender_id: context.did,
    ...(await buildContent(command, context)),
    ...(context.traceparent === undefined ? {} : { traceparent: context.traceparent }),
    ...options,
  }
  // Validated here, which saves a round trip to the server.
  return Envelope.omit({ v: true }).parse(draft)
}

async function buildContent(command: RoomCommand, context: MessageContext): Promise<Content> {
  switch (command.type) {
    case 'plan.propose': {
      const { text, based_on } = command
      const data = { kind: 'plan.version', version: based_on + 1, based_on }
      return { state: context.state, type: 'propose', parts: [{ text }, { data }] }
    }
    case 'team.propose':
      return buildProposal(command, context)
    case 'team.accept': {
      const { charter_hash } = command
      const member_signature = command.member_signature ?? (await context.signCharter(charter_hash))
      const data = { kind: 'charter.accept', charter_hash, ...(member_signature && { member_signature }) }
      return { state: 'discussion', type: 'accept', parts: [dataPart(data)] }
    }
    case 'team.decline':
      return { state: 'discussion', type: 'decline', parts: textParts(command.reason) }
    case 'team.seal': {
      const charter = await requireCharter(context)
      const data = { kind: 'charter.seal', version: charter.version, charter_hash: await charterHash(charter) }
      return { state: 'discussion', type: 'discussion', parts: [{ data }] }
    }
    case 'task.assign':
      return buildAssignment(command, context)
    case 'task.progress': {
      const parts = textParts(command.text)
      if (command.done !== undefined) parts.push({ data: { kind: 'progress', done: command.done } })
      return { state: 'execution', type: 'task_progress', task_id: command.task_id, parts }
    }
    case 'task.complete': {
      const files = await Promise.all(command.artifacts.map(toArtifactRef))
      const parts = [...textParts(command.text), ...files.map((artifact) => ({ artifact }))]
      return { state: 'execution', type: 'task_result', task_id: command.task_id, parts }
    }
    case 'task.fail':
      return { state: 'execution', type: 'error', task_id: command.task_id, parts: textParts(command.reason) }
    case 'goal.conclude': {
      const parts = [...(command.parts ?? []), { data: { kind: 'conclusion', outcome: command.outcome } }]
      return { state: 'conclusion', type: 'conclusion', parts }
    }
    case 'message.post': {
      const { act = 'discussion', parts = [], to, reply_to } = command
      return { state: context.state, type: act, parts, ...(to && { to }), ...(reply_to && { reply_to }) }
    }
  }
}

async function buildProposal(command: CommandInput<'team.propose'>, context: MessageContext): Promise<Content> {
  // The input type of a charter has optional fields that the parsed type requires.
  const charter = command.charter as Charter
  const members = [...new Set(charter.steps.map((step) => step.sender_id))].filter((did) => did !== context.did)
  const charter_hash = await charterHash(charter)
  const member_signature = await context.signCharter(charter_hash, charter)
  const data = { kind: 'charter', charter, charter_hash, ...(member_signature && { member_signature }) }
  return { state: 'discussion', type: 'propose', parts: [dataPart(data)], to: members, next_speakers: members }
}

async function buildAssignment(command: CommandInput<'task.assign'>, context: MessageContext): Promise<Content> {
  const charter = await requireCharter(context)
  const step = charter.steps.find((one) => one.step === command.step)
  if (!step) throw stepUnknown(command.step, context.room_id)
  const { task_id, inputs = [], task_desc = '' } = command
  const data = { kind: 'task', task_id, step: step.step, skill_id: step.skill_id, inputs }
  return {
    state: 'task_assignment',
    type: `${step.mode}_task_assignment`,
    mode: step.mode,
    task_id,
    ...(task_desc && { task_desc }),
    to: [step.sender_id],
    next_speakers: [step.sender_id],
    expects: 'result',
    parts: [dataPart(data)],
  }
}

async function requireCharter(context: MessageContext): Promise<Charter> {
  const charter = await context.charter()
  if (!charter) throw charterUnknown(context.room_id)
  return charter
}
