/** What a command says in its room: the envelope that records it, before it is signed. */
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
import { refOf } from '../artifact.ts'
import { charterUnknown, stepUnknown } from '../errors.ts'
import type { InputOf } from './commands.ts'

export const spokenTypes = [
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
export type SpokenType = (typeof spokenTypes)[number]
export type SpokenCommand = { [T in SpokenType]: { type: T } & InputOf<T> }[SpokenType]

export const isSpoken = (command: { type: string }): command is SpokenCommand => spokenTypes.some((type) => type === command.type)

export function newId(): string {
  return uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
}

/** Fields that a caller may set on the message a command leaves behind, e.g. `next_speakers`, `to`, `triggers`. */
export type Saying = Partial<EnvelopeDraft>

export type Scene = {
  readonly did: string
  readonly group_id: string
  /** Where the conversation stands: talk does not move it. */
  readonly state: ConversationState
  /** The charter of the room, where a command needs it. */
  readonly charter: () => Promise<Charter | null>
  /** The signature for the escrow, where this agent can give one. A charter that it was invited to is known by its hash. */
  readonly sign: (charterHash: string, charter?: Charter) => Promise<MemberSignature | undefined>
  /** The trace that the talk of the room belongs to. */
  readonly trace: string | undefined
}

const textPart = (text: string | undefined): Part[] => (text ? [{ text }] : [])

/** @throws {ProblemError} `session.charter_unknown`, `session.step_unknown` */
export async function draftOf(command: SpokenCommand, scene: Scene, saying: Saying = {}): Promise<EnvelopeDraft> {
  const draft: EnvelopeDraft = {
    id: newId(),
    group_id: scene.group_id,
    sender_id: scene.did,
    ...(await content(command, scene)),
    ...(scene.trace === undefined ? {} : { trace: scene.trace }),
    ...saying,
  }
  // Checked here rather than at the server, where the mistake would cost a round trip to find.
  return Envelope.omit({ v: true }).parse(draft)
}

async function content(command: SpokenCommand, scene: Scene): Promise<Pick<EnvelopeDraft, 'state' | 'type' | 'parts'> & Saying> {
  switch (command.type) {
    case 'plan.propose': {
      const { text, based_on } = command
      const data = { kind: 'plan.version', version: based_on + 1, based_on }
      return { state: scene.state, type: 'propose', parts: [{ text }, { data }] }
    }
    case 'team.propose': {
      const { charter } = command
      const members = [...new Set(charter.steps.map((step) => step.sender_id))].filter((did) => did !== scene.did)
      const charter_hash = await charterHash(charter as Charter)
      const member_signature = await scene.sign(charter_hash, charter as Charter)
      const data = { kind: 'charter', charter, charter_hash, ...(member_signature && { member_signature }) }
      return {
        state: 'discussion',
        type: 'propose',
        parts: [{ data: data as NonNullable<Part['data']> }],
        to: members,
        next_speakers: members,
      }
    }
    case 'team.accept': {
      const { charter_hash } = command
      const member_signature = command.member_signature ?? (await scene.sign(charter_hash))
      const data = { kind: 'charter.accept', charter_hash, ...(member_signature && { member_signature }) }
      return { state: 'discussion', type: 'accept', parts: [{ data: data as NonNullable<Part['data']> }] }
    }
    case 'team.decline':
      return { state: 'discussion', type: 'decline', parts: textPart(command.reason) }
    case 'team.seal': {
      const charter = await scene.charter()
      if (!charter) throw charterUnknown(scene.group_id)
      return {
        state: 'discussion',
        type: 'discussion',
        parts: [{ data: { kind: 'charter.seal', version: charter.version, charter_hash: await charterHash(charter) } }],
      }
    }
    case 'task.assign': {
      const charter = await scene.charter()
      if (!charter) throw charterUnknown(scene.group_id)
      const step = charter.steps.find((one) => one.step === command.step)
      if (!step) throw stepUnknown(command.step, scene.group_id)
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
        parts: [{ data: data as NonNullable<Part['data']> }],
      }
    }
    case 'task.progress': {
      const parts = textPart(command.text)
      if (command.done !== undefined) parts.push({ data: { kind: 'progress', done: command.done } })
      return { state: 'execution', type: 'task_progress', task_id: command.task_id, parts }
    }
    case 'task.complete': {
      const files = await Promise.all(command.artifacts.map(refOf))
      const parts = [...textPart(command.text), ...files.map((artifact) => ({ artifact }))]
      return { state: 'execution', type: 'task_result', task_id: command.task_id, parts }
    }
    case 'task.fail':
      return { state: 'execution', type: 'error', task_id: command.task_id, parts: textPart(command.reason) }
    case 'goal.conclude': {
      const parts = [...(command.parts ?? []), { data: { kind: 'conclusion', outcome: command.outcome } }]
      return { state: 'conclusion', type: 'conclusion', parts }
    }
    case 'message.post': {
      const { act = 'discussion', parts = [], to, reply_to } = command
      return { state: scene.state, type: act, parts, ...(to && { to }), ...(reply_to && { reply_to }) }
    }
  }
}
