/** The port of all planning strategies: a goal and a market in; a plan, a question or a reason out. */
import type { PlannerMode, TeamPreferences } from '@parley/protocol'
import type { GoalInput, NeededInput } from '../intent/goal-intent.ts'
import type { Plan } from '../plan/plan.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import type { Gap } from '../sourcing/find-missing-artifact-types.ts'
import type { GatewayResourceSearch } from '../sourcing/gateway-resource-search.ts'

export type PlanningInput = {
  readonly goal: GoalInput
  /** What can be hired now. */
  readonly offers: readonly SkillOffer[]
  /** What the client says about the team. */
  readonly team?: TeamPreferences
  /** Upper bound for the steps of other agents, base units. */
  readonly payable: bigint
  /** Of the asset, for sentences. */
  readonly decimals: number
  /** Milliseconds until the deadline. */
  readonly msLeft: number
  /** The client's refusals so far, with their reasons. */
  readonly refusals: readonly string[]
  /** For strategies that search for agents themselves; undefined if no gateway is known. */
  readonly gatewayMarket?: GatewayResourceSearch
}

/** How a model made its plan: prompt names, number of requests, and the errors of refused plans. */
export type ModelUsage = { readonly prompts: readonly string[]; readonly asks: number; readonly refused: readonly string[] }

export type PlanningResult =
  | {
      readonly plan: Plan
      readonly summary: string
      readonly mode: Exclude<PlannerMode, 'copilot'>
      readonly made?: ModelUsage
      /** The goal as it was planned, where a part of its text is an input. */
      readonly goal?: GoalInput
    }
  /** A question that only the client can answer. `isUnmatched`: no offer matches the goal's text as it is. */
  | {
      readonly question: string
      readonly isUnmatched?: true
      /** What the client may ask for instead. */
      readonly hint?: string
      readonly need?: Gap
      /** Inputs that the client can give as values. */
      readonly needs?: readonly NeededInput[]
    }
  /** Why there is no plan now. `later`: another agent online might change that. */
  | { readonly reason: string; readonly later: boolean; readonly need?: Gap }

export type PlanningStrategy = (input: PlanningInput) => Promise<PlanningResult>
