/** What the planning strategies read: the goal with the beginnings of its files, and the offers that may be hired. */
import { filterOffersByTeamPreferences } from '../plan/filter-offers-by-team-preferences.ts'
import { listAdmittedOffers, mayModelReadGoal } from '../plan/may-model-read-goal.ts'
import { preferAgents, toSkillOffers } from '../plan/skill-offers.ts'
import type { PlanningInput } from '../strategies/strategy.ts'
import { type DecisionContext, deadlineOf, listMissingMembers, shownHandle } from './decision-context.ts'

/** Upper bound for the steps of other agents, base units. */
export const payableToOthers = ({ offer, self }: DecisionContext): bigint => BigInt(offer.payable) - self.price

/** Offers for a replacement: without the planner, agents with a problem in this goal, and agents that the client refused. */
export function listReplacementOffers(context: DecisionContext): ReturnType<typeof toSkillOffers> {
  const without = new Set([context.self.did, ...context.room.problems.map((trouble) => trouble.agent), ...(context.avoided ?? [])])
  // A refusal that names an agent refuses that agent. A handle without a hyphen may be an ordinary word, so it does not count.
  const words = context.room.refusals.map((one) => one.reason).join(' ')
  const isNamed = (handle: string) => handle.includes('-') && new RegExp(`(?<![\\w-])${handle}(?![\\w-])`).test(words)
  const offers = toSkillOffers(context.knowledge.market?.listings ?? [], without).filter(({ handle }) => !isNamed(handle))
  return [...filterOffersByTeamPreferences(listAdmittedOffers(offers, mayModelReadGoal(context.offer)), context.offer.team)]
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
  const { text, original_text: originalText, criteria, attachments, values } = offer
  const heads = Object.fromEntries(
    attachments.flatMap(({ sha256 }) => {
      const content = context.knowledge.files.get(sha256)
      return content === undefined ? [] : [[sha256, { text: content.slice(0, headLength), isWhole: content.length <= headLength }]]
    }),
  )
  return {
    goal: {
      ...{ text, criteria: criteria.map((one) => one.text), attachments, heads, answers: room.answers },
      ...(originalText && { originalText }),
      ...(values && { values }),
    },
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
