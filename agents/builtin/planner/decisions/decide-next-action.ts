/**
 * The next actions, from room, knowledge and time. Pure: the same inputs give the same actions, so a restarted planner continues
 * where it stopped.
 */
import type { Charter, CharterStep } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import { buildCharter } from '../charter/build-charter.ts'
import type { Plan } from '../plan/plan.ts'
import { isStepDone, listLedSteps, type PlannerRoomState } from '../room/planner-room-state.ts'
import type { PlanningResult } from '../strategies/strategy.ts'
import { buildConclusion } from './build-conclusion.ts'
import { needsClientApproval, withApproval } from './client-approval.ts'
import { decideQuotedGoal } from './decide-quoted-goal.ts'
import { decideTeamFormation } from './decide-team-formation.ts'
import { decideWorkUnderCharter } from './decide-work-under-charter.ts'
import { type DecisionContext, deadlineOf, formatMoney, isMarketFresh, retryMs } from './decision-context.ts'
import { type Action, concludeFailed, type PlannerDecision, postOnce, takeActions, waitUntil, withNextVersion } from './planner-decision.ts'
import { searchGatewaysForGap } from './search-gateways-for-gap.ts'
import { listUnreadAttachments, payableToOthers } from './to-planning-input.ts'

type MadePlan = Extract<PlanningResult, { plan: Plan }>

/** The planner gives up this long before the deadline, so that its conclusion arrives in time. */
const marginMs = 15_000
const maxQuestions = 2
/** Refusals of this planner's charters by the rail after which the goal fails. */
const maxWithdrawals = 2

export function decideNextAction(context: DecisionContext): PlannerDecision {
  const { room, knowledge, offer, now } = context
  if (room.closed || room.concluded !== null) return waitUntil()
  if (knowledge.fatalReason !== undefined) return concludeFailed(room, `I can't bring this goal to its end: ${knowledge.fatalReason}`)
  if (room.withdrawals >= maxWithdrawals)
    return concludeFailed(room, `My charters are not recorded: ${room.withdrawn?.reason ?? ''} ${standing(room)}`.trim())
  const { charter } = room
  if (charter && listLedSteps(charter).every((step) => isStepDone(room, step.step))) return deliver(context, charter)
  const giveUpAt = deadlineOf(context) - marginMs
  if (now >= giveUpAt) return concludeFailed(room, `The deadline has come before the work was done. ${standing(room)}`.trim())
  // Running tasks end in the meantime. The deadline does not move.
  if (room.paused) return waitUntil(giveUpAt)
  const intent = !charter
    ? offer.charter
      ? decideQuotedGoal(context, offer.charter)
      : decidePlan(context)
    : room.recorded === charter.version
      ? decideWorkUnderCharter(context, charter)
      : decideTeamFormation(context, charter)
  const alone = offer.charter ? intent : withNextVersion(room, intent)
  const next = needsClientApproval(context) ? withApproval(context, alone) : alone
  // Each text message is posted once.
  const actions = next.actions.filter((action) => action.do !== 'say' || !room.notes.has(action.key))
  return actions.length > 0 ? { ...next, actions } : { actions, until: Math.min(next.until ?? giveUpAt, giveUpAt) }
}

function deliver({ room, knowledge }: DecisionContext, charter: Charter): PlannerDecision {
  const parts = buildConclusion(room, charter, knowledge.files)
  return takeActions({ do: 'conclude', key: `conclude:${room.conclusions + 1}:delivered`, outcome: 'delivered', parts })
}

function standing(room: PlannerRoomState): string {
  const last = room.problems.at(-1)
  return last ? `The last problems: ${last.reason}` : ''
}

function decidePlan(context: DecisionContext): PlannerDecision {
  const { room, knowledge, offer, self, now } = context
  if (room.waitingForClient) return waitUntil()
  if (payableToOthers(context) < 0n)
    return concludeFailed(
      room,
      `The budget leaves ${formatMoney(context, BigInt(offer.payable))} for the work, and my own price is ${formatMoney(context, self.price)}.`,
    )
  const unread = listUnreadAttachments(context)
  if (unread.length > 0) return takeActions(...unread.map((sha256): Action => ({ do: 'fetch', key: `fetch:${sha256}`, sha256 })))
  const key = `answers:${room.answers.length}:${room.refusals.length}`
  if (knowledge.planned?.key !== key)
    return isMarketFresh(context)
      ? takeActions({ do: 'plan', key: `plan:${key}:${knowledge.market?.at}`, question: key })
      : takeActions({ do: 'look', key: `look:${now}` })
  const { result, at } = knowledge.planned
  if ('plan' in result) return propose(context, result)
  const elsewhere = searchGatewaysForGap(context, result.need)
  if (elsewhere) return elsewhere
  if ('question' in result) return ask(context, result)
  if (!result.later) return concludeFailed(room, result.reason)
  const answer = postOnce(room, `short:${result.reason}`, `${result.reason} I keep looking until the deadline.`, waitUntil(at + retryMs))
  return answer.actions.length > 0 || now < at + retryMs ? answer : lookAgain(context, key)
}

/** Reads the market, and then plans again. */
function lookAgain(context: DecisionContext, key: string): PlannerDecision {
  const { knowledge, now } = context
  return isMarketFresh(context) && (knowledge.market?.at ?? 0) > (knowledge.planned?.at ?? 0)
    ? takeActions({ do: 'plan', key: `plan:${key}:${knowledge.market?.at}`, question: key })
    : takeActions({ do: 'look', key: `look:${now}` })
}

/** A goal that matches no offer is asked about once. Each end without a plan refunds the whole budget. */
function ask({ room }: DecisionContext, { question, isUnmatched }: Extract<PlanningResult, { question: string }>): PlannerDecision {
  if (room.asked >= (isUnmatched ? 1 : maxQuestions))
    return concludeFailed(room, `${question} The answers did not help, so the goal ends and the whole budget is refunded.`)
  return takeActions({ do: 'say', key: `ask:${room.asked + 1}`, text: question, asks: true })
}

function propose(context: DecisionContext, planned: MadePlan): PlannerDecision {
  const { room, offer, self } = context
  const charter = buildCharter(planned.plan, offer, self, (room.charter?.version ?? 0) + 1)
  const key = `plan:${charter.version}${room.refusals.length > 0 ? `:${room.refusals.length}` : ''}`
  const invite: Action = { do: 'propose', key: `propose:${charter.version}`, charter }
  return room.notes.has(key)
    ? takeActions(invite)
    : takeActions(
        { do: 'say', key, text: planText(context, planned.plan, charter, planned.summary), data: planData(planned, charter) },
        invite,
      )
}

function planText(context: DecisionContext, plan: Plan, charter: Charter, summary: string): string {
  const lines = charter.steps.map((step) => {
    const after = step.depends_on.length === 0 ? '' : `, after ${formatList(step.depends_on.map(String))}`
    const who = plan.steps.find((one) => one.step === step.step)?.offer.handle ?? 'me'
    const from = plan.steps.find((one) => one.step === step.step)?.offer.through
    const through = from === undefined ? '' : ` (a resource elsewhere, tested by ${from})`
    return `${step.step}. ${step.title}: ${who}${through}, ${formatMoney(context, BigInt(step.amount))}, ${step.mode}${after}`
  })
  const total = charter.steps.reduce((sum, step) => sum + BigInt(step.amount), 0n)
  const avoided = (context.knowledge.market?.listings ?? []).filter((one) => context.avoided?.has(one.did)).map((one) => one.handle)
  const without = avoided.length > 0 ? ` I leave out ${formatList(avoided)}: you refused that agent in an earlier goal.` : ''
  return `${summary}${without}\n\n${lines.join('\n')}\n\nTogether ${formatMoney(context, total)} of ${formatMoney(context, BigInt(context.offer.payable))} that may be spent.`
}

function planData({ plan, mode, made }: MadePlan, charter: Charter): NonNullable<Extract<Action, { do: 'say' }>['data']> {
  const steps = charter.steps.map(({ step, title, skill_id, agent_id, amount, mode: how, depends_on, outputs }: CharterStep) => ({
    step,
    title,
    skill_id,
    agent_id,
    amount,
    mode: how,
    depends_on,
    outputs,
  }))
  const total = charter.steps.reduce((sum, step) => sum + BigInt(step.amount), 0n).toString()
  return {
    kind: 'plan',
    version: charter.version,
    steps,
    estimate: total,
    mode,
    ...(made && {
      made: { prompts: [...made.prompts], asks: made.asks, refused: made.refused.map((one) => one.slice(0, 400)).slice(-10) },
    }),
    critical_path: [...plan.critical_path, charter.steps.length],
  }
}
