/** From a proposed charter to a sealed one: acceptances, refusals, missing answers and replacements. */
import type { Charter } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import { buildCharter } from '../charter/build-charter.ts'
import { replaceAgents } from '../charter/replace-agents.ts'
import { lastAttempt, listUnsignedMembers } from '../room/planner-room-state.ts'
import { endQuotedGoal } from './decide-quoted-goal.ts'
import {
  answerTimeoutMs,
  type DecisionContext,
  hasStarted,
  isMarketFresh,
  listMissingMembers,
  retryMs,
  shownHandle,
} from './decision-context.ts'
import { gapFor, type NextCharter, planWithoutLostAgents } from './plan-without-lost-agents.ts'
import { concludeFailed, type PlannerDecision, postOnce, takeActions, waitUntil } from './planner-decision.ts'
import { searchGatewaysForGap } from './search-gateways-for-gap.ts'
import { listReplacementOffers } from './to-planning-input.ts'

export function decideTeamFormation(context: DecisionContext, charter: Charter): PlannerDecision {
  const { room } = context
  const missing = listMissingMembers(context)
  if (missing.length > 0 && room.sealed !== charter.version)
    return context.offer.charter ? endQuotedGoal(context, whyMissing(context, missing)) : replaceMembers(context, charter, missing)
  if (listUnsignedMembers(room).length > 0) return waitUntil(room.proposedAt + answerTimeoutMs)
  if (room.sealed !== charter.version) return takeActions({ do: 'seal', key: `seal:${charter.version}` })
  return waitUntil()
}

function whyMissing(context: DecisionContext, missing: readonly string[]): string {
  const names = formatList(missing.map((did) => shownHandle(context, did)))
  const reasons = [...context.room.declined.values()].map((reason) => `“${reason}”`)
  return `${names} ${reasons.length > 0 ? `declined: ${formatList(reasons)}` : 'did not answer the invitation.'}`
}

/** The next version without the missing members. Before any work the whole plan may change; afterwards only replacements and the rest. */
function replaceMembers(context: DecisionContext, charter: Charter, missing: readonly string[]): PlannerDecision {
  const { room, knowledge, now, offer, self } = context
  if (!isMarketFresh(context, room.proposedSeq)) return takeActions({ do: 'look', key: `look:${now}` })
  const version = charter.version + 1
  // Done and running steps cannot be reassigned.
  const movable = charter.steps.filter(
    (step) => missing.includes(step.sender_id) && !['completed', 'open'].includes(lastAttempt(room, step.step)?.status ?? ''),
  )
  const steps = movable.map((step) => step.step)
  const offers = listReplacementOffers(context).filter((one) => !missing.includes(one.sender_id))
  const why = whyMissing(context, missing)
  // Before any work the plan is free. Afterwards done steps stay, and the plan continues from them.
  const next = steps.length === 0 ? undefined : hasStarted(room) ? planWithoutLostAgents(context, charter, steps, offers) : inOtherHands()
  if (next)
    return takeActions(
      { do: 'say', key: `swap:${version}`, text: `${why} ${next.announcement}` },
      { do: 'propose', key: `propose:${version}`, charter: next.charter },
    )
  const elsewhere = hasStarted(room) && searchGatewaysForGap(context, gapFor(context, charter, movable))
  if (elsewhere) return elsewhere
  if (hasStarted(room))
    return postOnce(
      room,
      `short:${version}`,
      `${why} No other agent online can take the step; I keep looking until the deadline.`,
      waitUntil(now + retryMs),
    )
  const key = `version:${version}:${knowledge.market?.at}`
  if (knowledge.planned?.key !== key) return takeActions({ do: 'plan', key: `plan:${key}`, question: key })
  const { result } = knowledge.planned
  if ('plan' in result)
    return takeActions(
      { do: 'say', key: `swap:${version}`, text: `${why} I made a new plan. ${result.summary}` },
      { do: 'propose', key: `propose:${version}`, charter: buildCharter(result.plan, offer, self, version) },
    )
  const further = searchGatewaysForGap(context, result.need)
  if (further) return further
  if ('question' in result) return concludeFailed(room, `${why} ${result.question}`)
  return postOnce(room, `short:${version}`, `${why} ${result.reason} I keep looking until the deadline.`, waitUntil(now + retryMs))

  function inOtherHands(): NextCharter | undefined {
    const swapped = replaceAgents(charter, steps, offers, BigInt(offer.payable))
    return swapped && { charter: swapped, announcement: 'I am asking another agent.' }
  }
}
