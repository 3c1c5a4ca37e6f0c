/** What a decision is made from, and the words that decisions are made of. */
import { type Charter, type CharterStep, formatAmount, type GoalOffer } from '@parley/protocol'
import type { PlannerIdentity } from '../charter/build-charter.ts'
import { preferAgents, toSkillOffers } from '../plan/skill-offers.ts'
import { lastAttempt, listUnsigned, type RoomState } from '../room/room-state.ts'
import { type Gap, gapKey } from '../sourcing/gap.ts'
import type { PlanningInput } from '../strategies/strategy.ts'
import type { Action, Decision } from './action.ts'
import type { Knowledge } from './knowledge.ts'

export type DecisionContext = {
  readonly offer: GoalOffer
  readonly self: PlannerIdentity
  readonly room: RoomState
  readonly knowledge: Knowledge
  /** The server's time, as far as the room tells it. */
  readonly now: number
  readonly decimals: number
  /** Agents (DIDs) that the client refused in an earlier goal. */
  readonly avoided?: ReadonlySet<string>
}

/** A look at the market is good for so long. */
export const freshMs = 10_000
/** How long to wait before looking again for agents that were not there. */
export const retryMs = 5_000

export const concludeFailed = (room: RoomState, reason: string): Decision => ({
  actions: [{ do: 'conclude', key: `conclude:${room.conclusions + 1}:failed`, outcome: 'failed', parts: [{ text: reason }] }],
})

export const takeActions = (...actions: Action[]): Decision => ({ actions })
export const waitUntil = (until?: number): Decision => ({ actions: [], ...(until !== undefined && { until }) })

/** Says it once; afterwards what follows counts. */
export const postOnce = (room: RoomState, key: string, text: string, then: Decision): Decision =>
  room.notes.has(key) ? then : { ...then, actions: [{ do: 'say', key, text }, ...then.actions] }

export const formatMoney = (context: DecisionContext, amount: bigint): string => `${formatAmount(amount, context.decimals)} USDC`

/** Whether the market was read lately, and after the message `seq`: what was read before can't know of it. */
export function isMarketFresh(context: DecisionContext, seq = 0): boolean {
  const { market } = context.knowledge
  return market !== undefined && market.head >= seq && context.now - market.at < freshMs
}

/** The same is asked of others again after so long, and of one goal so many questions at most. */
const seekAgainMs = 60_000
const maxSought = 12

/** Others are asked for what this market lacks, where there are any and they were not asked lately. */
export function searchGateways({ knowledge, now }: DecisionContext, need: Gap | undefined): Decision | undefined {
  const { searches: sought } = knowledge
  if (!need || !sought || (need.outputs.length === 0 && need.text === undefined)) return undefined
  const before = sought.get(gapKey(need))
  if (before === undefined ? sought.size >= maxSought : now - before < seekAgainMs) return undefined
  return takeActions({ do: 'seek', key: `seek:${now}`, need })
}

/** What other agents' steps may sum to. */
export const payableToOthers = ({ offer, self }: DecisionContext): bigint => BigInt(offer.payable) - self.price

/** Offers to staff a step again: nobody who let this team down, and not the principal. */
export function listReplacementOffers(context: DecisionContext): ReturnType<typeof toSkillOffers> {
  const without = new Set([context.self.did, ...context.room.problems.map((trouble) => trouble.agent), ...(context.avoided ?? [])])
  // An agent that a refusal names is what was refused; a handle that is one plain word may be just that.
  const words = context.room.refusals.map((one) => one.reason).join(' ')
  const isNamed = (handle: string) => handle.includes('-') && new RegExp(`(?<![\\w-])${handle}(?![\\w-])`).test(words)
  return toSkillOffers(context.knowledge.market?.listings ?? [], without).filter(({ handle }) => !isNamed(handle))
}

/** Whether any step has been handed out: then what is done must stay, and only hands may change. */
export const hasStarted = (room: RoomState): boolean => room.attempts.length > 0

export const listOpenSteps = (room: RoomState, charter: Charter): CharterStep[] =>
  charter.steps.filter((step) => lastAttempt(room, step.step)?.status === 'open')

/** Members who refuse, or who have not answered in time. */
export function listMissingMembers(context: DecisionContext): string[] {
  const { room, now } = context
  const late = now - room.proposedAt >= answerTimeoutMs ? listUnsigned(room) : []
  return [...new Set([...room.declined.keys(), ...late])]
}

/** How long an agent that is online may take over an invitation. */
export const answerTimeoutMs = 45_000

export function handleOf({ knowledge }: DecisionContext, did: string): string {
  return knowledge.handles.get(did) ?? `${did.slice(0, 12)}…${did.slice(-6)}`
}

/** The question to a planner. */
export function toPlanningInput(context: DecisionContext): PlanningInput {
  const { offer, room, decimals, now } = context
  const { text, criteria, attachments } = offer
  return {
    goal: { text, criteria: criteria.map((one) => one.text), attachments, answers: room.answers },
    offers: listPlanningOffers(context),
    payable: payableToOthers(context),
    decimals,
    msLeft: Date.parse(offer.deadline) - now,
    refusals: room.refusals.map(({ step, agent, reason }) =>
      step === undefined ? reason : `Step ${step}, ${handleOf(context, agent ?? '')}: ${reason}`,
    ),
  }
}

/** What a planner may choose from: whoever is online and has not let this team down. */
export function listPlanningOffers(context: DecisionContext): ReturnType<typeof toSkillOffers> {
  const missing = context.room.charter ? listMissingMembers(context) : []
  const offers = listReplacementOffers(context).filter((offer) => !missing.includes(offer.sender_id))
  return context.offer.follows ? preferAgents(offers, context.offer.follows.agents) : offers
}
