import type { GivenValue } from '@parley/protocol'
import type { DraftAttachment } from '../../goals/new/_draft/draft-attachment.ts'

type PassedDraft = { readonly files: readonly DraftAttachment[]; readonly values: readonly GivenValue[] }

const nothing: PassedDraft = { files: [], values: [] }
let passed = nothing

/** Keeps the files and values of the search box for the goal form, which opens in the same page. A reload forgets them. */
export function passDraftToGoalForm({ files, values }: PassedDraft): void {
  passed = { files, values }
}

/** The files and values for the goal form, once. */
export function takePassedDraft(): PassedDraft {
  const taken = passed
  passed = nothing
  return taken
}
