'use client'
import { GoalBrief } from '@parley/protocol'
import { toRequestFiles } from '../../../_quote/files/to-request-files.ts'
import { type QuoteState, useQuotedRequest } from '../../../_quote/use-quoted-request.ts'
import { type GoalDraft, teamOf } from '../_draft/goal-draft.ts'

/** The quote of a draft. The draft stays in this browser; its text is read and not stored. */
export function useQuote(draft: GoalDraft | null, budget: bigint | null): QuoteState {
  return useQuotedRequest(draft && requestOf(draft, budget))
}

/** The request of a draft's quote. */
export const requestOf = (draft: GoalDraft, budget: bigint | null) => ({
  text: draft.text.trim(),
  ...(draft.originalText !== '' && { original_text: draft.originalText }),
  criteria: draft.criteria.map((one) => one.trim()).filter((one) => one !== ''),
  files: toRequestFiles(draft.attachments),
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
