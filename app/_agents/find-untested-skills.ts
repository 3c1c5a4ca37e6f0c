import type { Listing } from '@parley/protocol'

type Tested = { readonly agent_id: string; readonly skill_id: string }

/** Planning needs a goal, so that no test task can be made of it. */
const planning = 'goal.plan'

/** The ids of the skills that have passed no test. Another market or a gateway tests its own agents, so that those have none. */
export function findUntestedSkills({ agent_id, home, proxy, skills }: Listing, tested: readonly Tested[]): ReadonlySet<string> {
  if (home || proxy) return new Set()
  const passed = new Set(tested.filter((one) => one.agent_id === agent_id).map((one) => one.skill_id))
  return new Set(skills.map(({ id }) => id).filter((id) => id !== planning && !passed.has(id)))
}
