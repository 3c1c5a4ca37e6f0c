/** The planning strategy of each planner mode. */
import type { PlannerMode } from '@parley/protocol'
import type { EndpointOptions } from '../../model/endpoint/chat-endpoint.ts'
import { deterministicStrategy, noModelStrategy } from './deterministic-strategy.ts'
import type { PlanningStrategy } from './strategy.ts'

export type StrategySelector = (mode: PlannerMode) => PlanningStrategy

/** Without a model, every goal is planned by search. If a goal asks for a model, the room gets a message about it. */
export const selectWithoutModel: StrategySelector = (mode) =>
  mode === 'model' || mode === 'hybrid' ? noModelStrategy : deterministicStrategy

/** Strategies with a model. A copilot goal uses the hybrid strategy, and its charters go to the client for approval. */
export async function loadStrategies(options: EndpointOptions): Promise<StrategySelector> {
  // The model client is a large package, so it is loaded only if a model is configured.
  const [{ createModelStrategy }, { createHybridStrategy }] = await Promise.all([
    import('./model-strategy.ts'),
    import('./hybrid-strategy.ts'),
  ])
  const planners = {
    deterministic: deterministicStrategy,
    model: createModelStrategy(options),
    hybrid: createHybridStrategy(options),
    copilot: createHybridStrategy(options),
  } as const satisfies { readonly [mode in PlannerMode]: PlanningStrategy }
  return (mode) => planners[mode]
}
