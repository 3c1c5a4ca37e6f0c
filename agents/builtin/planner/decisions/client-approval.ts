/**
 * Client approval (copilot): no charter is proposed before the client confirms it, and no step is assigned before its confirmation.
 * A refusal leads to another charter.
 */
import { createHash } from 'node:crypto'
import { type Charter, type CharterStep, canonicalBytes, type Json } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import { replaceAgents } from '../charter/replace-agents.ts'
import { nextOwnCharterVersion } from '../room/planner-room-state.ts'
import { type DecisionContext, formatMoney, isMarketFresh, retryMs, shownHandle } from './decision-context.ts'
import { type Action, type PlannerDecision, postOnce, takeActions, waitUntil, withNextVersion } from './planner-decision.ts'
import { listReplacementOffers } from './to-planning-input.ts'

export const needsClientApproval = ({ offer }: DecisionContext): boolean => offer.planner === 'copilot'

/** The charter hash, as the server computes it. */
export const hashCharter = (charter: Charter): string =>
  `0x${createHash('sha256')
    .update(canonicalBytes(charter as Json))
    .digest('hex')}`

/** Whether a step may be assigned. The planner's own step is confirmed with the charter. */
export function mayAssign(context: DecisionContext, charter: Charter, step: CharterStep): boolean {
  if (!needsClientApproval(context) || step.sender_id === charter.principal_id) return true
  return context.room.confirmed.get(context.room.charterHash ?? '')?.has(step.step) ?? false
}

/** Posts once that these steps wait for the client. */
export function announceWaitingSteps(context: DecisionContext, steps: readonly CharterStep[]): PlannerDecision {
  const names = steps.map(
    (step) => `step ${step.step}, ${step.title} (${shownHandle(context, step.sender_id)}, ${formatMoney(context, BigInt(step.amount))})`,
  )
  const key = `waits:${context.room.charter?.version}:${steps.map((step) => step.step).join(',')}`
  return postOnce(context.room, key, `Ready, and waiting for the client's word: ${formatList(names)}.`, waitUntil())
}

/** Turns a decision into one with approval: the next charter goes to the client, and to the agents after its confirmation. */
export function withApproval(context: DecisionContext, decision: PlannerDecision): PlannerDecision {
  const { room } = context
  const { draft } = room
  const isNext = draft?.charter.version === nextOwnCharterVersion(room)
  if (draft?.state === 'confirmed' && isNext)
    return takeActions({ do: 'propose', key: `propose:${draft.charter.version}:${draft.hash}`, charter: draft.charter })
  if (draft?.state === 'submitted' && isNext) return room.charter ? without(decision) : waitUntil()
  const refused = room.refusals.findLast((one) => one.hash === room.charterHash)
  if (draft?.state === 'refused' && draft.hash === room.charterHash && refused?.step !== undefined && decision.actions.length === 0)
    return submitted(context, reviseStep(context, draft.charter, refused.step, refused.reason))
  return submitted(context, decision)
}

const without = (decision: PlannerDecision): PlannerDecision => ({
  ...decision,
  actions: decision.actions.filter((action) => action.do !== 'propose'),
})

/** Submits charters to the client instead of proposing them. A refused charter is not submitted again. */
function submitted(context: DecisionContext, intent: PlannerDecision): PlannerDecision {
  const { room } = context
  const decision = withNextVersion(room, intent)
  const proposal = decision.actions.find((action) => action.do === 'propose')
  if (proposal && room.refusals.some((one) => one.hash === hashCharter(proposal.charter))) return stuck(context)
  const words = decision.actions.find((action) => action.do === 'say')?.text ?? ''
  return {
    ...decision,
    actions: decision.actions.map(
      (action): Action =>
        action.do === 'propose'
          ? { do: 'submit', key: `submit:${hashCharter(action.charter)}`, charter: action.charter, reason: reasonOf(words) }
          : action,
    ),
  }
}

const reasonOf = (words: string): string => (words.split('\n')[0] ?? '').slice(0, 1_000)

function stuck({ room }: DecisionContext): PlannerDecision {
  const key = `stuck:${room.refusals.length}:${room.answers.length}`
  if (room.notes.has(key)) return waitUntil()
  const text = 'I have no other charter than the one that was refused. What should change? Say it here, or stop the goal.'
  return takeActions({ do: 'say', key, text, asks: true })
}

/** The next version with another agent for a step that the client refused. */
function reviseStep(context: DecisionContext, charter: Charter, step: number, reason: string): PlannerDecision {
  const { now, offer, room } = context
  if (!isMarketFresh(context, room.head)) return takeActions({ do: 'look', key: `look:${now}` })
  const next = replaceAgents(charter, [step], listReplacementOffers(context), BigInt(offer.payable))
  if (!next)
    return postOnce(
      room,
      `nobody:${charter.version}:${step}`,
      `Step ${step} was refused (“${reason}”), and no other agent online can take it. I keep looking until the deadline.`,
      waitUntil(now + retryMs),
    )
  const text = `Step ${step} was refused: “${reason}”. I propose another agent for it.`
  return takeActions(
    { do: 'say', key: `revise:${next.version}:${room.refusals.length}`, text },
    { do: 'propose', key: `propose:${next.version}`, charter: next },
  )
}
