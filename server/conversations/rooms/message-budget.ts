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

/** A system message about the budget. `kind` names the data part. */
export type BudgetNotice = { readonly kind: string; readonly data: { readonly [key: string]: Json }; readonly text: string }

/** The decision on a message: rejected, or the budget afterwards and a system message if there is something to report. */
export type BudgetDecision =
  | { readonly rejected: ReturnType<typeof talkHalted> }
  | { readonly budget: MessageBudget; readonly notice: BudgetNotice | null }

/**
 * Charges a message to the room's budget, at its place in the room's order. Pure.
 * The message that reaches a limit halts the room, and a system message gives the reason. The next message of the client releases it.
 * A message out of turn is rejected. A turn that was not used until `at` (Unix milliseconds) has passed on.
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

function toProtocolLimits(limits: TalkLimits): Limits {
  const {
    max_messages: messages = null,
    max_messages_each: messagesEach = null,
    max_bytes: bytes = null,
    max_bytes_each: bytesEach = null,
    max_repeats: repeats = null,
  } = limits
  return { ...noLimits, messages, messagesEach, bytes, bytesEach, repeats }
}

/** The cost of a message: the bytes of its parts, and a fingerprint that detects repetition. */
function messageCost(parts: readonly Part[]): Brakes {
  const text = parts.flatMap((part) => part.text ?? []).join(' ')
  return { bytes: new TextEncoder().encode(JSON.stringify(parts)).length, print: fingerprint(text) }
}
