import type { Quote, QuoteState } from '../../../_quote/use-quoted-request.ts'
import type { GoalDraft } from '../../../_views/goal-draft.ts'

/**
 * Whether a draft may be posted. `plan`: the quoted plan; `model`: a model plans after posting; `open`: the client posts an open bounty
 * for other planners; `none`: nobody online can do it as it is written.
 */
export type QuoteVerdict = 'plan' | 'model' | 'open' | 'none'

export function quoteVerdict(draft: Pick<GoalDraft, 'planner' | 'planners' | 'isOpenBounty'>, quote: Quote): QuoteVerdict {
  if (needsModel(draft.planner)) return quote.modes.includes(draft.planner) ? 'model' : 'none'
  if (draft.planners.trim() !== '') return 'open'
  if ('steps' in quote.quote) return 'plan'
  return draft.isOpenBounty && quote.otherPlanners > 0 ? 'open' : 'none'
}

const needsModel = (mode: GoalDraft['planner']) => mode === 'model' || mode === 'hybrid'

/** The criteria of the quoted plan; empty without a plan. */
export const suggestedCriteria = ({ quote }: Pick<QuoteState, 'quote'>): readonly string[] =>
  quote && 'steps' in quote.quote ? quote.quote.criteria : []
