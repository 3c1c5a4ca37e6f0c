/**
 * The port of all planners: a goal and a market in, a plan, a question or a reason out. This file has the one that asks no
 * model; `planners.ts` says which planner a goal's mode is given.
 */
import { formatAmount, type PlannerMode } from '@parley/protocol'
import { listed } from '../../artifacts/table-series.ts'
import type { Elsewhere } from '../external-market.ts'
import { type Goal, parseGoal } from '../intent/parse-goal.ts'
import { reachable } from '../plan/maker-search.ts'
import { type Plan, planFaults, planTask, type Task } from '../plan/plan.ts'
import type { SkillOffer } from '../plan/skill-offers.ts'
import { missingTypes, type Need } from '../sourcing/gap.ts'

export type PlanningInput = {
  readonly goal: Goal
  readonly offers: readonly SkillOffer[]
  readonly payable: bigint
  readonly decimals: number
  /** Until the deadline, in milliseconds. */
  readonly msLeft: number
  /** What the client has refused so far, with its words. */
  readonly refusals: readonly string[]
  /** For planners that look for agents themselves; left out where there is nobody to ask. */
  readonly elsewhere?: Elsewhere
}

/** How a model came to its plan: which prompts, how many requests, and what was refused on the way. */
export type Made = { readonly prompts: readonly string[]; readonly asks: number; readonly refused: readonly string[] }

export type Planned =
  | { readonly plan: Plan; readonly summary: string; readonly mode: Exclude<PlannerMode, 'copilot'>; readonly made?: Made }
  /** Only the client can say. */
  | { readonly question: string; readonly need?: Need }
  /** Not now; `later`: an agent that comes online would help. */
  | { readonly reason: string; readonly later: boolean; readonly need?: Need }

export type Planner = (input: PlanningInput) => Promise<Planned>

export const deterministicPlanner: Planner = async (input) => planDeterministically(input)

/** For goals that ask for a model where none is at hand. */
export const noModelPlanner: Planner = async (input) =>
  planByRule(input, 'The goal asks for a model to plan and none is set up here, so I plan by rule.')

/** The search in place of a model, which the room is told. */
export function planByRule(input: PlanningInput, remark: string, made?: Made): Planned {
  const planned = planDeterministically(input)
  return 'plan' in planned ? { ...planned, summary: `${remark} ${planned.summary}`, ...(made && { made }) } : planned
}

export function planDeterministically({ goal, offers, payable, decimals }: PlanningInput): Planned {
  const parsed = parseGoal(goal, offers)
  if ('question' in parsed) {
    const { question, unmatched } = parsed
    return { question, ...(unmatched !== undefined && { need: { outputs: [], text: unmatched, max_price: payable.toString() } }) }
  }
  const { wish } = parsed
  const task: Task = { wants: wish.wants, givens: wish.givens, offers, payable }
  const plan = planTask(task)
  if (!plan) return { ...whyNot(task, decimals) }
  const faults = planFaults(plan, task)
  if (faults.length > 0) throw new Error(`the search broke its own rules: ${faults.join(' ')}`)
  const without = plan.left_out.length ? ` Without ${listed(plan.left_out)}, which nobody online makes within the budget.` : ''
  return { plan, summary: `${wish.summary}${without}`, mode: 'deterministic' }
}

function whyNot(task: Task, decimals: number): { reason: string; later: boolean; need: Need } {
  const needed = task.wants.filter((want) => want.needed).map((want) => want.type)
  const given = new Set(task.givens.map((one) => one.type))
  const possible = reachable(task.offers, given)
  const need: Need = { outputs: missingTypes(needed, given, task.offers), max_price: task.payable.toString() }
  const missing = needed.filter((type) => !possible.has(type))
  if (missing.length > 0) return { reason: `Nobody online can make ${listed(missing)} from what is at hand.`, later: true, need }
  const cheapest = planTask({ ...task, wants: task.wants.filter((want) => want.needed), payable: 2n ** 96n })
  const cost = cheapest ? `costs ${formatAmount(cheapest.price, decimals)}` : 'costs more'
  return {
    reason: `The cheapest team ${cost}, and ${formatAmount(task.payable, decimals)} of the budget may be spent on it.`,
    later: true,
    need,
  }
}
