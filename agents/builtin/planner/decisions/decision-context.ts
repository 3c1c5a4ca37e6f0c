/** The inputs of a decision, and the building blocks of decisions. */
import { type Charter, type CharterStep, formatAmount, type GoalOffer } from '@parley/protocol'
import type { PlannerIdentity } from '../charter/build-charter.ts'
import { applyTeamPreferences } from '../plan/apply-team-preferences.ts'
import { listAdmittedOffers, mayModelReadGoal } from '../plan/may-model-read-goal.ts'
import { preferAgents, toSkillOffers } from '../plan/skill-offers.ts'
import { lastAttempt, listUnsignedMembers, type PlannerRoomState } from '../room/room-state.ts'
import { type Gap, gapKey } from '../sourcing/missing-types.ts'
import type { PlanningInput } from '../strategies/strategy.ts'
import type { Action, PlannerDecision } from './planner-decision.ts'
import type { PlannerKnowledge } from './planner-knowledge.ts'

export type DecisionContext = {
  readonly offer: GoalOffer
  readonly self: PlannerIdentity
  readonly room: PlannerRoomState
  readonly knowledge: PlannerKnowledge
  /** Estimate of the server's time, Unix milliseconds. */
  readonly now: number
  readonly decimals: number
  /** DIDs of agents that the client refused in an earlier goal. */
  readonly avoided?: ReadonlySet<string>
}

/** How long market data is fresh. */
export const freshMs = 10_000
/** Interval at which the market is read again for missing agents. */
export const retryMs = 5_000

export const concludeFailed = (room: PlannerRoomState, reason: string): PlannerDecision => ({
  actions: [{ do: 'conclude', key: `conclude:${room.conclusions + 1}:failed`, outcome: 'failed', parts: [{ text: reason }] }],
})

export const takeActions = (...actions: Action[]): PlannerDecision => ({ actions })
export const waitUntil = (until?: number): PlannerDecision => ({ actions: [], ...(until !== undefined && { until }) })

/** Posts the text once, and then continues with `then`. */
export const postOnce = (room: PlannerRoomState, key: string, text: string, then: PlannerDecision): PlannerDecision =>
  room.notes.has(key) ? then : { ...then, actions: [{ do: 'say', key, text }, ...then.actions] }

export const formatMoney = (context: DecisionContext, amount: bigint): string => `${formatAmount(amount, context.decimals)} USDC`

/** The deadline, Unix milliseconds. The client may have extended it. */
export const deadlineOf = ({ offer, room }: DecisionContext): number => Math.max(Date.parse(offer.deadline), room.deadline)

/** Whether the market was read recently, and after message `seq`. */
export function isMarketFresh(context: DecisionContext, seq = 0): boolean {
  const { market } = context.knowledge
  return market !== undefined && market.head >= seq && context.now - market.at < freshMs
}

/** Interval at which the same gap is searched again, and the maximum number of gaps for one goal. */
const seekAgainMs = 60_000
const maxSought = 12

/** Searches gateways for a gap; undefined if there is no gateway, or it was searched recently. */
export function searchGateways({ knowledge, now }: DecisionContext, need: Gap | undefined): PlannerDecision | undefined {
  const { searches: sought } = knowledge
  if (!need || !sought || (need.outputs.length === 0 && need.text === undefined)) return undefined
  const before = sought.get(gapKey(need))
  if (before === undefined ? sought.size >= maxSought : now - before < seekAgainMs) return undefined
  return takeActions({ do: 'seek', key: `seek:${now}`, need })
}

/** Upper bound for the steps of other agents, base units. */
export const payableToOthers = ({ offer, self }: DecisionContext): bigint => BigInt(offer.payable) - self.price

/** Offers for a replacement: without the planner, agents with a problem in this goal, and agents that the client refused. */
export function listReplacementOffers(context: DecisionContext): ReturnType<typeof toSkillOffers> {
  const without = new Set([context.self.did, ...context.room.problems.map((trouble) => trouble.agent), ...(context.avoided ?? [])])
  // A refusal that names an agent refuses that agent. A handle without a hyphen may be an ordinary word, so it does not count.
  const words = context.room.refusals.map((one) => one.reason).join(' ')
  const isNamed = (handle: string) => handle.includes('-') && new RegExp(`(?<![\\w-])${handle}(?![\\w-])`).test(words)
  const offers = toSkillOffers(context.knowledge.market?.listings ?? [], without).filter(({ handle }) => !isNamed(handle))
  return [...applyTeamPreferences(listAdmittedOffers(offers, mayModelReadGoal(context.offer)), context.offer.team)]
}

/** Whether any step was assigned. From then on done steps stay. */
export const hasStarted = (room: PlannerRoomState): boolean => room.attempts.length > 0

export const listOpenSteps = (room: PlannerRoomState, charter: Charter): CharterStep[] =>
  charter.steps.filter((step) => lastAttempt(room, step.step)?.status === 'open')

/** DIDs of members who declined, or did not answer in time. */
export function listMissingMembers(context: DecisionContext): string[] {
  const { room, now } = context
  const late = now - room.proposedAt >= answerTimeoutMs ? listUnsignedMembers(room) : []
  return [...new Set([...room.declined.keys(), ...late])]
}

/** How long a member may take to answer an invitation. */
export const answerTimeoutMs = 45_000

export function shownHandle({ knowledge }: DecisionContext, did: string): string {
  return knowledge.handles.get(did) ?? `${did.slice(0, 12)}…${did.slice(-6)}`
}

/** As much of a text file as planning reads, like a quote. UTF-16 units. */
const headLength = 30_000
/** Attachments whose content planning reads: text of at most this size, bytes. */
const maxReadBytes = 2_097_152
const isReadable = /^text\/|^application\/(?:json|xml|yaml)/

/** SHA-256 of text attachments that planning has not read yet. */
export const listUnreadAttachments = ({ offer, knowledge }: DecisionContext): string[] =>
  offer.attachments
    .filter(({ media_type, size, sha256 }) => isReadable.test(media_type) && size <= maxReadBytes && !knowledge.files.has(sha256))
    .map(({ sha256 }) => sha256)

/** The input of the planning strategies. */
export function toPlanningInput(context: DecisionContext): PlanningInput {
  const { offer, room, decimals, now } = context
  const { text, criteria, attachments, values } = offer
  const heads = Object.fromEntries(
    attachments.flatMap(({ sha256 }) => {
      const content = context.knowledge.files.get(sha256)
      return content === undefined ? [] : [[sha256, { text: content.slice(0, headLength), isWhole: content.length <= headLength }]]
    }),
  )
  return {
    goal: { text, criteria: criteria.map((one) => one.text), attachments, heads, answers: room.answers, ...(values && { values }) },
    offers: listPlanningOffers(context),
    payable: payableToOthers(context),
    decimals,
    ...(offer.team && { team: offer.team }),
    msLeft: deadlineOf(context) - now,
    refusals: room.refusals.map(({ step, agent, reason }) =>
      step === undefined ? reason : `Step ${step}, ${shownHandle(context, agent ?? '')}: ${reason}`,
    ),
  }
}

/** Offers for a plan. A follow-up goal prefers the agents of the goal before it. */
export function listPlanningOffers(context: DecisionContext): ReturnType<typeof toSkillOffers> {
  const missing = context.room.charter ? listMissingMembers(context) : []
  const offers = listReplacementOffers(context).filter((offer) => !missing.includes(offer.sender_id))
  return context.offer.follows ? preferAgents(offers, context.offer.follows.agents) : offers
}
