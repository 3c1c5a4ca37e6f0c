/**
 * Whether there is an answer at all. It gives no information about correctness, so no criterion is met by it. The evidence of each criterion quotes no deliverable,
 * because it stays in the room after an erasure.
 */
import type { CheckedCriterion, Deliverable } from './deliverable.ts'

/** Questions for a number, in the languages that the built-in agents answer in. */
const asksForNumber =
  /\bhow (?:many|much|long|far|old|tall|often)\b|\bwhat(?:'s| is) the (?:total|sum|average|mean|median|number|price|cost)\b|\bwie ?viele?\b|\bcombien\b|\bcu[aá]nt[oa]s?\b|多少|几[个天年]/i
const numberWord =
  /\b(?:zero|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|null|keine?|eins?|zwei|drei|vier|fünf|aucune?|deux|trois|ning[uú]n[oa]?|uno|dos|tres)\b|[零一二三四五六七八九十没]/iu
/** How a text begins that states that there is no answer. */
const declines =
  /^(?:sorry\b|i (?:can(?:not|'t|’t)|could(?: not|n't|n’t)|am unable|do not know|don't know)|no answer|not possible|n\/a\b|as an ai\b)/i
const maxRefusal = 600

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

export function checkAnswerExists(goal: string, deliverables: readonly Deliverable[]): CheckedCriterion {
  const no = (evidence: string): CheckedCriterion => ({ status: 'failed', evidence: `Not answered: ${evidence}` })
  const present = deliverables.filter(({ text, size }) => (text === null ? size > 0 : text.trim() !== ''))
  if (present.length === 0) return no('there is no deliverable, or each one is empty.')
  const texts = present.flatMap(({ text }) => text ?? [])
  const hasFile = present.length > texts.length
  if (!hasFile && texts.every((text) => text.length <= maxRefusal && declines.test(text.trim())))
    return no('the text says that there is no answer.')
  if (!hasFile && texts.every((text) => plain(text) === plain(goal))) return no('the answer only repeats the goal.')
  if (!hasFile && asksForNumber.test(goal) && !texts.some((text) => /\d/.test(text) || numberWord.test(text)))
    return no('the goal asks for a number, and no deliverable states one.')
  const [first] = present
  return { status: 'met', evidence: `${first?.name} has ${first?.size} bytes.` }
}
