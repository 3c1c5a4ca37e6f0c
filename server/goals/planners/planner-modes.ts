import { type Listing, type PlannerMode, plannerModes } from '@parley/protocol'

/** The modes that a planner announces as tags of its skill `goal.plan`. Every planner plans by typed skills and with the client. */
export function modesOfPlanner({ skills }: Pick<Listing, 'skills'>): PlannerMode[] {
  const tags = new Set(skills.find(({ id }) => id === 'goal.plan')?.tags ?? [])
  return plannerModes.filter((mode) => mode === 'deterministic' || mode === 'copilot' || tags.has(mode))
}
