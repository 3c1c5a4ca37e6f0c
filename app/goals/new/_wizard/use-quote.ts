'use client'
import { type QuoteState, useQuotedRequest } from '../../../_quote/use-quoted-request.ts'
import { artifactTypeOf, type GoalDraft } from '../../../_views/goal-draft.ts'

/** As much of a file as the quote needs to know its columns and cells, and of all files together. Bytes. */
const maxHead = 30_000
const maxHeads = 90_000

/** The quote of a draft. The draft stays in this browser; its text is read and not stored. */
export function useQuote(draft: GoalDraft | null, budget: bigint | null): QuoteState {
  return useQuotedRequest(draft && requestOf(draft, budget))
}

function requestOf(draft: GoalDraft, budget: bigint | null) {
  const size = Math.min(maxHead, maxHeads / Math.max(1, draft.attachments.length))
  return {
    text: draft.text.trim(),
    criteria: draft.criteria.map((one) => one.trim()).filter((one) => one !== ''),
    files: draft.attachments.map((file) => ({
      name: file.name,
      media_type: file.mediaType,
      artifact_type: artifactTypeOf(file),
      ...(file.mediaType.startsWith('image/') ? {} : headOf(file.content, size)),
    })),
    ...(budget !== null && budget > 0n && { budget: budget.toString() }),
  }
}

/** The beginning of a Base64 text file. A character that is cut in two becomes a replacement character. */
function headOf(content: string, size: number) {
  const length = Math.floor(size / 3) * 4
  const bytes = Uint8Array.from(atob(content.slice(0, length)), (char) => char.charCodeAt(0))
  return { head: new TextDecoder().decode(bytes), is_whole: content.length <= length }
}
