/** Terms that begin or end with another one, as compounds and derived words do: "filesystem" and "system". */

/** The codes of terms by their first and by their last letters. `found`: results of `findRelated`, until the next new term. */
export type RelatedTerms = {
  readonly byStart: Map<string, number[]>
  readonly byEnd: Map<string, number[]>
  readonly found: Map<string, readonly RelatedTerm[]>
}
/** `closeness`: 0 to 1, where 1 is the same term. */
export type RelatedTerm = { readonly code: number; readonly closeness: number }

/** A shorter part is common to words with nothing else in common, such as "port" in "report". */
const minPart = 5
/** The part is at least this share of the longer term. */
const minShare = 0.5
const [ofStart, ofEnd] = [0.8, 0.7]
const maxRelated = 8
const maxCached = 2_000
const letters = /^[a-z]+$/

export function createCompoundTerms(): RelatedTerms {
  return { byStart: new Map(), byEnd: new Map(), found: new Map() }
}

export function addRelatedTerm({ byStart, byEnd, found }: RelatedTerms, term: string, code: number): void {
  if (term.length < minPart || !letters.test(term)) return
  append(byStart, term.slice(0, minPart), code)
  append(byEnd, term.slice(-minPart), code)
  found.clear()
}

function append(codes: Map<string, number[]>, key: string, code: number): void {
  const known = codes.get(key)
  if (known === undefined) codes.set(key, [code])
  else known.push(code)
}

/** The closeness of two different terms of which one begins or ends with the other; 0 for all others. */
export function relatedCloseness(a: string, b: string): number {
  const [long, short] = a.length > b.length ? [a, b] : [b, a]
  const share = short.length / long.length
  if (short.length < minPart || share < minShare || share === 1 || !letters.test(long)) return 0
  return long.startsWith(short) ? ofStart * share : long.endsWith(short) ? ofEnd * share : 0
}

/** @param textOf the text of a code; empty if no listing has the term */
export function findRelated(
  { byStart, byEnd, found }: RelatedTerms,
  term: string,
  textOf: (code: number) => string,
): readonly RelatedTerm[] {
  const known = found.get(term)
  if (known !== undefined) return known
  const codes = new Set([...(byStart.get(term.slice(0, minPart)) ?? []), ...(byEnd.get(term.slice(-minPart)) ?? [])])
  const related: RelatedTerm[] = []
  for (const code of codes) {
    const closeness = relatedCloseness(term, textOf(code))
    if (closeness > 0) related.push({ code, closeness })
  }
  related.sort((a, b) => b.closeness - a.closeness || a.code - b.code)
  if (found.size >= maxCached) found.clear()
  const first = related.slice(0, maxRelated)
  found.set(term, first)
  return first
}
