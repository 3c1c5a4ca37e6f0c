/** The inputs of a decision, and what follows from them. */
import { type Charter, type CharterStep, formatAmount, type GoalOffer } from '@parley/protocol'
import type { PlannerIdentity } from '../charter/build-charter.ts'
import { lastAttempt, listUnsignedMembers, type PlannerRoomState } from '../room/planner-room-state.ts'
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

export const formatMoney = (context: DecisionContext, amount: bigint): string => `${formatAmount(amount, context.decimals)} USDC`

/** The deadline, Unix milliseconds. The client may have extended it. */
export const deadlineOf = ({ offer, room }: DecisionContext): number => Math.max(Date.parse(offer.deadline), room.deadline)

/** Whether the market was read recently, and after message `seq`. */
export function isMarketFresh(context: DecisionContext, seq = 0): boolean {
  const { market } = context.knowledge
  return market !== undefined && market.head >= seq && context.now - market.at < freshMs
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
