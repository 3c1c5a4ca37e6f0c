/** What a decision is made from, and the words that decisions are made of. */
import { type Charter, type CharterStep, formatAmount, type GoalOffer } from '@parley/protocol'
import type { Self } from '../charter/build-charter.ts'
import { offersOf, preferKept } from '../plan/skill-offers.ts'
import { attemptOf, type Floor, unsigned } from '../room/reduce.ts'
import { keyOfNeed, type Need } from '../sourcing/gap.ts'
import type { PlanningInput } from '../strategies/strategy.ts'
import type { Action, Decision, Knowledge } from './knowledge.ts'

export type Scene = {
  readonly offer: GoalOffer
  readonly self: Self
  readonly floor: Floor
  readonly known: Knowledge
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

export const fail = (floor: Floor, reason: string): Decision => ({
  actions: [{ do: 'conclude', key: `conclude:${floor.conclusions + 1}:failed`, outcome: 'failed', parts: [{ text: reason }] }],
})

export const act = (...actions: Action[]): Decision => ({ actions })
export const wait = (until?: number): Decision => ({ actions: [], ...(until !== undefined && { until }) })

/** Says it once; afterwards what follows counts. */
export const sayOnce = (floor: Floor, key: string, text: string, then: Decision): Decision =>
  floor.notes.has(key) ? then : { ...then, actions: [{ do: 'say', key, text }, ...then.actions] }

export const money = (scene: Scene, amount: bigint): string => `${formatAmount(amount, scene.decimals)} USDC`

/** Whether the market was read lately, and after the message `seq`: what was read before can't know of it. */
export function isFresh(scene: Scene, seq = 0): boolean {
  const { market } = scene.known
  return market !== undefined && market.head >= seq && scene.now - market.at < freshMs
}

/** The same is asked of others again after so long, and of one goal so many questions at most. */
const seekAgainMs = 60_000
const maxSought = 12

/** Others are asked for what this market lacks, where there are any and they were not asked lately. */
export function seekElsewhere({ known, now }: Scene, need: Need | undefined): Decision | undefined {
  const { sought } = known
  if (!need || !sought || (need.outputs.length === 0 && need.text === undefined)) return undefined
  const before = sought.get(keyOfNeed(need))
  if (before === undefined ? sought.size >= maxSought : now - before < seekAgainMs) return undefined
  return act({ do: 'seek', key: `seek:${now}`, need })
}

/** What other agents' steps may sum to. */
export const payableToOthers = ({ offer, self }: Scene): bigint => BigInt(offer.payable) - self.price

/** Offers to staff a step again: nobody who let this team down, and not the principal. */
export function otherOffers(scene: Scene): ReturnType<typeof offersOf> {
  const without = new Set([scene.self.did, ...scene.floor.trouble.map((trouble) => trouble.agent), ...(scene.avoided ?? [])])
  // An agent that a refusal names is what was refused; a handle that is one plain word may be just that.
  const words = scene.floor.refusals.map((one) => one.reason).join(' ')
  const isNamed = (handle: string) => handle.includes('-') && new RegExp(`(?<![\\w-])${handle}(?![\\w-])`).test(words)
  return offersOf(scene.known.market?.listings ?? [], without).filter(({ handle }) => !isNamed(handle))
}

/** Whether any step has been handed out: then what is done must stay, and only hands may change. */
export const hasBegun = (floor: Floor): boolean => floor.attempts.length > 0

export const openSteps = (floor: Floor, charter: Charter): CharterStep[] =>
  charter.steps.filter((step) => attemptOf(floor, step.step)?.status === 'open')

/** Members who refuse, or who have not answered in time. */
export function missingMembers(scene: Scene): string[] {
  const { floor, now } = scene
  const late = now - floor.proposedAt >= patienceMs ? unsigned(floor) : []
  return [...new Set([...floor.declined.keys(), ...late])]
}

/** How long an agent that is online may take over an invitation. */
export const patienceMs = 45_000

export function handleOf({ known }: Scene, did: string): string {
  return known.names.get(did) ?? `${did.slice(0, 12)}…${did.slice(-6)}`
}

/** The question to a planner. */
export function planningInput(scene: Scene): PlanningInput {
  const { offer, floor, decimals, now } = scene
  const { text, criteria, attachments } = offer
  return {
    goal: { text, criteria: criteria.map((one) => one.text), attachments, answers: floor.answers },
    offers: offersForPlan(scene),
    payable: payableToOthers(scene),
    decimals,
    msLeft: Date.parse(offer.deadline) - now,
    refusals: floor.refusals.map(({ step, agent, reason }) =>
      step === undefined ? reason : `Step ${step}, ${handleOf(scene, agent ?? '')}: ${reason}`,
    ),
  }
}

/** What a planner may choose from: whoever is online and has not let this team down. */
export function offersForPlan(scene: Scene): ReturnType<typeof offersOf> {
  const missing = scene.floor.charter ? missingMembers(scene) : []
  const offers = otherOffers(scene).filter((offer) => !missing.includes(offer.sender_id))
  return scene.offer.follows ? preferKept(offers, scene.offer.follows.agents) : offers
}
