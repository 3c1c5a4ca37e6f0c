/** The reviewer's word, criterion by criterion, as an artifact of type `review.verdict` holds it. */
import { z } from 'zod'

const CriterionWord = z.looseObject({
  text: z.string(),
  /** null: no rule could check it, so the client looks. */
  pass: z.boolean().nullable(),
  evidence: z.string().default(''),
})
const ShownVerdict = z.looseObject({ pass: z.boolean(), criteria: z.array(CriterionWord) })
export type Verdict = z.infer<typeof ShownVerdict>

/** Null where the text is not a verdict: it is then shown as any other file. */
export function readVerdict(text: string): Verdict | null {
  try {
    return ShownVerdict.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The newest verdict on this goal's own work. One that was attached to the goal speaks of other work. */
export function newestVerdict<File extends { readonly artifact_type: string; readonly task_id: string | null }>(
  files: readonly File[],
): File | undefined {
  return files.findLast((file) => file.artifact_type === 'review.verdict' && file.task_id !== null)
}
