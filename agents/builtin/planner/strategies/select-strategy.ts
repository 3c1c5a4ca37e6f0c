/** Which planner a goal's mode is given. */
import type { PlannerMode } from '@parley/protocol'
import type { ModelOptions } from '../llm/openai-chat.ts'
import { deterministicPlanner, noModelPlanner, type Planner } from './strategy.ts'

export type Planners = (mode: PlannerMode) => Planner

/** Without a model: by typed skills alone, and goals that ask for a model are told so. */
export const plannersByRule: Planners = (mode) => (mode === 'model' || mode === 'hybrid' ? noModelPlanner : deterministicPlanner)

/** In a copilot goal the charters come from the model, held against the rules, and go to the client. */
export async function plannersWith(options: ModelOptions): Promise<Planners> {
  // The package is large and is not loaded where no model is asked.
  const [{ modelPlanner }, { hybridPlanner }] = await Promise.all([import('./model.ts'), import('./hybrid.ts')])
  const planners = {
    deterministic: deterministicPlanner,
    model: modelPlanner(options),
    hybrid: hybridPlanner(options),
    copilot: hybridPlanner(options),
  } as const satisfies { readonly [mode in PlannerMode]: Planner }
  return (mode) => planners[mode]
}
