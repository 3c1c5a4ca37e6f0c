/**
 * A turn as a short text for a model's prompt: members, task statuses and new messages. Older messages are named by sequence number,
 * so that the model can ask for them; no message is repeated.
 */
import type { DeliveredEnvelope } from '@parley/protocol'
import type { Conversation } from '../conversation/conversation.ts'
import type { Turn } from './take-turns.ts'

/** How much of a turn the summary shows. */
export type SummaryOptions = {
  /** Characters of one message that are shown, 1,200 by default. */
  readonly messageChars?: number
  /** New messages that are shown, 8 by default. Older ones are named by number. */
  readonly messages?: number
}

/** A turn as plain text for a language model: room, tasks, the newest messages, and the observation. */
export function summarizeTurn(
  { conversation, newMessages, room, observation }: Pick<Turn, 'conversation' | 'newMessages' | 'room' | 'observation'>,
  { messageChars = 1_200, messages = 8 }: SummaryOptions = {},
): string {
  const nameOf = createShortNames(conversation)
  const shown = newMessages.slice(-messages)
  const firstShown = shown[0]?.seq ?? conversation.seq + 1
  const tasks = [...conversation.tasks.values()].map(
    (task) => `${task.step} ${nameOf(task.assignee)} ${task.status}${task.text ? `: ${truncate(task.text, 80)}` : ''}`,
  )
  return [
    `room ${room.state}, lead ${nameOf(room.lead)}, with ${room.members.map(nameOf).join(' ')}`,
    ...(tasks.length > 0 ? [`tasks ${tasks.join('; ')}`] : []),
    ...(firstShown > 1 ? [`messages 1–${firstShown - 1} are in the room`] : []),
    ...shown.map(
      (envelope) => `${envelope.seq} ${nameOf(envelope.sender_id)} ${actOf(envelope)}${truncate(textOf(envelope), messageChars)}`,
    ),
    ...(observation ? [`you observe: ${truncate(observation, messageChars)}`] : []),
  ].join('\n')
}

/** The last 12 characters of a DID, or the whole DID if they are not unique in the room. */
function createShortNames({ room, server }: Conversation): (did: string) => string {
  const all = [...(room?.members ?? []), room?.client ?? '', server]
  const tail = (did: string) => did.split(':').at(-1)?.slice(-12) ?? did
  return (did) => {
    if (did === server) return 'server'
    if (did === room?.client) return 'client'
    return all.filter((one) => tail(one) === tail(did)).length > 1 ? did : tail(did)
  }
}

const actOf = ({ type }: DeliveredEnvelope): string => (type === 'discussion' ? '' : `(${type}) `)

function textOf({ parts }: DeliveredEnvelope): string {
  return parts
    .flatMap(({ text, artifact }) => (text ? [text] : artifact ? [`[${artifact.name} ${artifact.sha256.slice(0, 8)}]`] : []))
    .join(' ')
}

function truncate(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`
}
