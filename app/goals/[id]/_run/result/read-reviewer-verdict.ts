/** The review of each criterion, from an artifact of type `review.verdict`. */
/** `pass`: null if no rule could check it, so the client does. `evidence`: empty if there is none. */
type CriterionReview = { readonly text: string; readonly pass: boolean | null; readonly evidence: string }
export type Verdict = { readonly pass: boolean; readonly criteria: readonly CriterionReview[] }

/** Null if the text is not a verdict. It is then shown as any other file. */
export function readReviewerVerdict(text: string): Verdict | null {
  try {
    const { pass, criteria } = JSON.parse(text) as { pass?: unknown; criteria?: unknown }
    if (typeof pass !== 'boolean' || !Array.isArray(criteria)) return null
    const reviews = criteria.map(readCriterionReview)
    return reviews.every((review) => review !== null) ? { pass, criteria: reviews } : null
  } catch {
    return null
  }
}

// Every reader of a goal loads this file, and the library for schemas is larger than the rest of it.
function readCriterionReview(value: unknown): CriterionReview | null {
  const { text, pass, evidence = '' } = value as { text?: unknown; pass?: unknown; evidence?: unknown }
  if (typeof text !== 'string' || typeof evidence !== 'string') return null
  return pass === null || typeof pass === 'boolean' ? { text, pass, evidence } : null
}

/** The newest verdict on this goal's own work. An attached one is about other work. */
export function newestReviewerVerdict<File extends { readonly artifact_type: string; readonly task_id: string | null }>(
  files: readonly File[],
): File | undefined {
  return files.findLast((file) => file.artifact_type === 'review.verdict' && file.task_id !== null)
}
