/** The client's preferences about the team, as planning follows them. */
import { type TeamPreferences, teamPreferenceFaults } from '@parley/protocol'
import type { Plan } from './plan.ts'
import { preferAgents, type SkillOffer } from './skill-offers.ts'

/** Without excluded agents. Of the skills that required agents offer, only theirs. */
export function filterOffersByTeamPreferences(offers: readonly SkillOffer[], team: TeamPreferences | undefined): readonly SkillOffer[] {
  if (!team) return offers
  const allowed = offers.filter(({ agent_id }) => !team.exclude.includes(agent_id as never))
  return preferAgents(allowed, team.require)
}

/** Where a plan contradicts the preferences, as sentences with handles. */
export function planTeamFaults({ steps }: Plan, team: TeamPreferences | undefined): string[] {
  if (!team) return []
  const charter = {
    principal_id: '',
    steps: steps.map(({ step, offer }) => ({ step, agent_id: offer.agent_id, sender_id: offer.sender_id })),
  }
  const handles = new Map(steps.map(({ offer }) => [offer.agent_id, offer.handle]))
  return teamPreferenceFaults(charter, team).map((fault) => fault.replace(/agt_\w+/g, (id) => handles.get(id) ?? id))
}

const maxCandidates = 8

/** Sets of at most `max` agents to plan with, those first that offer most skills. Bounded: a small market is searched completely. */
export function smallTeams(offers: readonly SkillOffer[], max: number): (readonly SkillOffer[])[] {
  const byAgent = [...Map.groupBy(offers, ({ agent_id }) => agent_id).values()]
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxCandidates)
  return setsOf(byAgent, Math.min(max, byAgent.length)).map((set) => set.flat())
}

function setsOf<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return all.flatMap((one, index) => setsOf(all.slice(index + 1), size - 1).map((rest) => [one, ...rest]))
}
