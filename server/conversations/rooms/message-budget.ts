import {
  type Brakes,
  brakeOn,
  fingerprint,
  type Json,
  type Limits,
  noLimits,
  type Part,
  spend,
  type TalkLimits,
  unspent,
} from '@parley/protocol'
import { talkHalted, turnTaken } from '../errors.ts'
import type { MessageBudget, PostContent } from './message-budget-store.ts'
import { leaseAfter, leaseHeldByOther, turnRoom } from './turn-lease.ts'

/** What the server says in the room about its budget. `kind` names the data part. */
export type BudgetNotice = { readonly kind: string; readonly data: { readonly [key: string]: Json }; readonly text: string }

/** What a room with a budget makes of words: refuses them, or stands otherwise after them, and may have something to say itself. */
export type BudgetDecision =
  | { readonly rejected: ReturnType<typeof talkHalted> }
  | { readonly budget: MessageBudget; readonly notice: BudgetNotice | null }

/**
 * Weighs new words of a member at the place in the room's order that they would get. With the message that reaches a limit
 * the talk halts, and the room hears why in one sentence; the client's next word lets it go on. Words out of turn are refused;
 * a turn that was not taken by `at`, Unix milliseconds, has passed on. Pure.
 */
export function chargeBudget(budget: MessageBudget, content: PostContent, clientId: string, at: number): BudgetDecision {
  const { groupId, limits, seats } = budget
  const { sender, next } = content
  if (content.by === 'person') {
    if (budget.halt === null || sender !== clientId) return { budget, notice: null }
    const notice = { kind: 'talk.released', data: {}, text: 'The client lets the agents go on.' }
    return { budget: { ...budget, halt: null, spent: unspent, turn: null }, notice }
  }
  if (budget.halt !== null) return { rejected: talkHalted(groupId, budget.halt) }
  const room = limits.keep_turns && seats ? turnRoom(budget.turn, seats, at) : null
  const taken = room && leaseHeldByOther(room, sender, at)
  if (taken && seats?.members.includes(sender))
    return { rejected: turnTaken(groupId, taken.holder, Math.max(1, Math.ceil((taken.until - at) / 1_000))) }
  const spent = spend(budget.spent, sender, messageCost(content.parts))
  const passed = room && leaseAfter(room, { by: sender, next, at }, limits.max_turns ?? null)
  const halt = brakeOn(spent, sender, toProtocolLimits(limits)) ?? passed?.halt ?? null
  const after = { ...budget, spent, halt, turn: passed ? passed.kept : budget.turn }
  if (halt === null) return { budget: after, notice: null }
  return { budget: after, notice: { kind: 'talk.halted', data: { reason: halt }, text: `${halt} They wait for the client's word.` } }
}

function toProtocolLimits(talk: TalkLimits): Limits {
  const {
    max_messages: messages = null,
    max_messages_each: messagesEach = null,
    max_bytes: bytes = null,
    max_bytes_each: bytesEach = null,
    max_repeats: repeats = null,
  } = talk
  return { ...noLimits, messages, messagesEach, bytes, bytesEach, repeats }
}

/** What a message costs its room: the bytes of its parts, and the mark by which a repetition is known. */
function messageCost(parts: readonly Part[]): Brakes {
  const text = parts.flatMap((part) => part.text ?? []).join(' ')
  return { bytes: new TextEncoder().encode(JSON.stringify(parts)).length, print: fingerprint(text) }
}
