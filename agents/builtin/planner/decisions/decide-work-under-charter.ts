/** Work under a recorded charter: assignments, replacements, the review, and the answer. */
import type { ArtifactRef, Charter, CharterStep } from '@parley/protocol'
import { formatList } from '../../format-numbers-and-lists.ts'
import { addRework } from '../charter/add-rework.ts'
import { buildTaskInputs } from '../charter/build-task-inputs.ts'
import { toSkillOffers } from '../plan/skill-offers.ts'
import { isInRevision, isStepDone, lastAttempt, listLedSteps } from '../room/planner-room-state.ts'
import { findVerdictHash, listQuotedHashes, parseVerdictText, renderAnswer } from './build-conclusion.ts'
import { announceWaitingSteps, mayAssign } from './client-approval.ts'
import { endQuotedGoal } from './decide-quoted-goal.ts'
import { type DecisionContext, isMarketFresh, listOpenSteps, retryMs, shownHandle } from './decision-context.ts'
import { gapFor, planWithoutLostAgents } from './plan-without-lost-agents.ts'
import { type Action, concludeFailed, deriveTaskId, type PlannerDecision, postOnce, takeActions, waitUntil } from './planner-decision.ts'
import { reviseStepInputs } from './revise-step-inputs.ts'
import { searchGatewaysForGap } from './search-gateways-for-gap.ts'
import { listReplacementOffers } from './to-planning-input.ts'

/** Expired leases of one agent after which it is not assigned again, even if there is no replacement. */
const maxExpiries = 3

export function decideWorkUnderCharter(context: DecisionContext, charter: Charter): PlannerDecision {
  const { room } = context
  const led = listLedSteps(charter)
  const own = led.find((step) => step.sender_id === charter.principal_id)
  const others = led.filter((step) => step !== own)
  // An attempt of a replaced agent no longer counts.
  const fallen = others.filter((step) => {
    const last = lastAttempt(room, step.step)
    return last?.agent === step.sender_id && (last.status === 'failed' || last.status === 'expired')
  })
  if (own && others.every((step) => isStepDone(room, step.step))) return finish(context, charter, own)
  const open = listOpenSteps(room, charter)
  const fed = others.filter(
    (step) =>
      !isStepDone(room, step.step) &&
      !open.includes(step) &&
      !fallen.includes(step) &&
      step.depends_on.every((number) => isStepDone(room, number)),
  )
  const ready = fed.filter((step) => mayAssign(context, charter, step))
  const now = open.some((step) => step.mode === 'sync') ? [] : handedOutNow(ready, open.length + fallen.length === 0)
  // Ready steps are assigned before failed ones are replaced.
  if (now.length > 0) return assignAll(context, charter, now)
  if (fallen.length > 0) return replaceFallen(context, charter, fallen)
  const asked = fed.filter((step) => !ready.includes(step))
  if (asked.length > 0) return announceWaitingSteps(context, asked)
  if (open.length < 2 || open.some((step) => step.mode === 'sync')) return waitUntil()
  return pause(context, open)
}

/** All `async` steps; or one `sync` step, if nothing else is running. */
function handedOutNow(ready: readonly CharterStep[], isSettlementIdle: boolean): readonly CharterStep[] {
  const beside = ready.filter((step) => step.mode === 'async')
  return beside.length > 0 || !isSettlementIdle ? beside : ready.slice(0, 1)
}

function assignAll(context: DecisionContext, charter: Charter, steps: readonly CharterStep[]): PlannerDecision {
  const actions = steps.map((step) => assign(context, charter, step))
  const missing = steps.find((_, index) => actions[index] === undefined)
  if (missing) return concludeFailed(context.room, `Step ${missing.step} lacks an input that an earlier step should have made.`)
  return { actions: actions.filter((action) => action !== undefined) }
}

function assign(context: DecisionContext, charter: Charter, step: CharterStep): Action | undefined {
  const { room, offer } = context
  const madeBy = (number: number, type: string): ArtifactRef | undefined =>
    lastAttempt(room, number)?.artifacts.find((artifact) => artifact.artifact_type === type)
  const inputs = buildTaskInputs(step, offer, madeBy)
  if (!inputs) return undefined
  const before = room.attempts.filter((attempt) => attempt.step === step.step)
  const task_id = deriveTaskId(offer.goal_id, step.step, before.length + 1, room.recordedAt)
  const last = before.at(-1)
  const changes = revisionsOf(room, step.step)
  const asked = changes.length > 0 ? ` Changes requested: ${changes.join(' ')}` : ''
  const task_desc = `${step.title}. Wanted: ${formatList(step.outputs)}. For the goal: ${offer.text.slice(0, 1_500)}${asked}`
  return {
    do: 'assign',
    key: `assign:${charter.version}:${task_id}`,
    step: step.step,
    task_id,
    inputs: changes.length > 0 ? reviseStepInputs(context, step, inputs) : inputs,
    task_desc,
    ...(last && { reworks: last.task_id as `tsk_${string}` }),
  }
}

/** What the client wants changed at a step. */
const revisionsOf = (room: DecisionContext['room'], step: number): string[] =>
  room.revisions.filter(({ steps }) => steps.includes(step)).map(({ reason }) => reason)

/** Pauses the room until all running tasks have ended. */
function pause({ room }: DecisionContext, open: readonly CharterStep[]): PlannerDecision {
  const tasks = open.map((step) => lastAttempt(room, step.step)?.task_id ?? '').sort()
  const key = `pause:${tasks.join(',')}`
  if (room.notes.has(key)) return waitUntil()
  return takeActions({
    do: 'say',
    key,
    act: 'pause',
    triggers: tasks,
    text: `Steps ${formatList(open.map((step) => String(step.step)))} are under way at the same time; I wait for all of them.`,
  })
}

/** Replaces agents that failed, or makes a new plan for the rest. An agent that is online again may repeat its step if there is no replacement. */
function replaceFallen(context: DecisionContext, charter: Charter, fallen: readonly CharterStep[]): PlannerDecision {
  const { room, now } = context
  const since = Math.max(...fallen.map((step) => lastAttempt(room, step.step)?.seq ?? 0))
  if (!isMarketFresh(context, since)) return takeActions({ do: 'look', key: `look:${now}` })
  const numbers = fallen.map((step) => step.step)
  const why = formatList(
    fallen.map((step) => `step ${step.step} (${shownHandle(context, step.sender_id)}): ${lastAttempt(room, step.step)?.text ?? ''}`),
  )
  const isFixed = context.offer.charter !== undefined
  // A delivered step stays with its agent.
  const isBound = numbers.some((step) => isInRevision(room, step))
  const next = isFixed || isBound ? undefined : planWithoutLostAgents(context, charter, numbers, listReplacementOffers(context))
  if (next) {
    const { version } = next.charter
    return takeActions(
      { do: 'say', key: `swap:${version}`, text: `I lost ${why} ${next.announcement}` },
      { do: 'propose', key: `propose:${version}`, charter: next.charter },
    )
  }
  const elsewhere = isFixed || isBound ? undefined : searchGatewaysForGap(context, gapFor(context, charter, fallen))
  if (elsewhere) return elsewhere
  const failed = fallen.filter((step) => lastAttempt(room, step.step)?.status === 'failed')
  if (failed.length > 0 && isBound)
    return concludeFailed(room, `The changes can't be made: ${why} What was delivered before is in review again.`)
  if (failed.length > 0 && isFixed) return endQuotedGoal(context, `I can't get this done: ${why}`)
  if (failed.length > 0) return concludeFailed(room, `I can't get this done: ${why} No other agent online can take it within the budget.`)
  const online = new Set(toSkillOffers(context.knowledge.market?.listings ?? []).map((one) => one.sender_id))
  const back = fallen.filter((step) => online.has(step.sender_id) && expiriesOf(context, step.sender_id) < maxExpiries)
  if (back.length > 0) return assignAll(context, charter, back.slice(0, 1))
  if (isFixed && fallen.some((step) => expiriesOf(context, step.sender_id) >= maxExpiries))
    return endQuotedGoal(context, `I can't get this done: ${why} It happened ${maxExpiries} times.`)
  if (fallen.some((step) => expiriesOf(context, step.sender_id) >= maxExpiries))
    return concludeFailed(room, `I can't get this done: ${why} It happened ${maxExpiries} times, and no other agent online can take it.`)
  return postOnce(
    room,
    `lost:${charter.version}:${room.problems.length}`,
    isFixed
      ? `I lost ${why} You funded this team with the goal, so I wait for the agent until the deadline.`
      : `I lost ${why} No other agent online can take it; I keep looking until the deadline.`,
    waitUntil(now + retryMs),
  )
}

const expiriesOf = ({ room }: DecisionContext, agent: string): number =>
  room.problems.filter((one) => one.agent === agent && one.kind === 'expired').length

/** All other steps are done: evaluates the review, and assembles the answer. */
function finish(context: DecisionContext, charter: Charter, own: CharterStep): PlannerDecision {
  const { room, knowledge, offer } = context
  const verdictHash = findVerdictHash(room)
  const wanted = [...(verdictHash ? [verdictHash] : []), ...listQuotedHashes(room, charter)]
  const missing = wanted.filter((sha256) => !knowledge.files.has(sha256))
  if (missing.length > 0) return { actions: missing.map((sha256) => ({ do: 'fetch', key: `fetch:${sha256}`, sha256 })) }
  const verdict = parseVerdictText(knowledge.files.get(verdictHash ?? ''))
  const failed = verdict?.pass === false ? verdict.criteria.filter((one) => one.status === 'failed') : []
  if (failed.length > 0) return rework(context, charter, failed)
  const attempt = lastAttempt(room, own.step)
  if (attempt?.status !== 'open') return assignAll(context, charter, [own])
  const count = listLedSteps(charter).length - 1
  return takeActions({
    do: 'complete',
    key: `complete:${attempt.task_id}`,
    task_id: attempt.task_id as `tsk_${string}`,
    text: `Put the answer together from ${count} ${count === 1 ? 'step' : 'steps'}.`,
    content: renderAnswer(offer, room, charter, knowledge.files),
  })
}

/** Rework, once, if other agents and the budget allow it. Otherwise the goal fails. */
function rework(
  context: DecisionContext,
  charter: Charter,
  failed: readonly { text: string; evidence: string; concerns: readonly string[] }[],
): PlannerDecision {
  const { room, offer, now } = context
  const reasons = failed.map((one) => `“${one.text}”: ${one.evidence}`).join(' ')
  const giveUp = concludeFailed(room, `The acceptance criteria can't be met. ${reasons}`)
  if (offer.charter) return endQuotedGoal(context, `The acceptance criteria can't be met. ${reasons}`)
  const types = [...new Set(failed.flatMap((one) => one.concerns))]
  const changeable = failed.every((one) => one.concerns.length > 0 && !one.concerns.includes('table.series'))
  const before = [...room.notes].some((key) => key.startsWith('rework:') && key !== `rework:${charter.version + 1}`)
  if (!changeable || before) return giveUp
  if (!isMarketFresh(context, room.attempts.at(-1)?.seq)) return takeActions({ do: 'look', key: `look:${now}` })
  const next = addRework(charter, types, listReplacementOffers(context), BigInt(offer.payable))
  if (!next) return giveUp
  return takeActions(
    { do: 'say', key: `rework:${next.version}`, text: `The review did not pass. ${reasons} Another agent does the work again.` },
    { do: 'propose', key: `propose:${next.version}`, charter: next },
  )
}
