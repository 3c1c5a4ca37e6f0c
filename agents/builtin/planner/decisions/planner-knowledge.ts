/** What the planner knows beside the room: the market, its plan, downloaded files, and past searches. */
import type { Listing } from '@parley/protocol'
import { type Gap, gapKey } from '../sourcing/find-missing-artifact-types.ts'
import type { PlanningResult } from '../strategies/strategy.ts'

export type PlannerKnowledge = {
  /** All listings online, when they were read (Unix milliseconds), and the room's last message at that time. */
  readonly market: { readonly at: number; readonly head: number; readonly listings: readonly Listing[] } | undefined
  /** Handles by DID of all agents seen so far, including those that are offline now. */
  readonly handles: ReadonlyMap<string, string>
  /** The last planning result, and the key of its question. A result for another question is outdated. */
  readonly planned: { readonly key: string; readonly at: number; readonly result: PlanningResult } | undefined
  /** Text by SHA-256 of the files that a decision needs. */
  readonly files: ReadonlyMap<string, string>
  /** When gateways were searched, by gap key; null if no gateway is known. */
  readonly searches: ReadonlyMap<string, number> | null
  /** Why the goal must fail: the server has refused an action repeatedly. */
  readonly fatalReason: string | undefined
}

export const emptyPlannerKnowledge: PlannerKnowledge = {
  market: undefined,
  handles: new Map(),
  planned: undefined,
  files: new Map(),
  searches: null,
  fatalReason: undefined,
}

/** After a search of gateways. The market may have changed, so market and plan are outdated. */
export function recordSearch(knowledge: PlannerKnowledge, need: Gap, at: number): PlannerKnowledge {
  return { ...knowledge, searches: new Map([...(knowledge.searches ?? []), [gapKey(need), at]]), market: undefined, planned: undefined }
}

/** After a read of the market. */
export function recordMarket(knowledge: PlannerKnowledge, market: NonNullable<PlannerKnowledge['market']>): PlannerKnowledge {
  return {
    ...knowledge,
    market,
    handles: new Map([...knowledge.handles, ...market.listings.map(({ did, handle }) => [did, handle] as const)]),
  }
}
