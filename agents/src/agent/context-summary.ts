/**
 * A turn in the few words that a model needs for it: who is here, how the tasks stand, and what is new. What was said before
 * is there by its numbers, to be read again where it matters; nothing is told twice.
 */
import type { DeliveredEnvelope } from '@parley/protocol'
import type { Conversation } from '../conversation/reduce.ts'
import type { TurnGiven } from './turn-taking.ts'

export type DigestOptions = {
  /** Characters that one message may take; the rest is left to its number. */
  readonly messageChars?: number
  /** How many new messages are told whole; of those before them only the numbers. */
  readonly messages?: number
}

export function digestOf(
  { conversation, said, room, observed }: Pick<TurnGiven, 'conversation' | 'said' | 'room' | 'observed'>,
  { messageChars = 1_200, messages = 8 }: DigestOptions = {},
): string {
  const who = namesOf(conversation)
  const told = said.slice(-messages)
  const first = told[0]?.seq ?? conversation.seq + 1
  const tasks = [...conversation.tasks.values()].map(
    (task) => `${task.step} ${who(task.assignee)} ${task.status}${task.text ? `: ${short(task.text, 80)}` : ''}`,
  )
  return [
    `room ${room.state}, lead ${who(room.lead)}, with ${room.members.map(who).join(' ')}`,
    ...(tasks.length > 0 ? [`tasks ${tasks.join('; ')}`] : []),
    ...(first > 1 ? [`messages 1–${first - 1} are in the room`] : []),
    ...told.map((envelope) => `${envelope.seq} ${who(envelope.sender_id)} ${act(envelope)}${short(wordsOf(envelope), messageChars)}`),
    ...(observed ? [`you observe: ${short(observed, messageChars)}`] : []),
  ].join('\n')
}

/** The last part of a DID says enough inside one room, where it is the only one of its kind. */
function namesOf({ room, server }: Conversation): (did: string) => string {
  const all = [...(room?.members ?? []), room?.client ?? '', server]
  const tail = (did: string) => did.split(':').at(-1)?.slice(-12) ?? did
  return (did) =>
    did === server ? 'server' : did === room?.client ? 'client' : all.filter((one) => tail(one) === tail(did)).length > 1 ? did : tail(did)
}

const act = ({ type }: DeliveredEnvelope): string => (type === 'discussion' ? '' : `(${type}) `)

function wordsOf({ parts }: DeliveredEnvelope): string {
  return parts
    .flatMap(({ text, artifact }) => (text ? [text] : artifact ? [`[${artifact.name} ${artifact.sha256.slice(0, 8)}]`] : []))
    .join(' ')
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
