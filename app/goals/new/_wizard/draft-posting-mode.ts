import type { Quote, QuoteState } from '../../../_quote/use-request-quote.ts'
import { type GoalDraft, minBudgetOf } from '../_draft/goal-draft.ts'

/**
 * Whether and how a draft may be posted. `plan`: the quoted plan; `model`: a model plans after posting; `open`: the client posts an open bounty
 * for other planners; `none`: no one online can do it as it is written.
 */
export type DraftPostingMode = 'plan' | 'model' | 'open' | 'none'

export function draftPostingMode(
  draft: Pick<GoalDraft, 'planner' | 'planners' | 'isOpenBounty'> & Partial<Pick<GoalDraft, 'isContest'>>,
  quote: Quote,
): DraftPostingMode {
  // The entries of a contest name their prices.
  if (draft.isContest) return 'open'
  if (needsModel(draft.planner)) return quote.modes.includes(draft.planner) ? 'model' : 'none'
  if (draft.planners.trim() !== '') return 'open'
  if ('steps' in quote.quote) return 'plan'
  return draft.isOpenBounty && quote.otherPlanners > 0 ? 'open' : 'none'
}

/** Whether the client approves the quoted plan with the funding. Otherwise the goal is an open bounty: its team is approved later. */
export const isQuotedDraft = (draft: Parameters<typeof draftPostingMode>[0], quote: Quote | null): boolean =>
  quote !== null && draft.planner === 'deterministic' && draftPostingMode(draft, quote) === 'plan'

/** What a quoted goal sets aside: the price of the plan, or the least that the rail takes. By card whole cents. */
export function quotedBudget({ minBudget }: { readonly minBudget: bigint }, rail: GoalDraft['rail'], min: bigint): bigint {
  const needed = [minBudget, minBudgetOf(rail, min)].reduce((a, b) => (a > b ? a : b))
  return rail === 'stripe' ? ((needed + cent - 1n) / cent) * cent : needed
}

/** Of a dollar's base units. */
const cent = 10_000n

const needsModel = (mode: GoalDraft['planner']) => mode === 'model' || mode === 'hybrid'

/** The criteria of the quoted plan; empty without a plan. */
export const suggestedCriteria = ({ quote }: Pick<QuoteState, 'quote'>): readonly string[] =>
  quote && 'steps' in quote.quote ? quote.quote.criteria : []
