/** The review of each criterion, from an artifact of type `review.verdict`. */
import { z } from 'zod'

const CriterionWord = z.looseObject({
  text: z.string(),
  /** Null: no rule could check it, so the client does. */
  pass: z.boolean().nullable(),
  evidence: z.string().default(''),
})
const ShownVerdict = z.looseObject({ pass: z.boolean(), criteria: z.array(CriterionWord) })
export type Verdict = z.infer<typeof ShownVerdict>

/** Null if the text is not a verdict. It is then shown as any other file. */
export function readReviewerVerdict(text: string): Verdict | null {
  try {
    return ShownVerdict.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The newest verdict on this goal's own work. An attached one is about other work. */
export function newestReviewerVerdict<File extends { readonly artifact_type: string; readonly task_id: string | null }>(
  files: readonly File[],
): File | undefined {
  return files.findLast((file) => file.artifact_type === 'review.verdict' && file.task_id !== null)
}
