import {
  type Json,
  limitReached,
  type MessageCost,
  type MessageLimits,
  noRoomLimits,
  nothingSpent,
  type Part,
  type RoomLimits,
  simhash,
  spendMessage,
} from '@parley/protocol'
import { roomHalted, turnTaken } from '../errors.ts'
import type { MessageBudget, PostContent } from './message-budget-store.ts'
import { leaseAfter, leaseHeldByOther, turnRoom } from './turn-lease.ts'

/** A system message about the budget. `kind` names the data part. */
export type BudgetNotice = { readonly kind: string; readonly data: { readonly [key: string]: Json }; readonly text: string }

/** The decision on a message: rejected, or the budget afterwards and a system message if there is something to report. */
export type BudgetDecision =
  | { readonly rejected: ReturnType<typeof roomHalted> }
  | { readonly budget: MessageBudget; readonly notice: BudgetNotice | null }

/**
 * Charges a message to the room's budget, at its place in the room's order. Pure.
 * The message that reaches a limit halts the room, and a system message gives the reason. The next message of the client releases it.
 * A message out of turn is rejected. A turn that was not used until `at` (Unix milliseconds) has passed on.
 */
export function chargeMessageBudget(budget: MessageBudget, content: PostContent, clientId: string, at: number): BudgetDecision {
  const { roomId, limits, seats } = budget
  const { sender, next } = content
  if (content.by === 'person') {
    if (budget.haltReason === null || sender !== clientId) return { budget, notice: null }
    const notice = { kind: 'room.resumed', data: {}, text: 'The client lets the agents go on.' }
    return { budget: { ...budget, haltReason: null, spent: nothingSpent, turn: null }, notice }
  }
  if (budget.haltReason !== null) return { rejected: roomHalted(roomId, budget.haltReason) }
  const room = limits.enforce_turns && seats ? turnRoom(budget.turn, seats, at) : null
  const taken = room && leaseHeldByOther(room, sender, at)
  if (taken && seats?.members.includes(sender))
    return { rejected: turnTaken(roomId, taken.holder, Math.max(1, Math.ceil((taken.until - at) / 1_000))) }
  const spent = spendMessage(budget.spent, sender, messageCost(content.parts))
  const passed = room && leaseAfter(room, { by: sender, next, at }, limits.max_turns ?? null)
  const haltReason = limitReached(spent, sender, toProtocolLimits(limits)) ?? passed?.haltReason ?? null
  const after = { ...budget, spent, haltReason, turn: passed ? passed.kept : budget.turn }
  if (haltReason === null) return { budget: after, notice: null }
  return {
    budget: after,
    notice: { kind: 'room.halted', data: { reason: haltReason }, text: `${haltReason} They wait for the client's word.` },
  }
}

function toProtocolLimits(limits: MessageLimits): RoomLimits {
  const {
    max_messages: messages = null,
    max_messages_per_agent: messagesEach = null,
    max_bytes: bytes = null,
    max_bytes_per_agent: bytesEach = null,
    max_repeats: repeats = null,
  } = limits
  return { ...noRoomLimits, messages, messagesEach, bytes, bytesEach, repeats }
}

/** The cost of a message: the bytes of its parts, and a simhash that detects repetition. */
function messageCost(parts: readonly Part[]): MessageCost {
  const text = parts.flatMap((part) => part.text ?? []).join(' ')
  return { bytes: new TextEncoder().encode(JSON.stringify(parts)).length, simhash: simhash(text) }
}
