import { type Gap, gapKey } from '../sourcing/find-missing-artifact-types.ts'
import type { DecisionContext } from './decision-context.ts'
import { type PlannerDecision, takeActions } from './planner-decision.ts'

/** Interval at which the same gap is searched again, and the maximum number of gaps for one goal. */
const seekAgainMs = 60_000
const maxSought = 12

/** Searches gateways for a gap; undefined if there is no gateway, or it was searched recently. */
export function searchGatewaysForGap({ knowledge, now }: DecisionContext, need: Gap | undefined): PlannerDecision | undefined {
  const { searches: sought } = knowledge
  if (!need || !sought || (need.outputs.length === 0 && need.text === undefined)) return undefined
  const before = sought.get(gapKey(need))
  if (before === undefined ? sought.size >= maxSought : now - before < seekAgainMs) return undefined
  return takeActions({ do: 'seek', key: `seek:${now}`, need })
}
