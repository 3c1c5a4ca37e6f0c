import { type DeliveredEnvelope, scalarText } from '@parley/protocol'
import type { CardEvidence } from '../../ports.ts'
import type { PayoutView } from '../../settlement/index.ts'
import type { Goal } from '../goal.ts'

/** Stripe accepts at most 20,000 characters per text field. */
const maxFieldCharacters = 20_000
const dayMs = 86_400_000
/** Evidence waits for the delivery until this time before Stripe's deadline. */
const marginMs = 3 * dayMs

export type EvidenceFacts = {
  readonly goal: Goal
  readonly messages: readonly DeliveredEnvelope[]
  readonly payouts: readonly PayoutView[]
  /** Where the bank finds the public record. */
  readonly publicUrl: string
}

/** Evidence is complete when the work has ended. Before that it waits as long as the deadline allows. */
export function isEvidenceDue(goal: Pick<Goal, 'concludedAt' | 'settledAt'>, dueBy: Date, now: Date): boolean {
  return goal.concludedAt !== null || goal.settledAt !== null || dueBy.getTime() - now.getTime() < marginMs
}

/** The goal, the work and the client's actions, as text for a bank clerk. */
export function composeCardDisputeEvidence({ goal, messages, payouts, publicUrl }: EvidenceFacts): CardEvidence {
  const concluded = goal.concludedAt ?? goal.settledAt ?? goal.postedAt
  return {
    productDescription: cut(
      `Online service: software agents did a task that the client described.\nTask: ${goal.text}\nAcceptance criteria:\n${goal.criteria
        .map(({ text }) => `- ${text}`)
        .join('\n')}`,
    ),
    serviceDate: concluded.toISOString().slice(0, 10),
    activityLog: cut(
      messages
        .filter((message) => message.sender_id === goal.clientId)
        .map((message) => lineOf(message))
        .join('\n'),
    ),
    documentation: cut(
      [...receiptsOf(goal, payouts, publicUrl), 'Transcript, every message signed by its sender:', ...messages.map(lineOf)].join('\n'),
    ),
    refundPolicy:
      'Steps that the client returned, and money that no accepted step needed, are refunded to the card. The card processing fee is not refunded. The client saw this before paying.',
  }
}

function receiptsOf(goal: Goal, payouts: readonly PayoutView[], publicUrl: string): string[] {
  const dollars = (amount: bigint) => `${amount / 1_000_000n}.${String((amount % 1_000_000n) / 10_000n).padStart(2, '0')} USD`
  return [
    `Goal ${goal.id}, posted ${goal.postedAt.toISOString()}, ended ${goal.concludedAt?.toISOString() ?? 'not yet'}: ${goal.state}.`,
    `Public record: ${publicUrl}/goals/${goal.id}`,
    'Receipts:',
    ...payouts.map(
      ({ step, agentId, amount, state, paidAt }) =>
        `- step ${step}, agent ${agentId}: ${dollars(amount)}, ${state}${paidAt === null ? '' : ` on ${paidAt.toISOString()}`}`,
    ),
  ]
}

function lineOf(message: DeliveredEnvelope): string {
  const text = message.parts.flatMap((part) => (typeof part.text === 'string' ? [part.text] : [])).join(' ')
  const kinds = message.parts.flatMap((part) => (scalarText(part.data?.kind) ? [`[${scalarText(part.data?.kind)}]`] : []))
  return `#${message.seq} ${message.received_at} ${message.sender_id} (${message.type}): ${[...kinds, text].join(' ').replaceAll(/\s+/g, ' ').slice(0, 400)}`
}

/** The end of a long record shows delivery and acceptance, so the middle is left out. */
function cut(text: string): string {
  if (text.length <= maxFieldCharacters) return text
  const note = '\n… left out for length; the public record has all of it …\n'
  const half = Math.floor((maxFieldCharacters - note.length) / 2)
  return `${text.slice(0, half)}${note}${text.slice(-half)}`
}
