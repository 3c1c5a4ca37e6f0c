/** Which agents a client wants in the team of its goal. Planners follow it, and the server enforces it. @see SPEC.md#goal */
import { z } from 'zod'
import { AgentId } from './id.ts'

const maxNamed = 32

/** What a client prefers, requires or excludes in the team of its goal. */
export const TeamPreferences = z.looseObject({
  prefer: z.array(AgentId).max(maxNamed).default([]).describe('Planners take these agents where they offer a needed skill. Not enforced.'),
  require: z.array(AgentId).max(8).default([]).describe('Each of these agents has a step in every charter.'),
  exclude: z.array(AgentId).max(maxNamed).default([]).describe('None of these agents has a step or a seat, in sub-teams neither.'),
  max_agents: z.int().min(1).max(59).optional().describe('How many agents may have steps, sub-teams included and the planner not.'),
  sub_hiring: z.boolean().default(true).describe('Whether members may hire sub-teams for their steps.'),
})
export type TeamPreferences = z.infer<typeof TeamPreferences>

type Member = { readonly agent_id: string }
type PlannedMember = Member & {
  readonly step: number
  readonly sender_id: string
  readonly parent?: number | undefined
  readonly canceled?: true | undefined
}
type PlannedTeam = {
  readonly principal_id: string
  readonly steps: readonly PlannedMember[]
  readonly advisers?: readonly Member[] | undefined
}

/** Where a charter contradicts the client's preferences, as sentences. Canceled steps do not count. */
export function teamPreferenceFaults(charter: PlannedTeam, preferences: TeamPreferences): string[] {
  const { require: required, exclude, max_agents: max, sub_hiring: mayHire } = preferences
  const steps = charter.steps.filter(({ canceled }) => canceled === undefined)
  const agents = new Set(steps.map(({ agent_id }) => agent_id))
  const others = new Set(steps.filter(({ sender_id }) => sender_id !== charter.principal_id).map(({ agent_id }) => agent_id))
  const excluded = [...agents, ...(charter.advisers ?? []).map(({ agent_id }) => agent_id)].filter((id) => exclude.includes(id as never))
  const missing = required.filter((id) => !agents.has(id))
  const hired = steps.filter(({ parent }) => parent !== undefined)
  return [
    ...excluded.map((id) => `The client excludes the agent ${id}.`),
    ...missing.map((id) => `The client requires the agent ${id}, which has no step.`),
    ...(max !== undefined && others.size > max
      ? [`The team has ${others.size} agents besides the planner. The client allows ${max}.`]
      : []),
    ...(!mayHire && hired.length > 0 ? [`Step ${hired[0]?.step} belongs to a sub-team. The client allows none.`] : []),
  ]
}
