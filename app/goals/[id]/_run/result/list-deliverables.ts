import type { ArtifactRef } from '@parley/protocol'

/** A file that only serves other steps, if there is a file for the reader. */
const intermediate = /^(?:table\.series|analysis|check|claims|plan)(?:\.|$)/
/** Not part of an answer: the bundle repeats the other files, and the verdict is shown with the criteria. */
const accompanying = new Set(['answer.bundle', 'review.verdict'])
const order = [/^report(?:\.|$)/, /^(?:chart|image)(?:\.|$)/]

const placeOf = (type: string): number => {
  const place = order.findIndex((pattern) => pattern.test(type))
  return place < 0 ? order.length : place
}

/** The files of an answer that are shown in full, the main one first. `answer`: the parts of the conclusion. */
export function listDeliverables<File extends ArtifactRef>(answer: unknown, files: readonly File[]): File[] {
  const named = (Array.isArray(answer) ? answer : []).flatMap((part: { artifact?: { sha256?: unknown } } | null) =>
    typeof part?.artifact?.sha256 === 'string' ? [part.artifact.sha256] : [],
  )
  const found = [...new Set(named)].flatMap((sha256) => files.find((file) => file.sha256 === sha256) ?? [])
  const own = found.filter((file) => !accompanying.has(file.artifact_type))
  const shown = own.filter((file) => !intermediate.test(file.artifact_type))
  return (shown.length > 0 ? shown : own).toSorted((a, b) => placeOf(a.artifact_type) - placeOf(b.artifact_type))
}

/** The text of an answer; empty if it has none. */
export const answerText = (answer: unknown): string =>
  (Array.isArray(answer) ? answer : [])
    .flatMap((part: { text?: unknown } | null) => (typeof part?.text === 'string' && part.text ? [part.text] : []))
    .join('\n\n')
