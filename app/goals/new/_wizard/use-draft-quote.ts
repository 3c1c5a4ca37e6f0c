'use client'
import { GoalBrief } from '@parley/protocol'
import { toQuoteRequestFiles } from '../../../_quote/files/to-quote-request-files.ts'
import { type QuoteState, useRequestQuote } from '../../../_quote/use-request-quote.ts'
import { type GoalDraft, teamOf } from '../_draft/goal-draft.ts'

/** The quote of a draft. The draft stays in this browser; its text is read and not stored. */
export function useDraftQuote(draft: GoalDraft | null, budget: bigint | null): QuoteState {
  return useRequestQuote(draft && draftQuoteRequest(draft, budget))
}

/** The request of a draft's quote. */
export const draftQuoteRequest = (draft: GoalDraft, budget: bigint | null) => ({
  text: draft.text.trim(),
  ...(draft.originalText !== '' && { original_text: draft.originalText }),
  criteria: draft.criteria.map((one) => one.trim()).filter((one) => one !== ''),
  files: toQuoteRequestFiles(draft.attachments),
  visibility: draft.visibility,
  ...(draft.values.length > 0 && { values: [...draft.values] }),
  ...quotedTeam(draft),
  ...(budget !== null && budget > 0n && { budget: budget.toString() }),
})

/** The preferences as far as they are valid: while an id is typed, the quote goes without them. */
function quotedTeam(draft: GoalDraft) {
  const team = GoalBrief.shape.team.safeParse(teamOf(draft)).data
  return team && { team }
}
