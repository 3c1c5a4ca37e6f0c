/** The terms of the index with their postings, and the search for similar terms. */
import { editDistance } from '../text/edit-distance.ts'
import { addRelatedTerm, createCompoundTerms, type RelatedTerms } from './compound-terms.ts'
import { createDictionary, createGrowableColumn, type Dictionary, type GrowableColumn } from './growable-column.ts'

/** A posting is one number: the slot, and in the low byte the impact of the term on it. */
export const impactBits = 8
export const maxImpact = 255

export type Vocabulary = {
  readonly terms: Dictionary
  /** In how many documents a term occurs. */
  readonly frequency: GrowableColumn<Uint32Array>
  /** Where the postings of a term start in `postings`, how many there are, and how many fit. Sorted by slot. */
  readonly start: GrowableColumn<Uint32Array>
  readonly length: GrowableColumn<Uint32Array>
  readonly capacity: GrowableColumn<Uint32Array>
  readonly postings: GrowableColumn<Uint32Array>
  /** For each posting which skills of the listing have the term, a bit for each; 0 if all its skills have the same price. */
  readonly masks: GrowableColumn<Uint16Array>
  used: number
  /** Of each term: a bit for each letter, its first three letters, and its length. They exclude most terms without a comparison. */
  readonly letters: GrowableColumn<Uint32Array>
  readonly head: GrowableColumn<Uint32Array>
  readonly size: GrowableColumn<Uint8Array>
  /** Results of `findSimilar`, until the next new term. */
  readonly similar: Map<string, readonly SimilarTerm[]>
  readonly related: RelatedTerms
}
/** `closeness`: 1 for the same term. */
export type SimilarTerm = { readonly code: number; readonly closeness: number; readonly kind: 'typo' | 'prefix' | 'related' }

export function createVocabulary(): Vocabulary {
  return {
    terms: createDictionary(),
    frequency: createGrowableColumn(Uint32Array),
    start: createGrowableColumn(Uint32Array),
    length: createGrowableColumn(Uint32Array),
    capacity: createGrowableColumn(Uint32Array),
    postings: createGrowableColumn(Uint32Array),
    masks: createGrowableColumn(Uint16Array),
    used: 0,
    letters: createGrowableColumn(Uint32Array),
    head: createGrowableColumn(Uint32Array),
    size: createGrowableColumn(Uint8Array),
    similar: new Map(),
    related: createCompoundTerms(),
  }
}

/** The code of a term, which is created if missing. */
export function internTerm(vocabulary: Vocabulary, term: string): number {
  const known = vocabulary.terms.find(term)
  if (known !== undefined) return known
  const code = vocabulary.terms.codeOf(term)
  const { frequency, start, length, capacity, letters, head, size } = vocabulary
  for (const column of [frequency, start, length, capacity, letters, head, size]) column.ensure(code + 1)
  letters.data[code] = lettersOf(term)
  head.data[code] = headOf(term)
  size.data[code] = term.length
  vocabulary.similar.clear()
  addRelatedTerm(vocabulary.related, term, code)
  return code
}

/** The share of a list that stays free for later postings, as a divisor, when all lists are written at once. */
const spare = 8

/** Makes empty lists with room for `counts[code]` postings of each term. */
export function reserveLists(vocabulary: Vocabulary, counts: Uint32Array): void {
  let used = 0
  for (let code = 0; code < vocabulary.terms.texts.length; code++) {
    const count = counts[code] as number
    vocabulary.start.data[code] = used
    vocabulary.length.data[code] = 0
    vocabulary.frequency.data[code] = 0
    vocabulary.capacity.data[code] = count + Math.floor(count / spare)
    used += count + Math.floor(count / spare)
  }
  vocabulary.postings.ensure(used)
  vocabulary.masks.ensure(used)
  vocabulary.used = used
}

/** Appends a posting, as `slot << impactBits | impact`. Slots only grow. */
export function addPosting(vocabulary: Vocabulary, code: number, posting: number, mask: number): void {
  const { start, length, capacity, postings, masks, frequency } = vocabulary
  const count = length.data[code] as number
  if (count === capacity.data[code]) moveToLarger(vocabulary, code)
  const at = (start.data[code] as number) + count
  postings.data[at] = posting
  masks.data[at] = mask
  length.data[code] = count + 1
  ;(frequency.data[code] as number)++
}

function moveToLarger(vocabulary: Vocabulary, code: number): void {
  const { start, length, capacity, postings, masks } = vocabulary
  const count = length.data[code] as number
  const room = count === 0 ? 1 : count < 4 ? count * 2 : Math.ceil(count * 1.5)
  postings.ensure(vocabulary.used + room)
  masks.ensure(vocabulary.used + room)
  const from = start.data[code] as number
  postings.data.copyWithin(vocabulary.used, from, from + count)
  masks.data.copyWithin(vocabulary.used, from, from + count)
  start.data[code] = vocabulary.used
  capacity.data[code] = room
  vocabulary.used += room
}

/** The place of a term's posting for a slot, -1 if it does not occur there. */
function findPosting({ postings, start, length }: Vocabulary, code: number, slot: number): number {
  let low = start.data[code] as number
  const end = low + (length.data[code] as number)
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((postings.data[middle] as number) >>> impactBits < slot) low = middle + 1
    else high = middle
  }
  return low < end && (postings.data[low] as number) >>> impactBits === slot ? low : -1
}

/** The impact of a term on a slot, 0 if it does not occur there. */
export function impactOn(vocabulary: Vocabulary, code: number, slot: number): number {
  const at = findPosting(vocabulary, code, slot)
  return at < 0 ? 0 : (vocabulary.postings.data[at] as number) & maxImpact
}

/** Which skills of a slot have a term. */
export function maskOn(vocabulary: Vocabulary, code: number, slot: number): number {
  const at = findPosting(vocabulary, code, slot)
  return at < 0 ? 0 : (vocabulary.masks.data[at] as number)
}

const maxSimilar = 8
const minPrefix = 3
const maxCached = 2_000

/** The terms that a mistyped or unfinished term could mean, the closest first. */
export function findSimilar(vocabulary: Vocabulary, term: string): readonly SimilarTerm[] {
  const known = vocabulary.similar.get(term)
  if (known) return known
  const found = scan(vocabulary, term)
    .sort(
      (a, b) => b.closeness - a.closeness || (vocabulary.frequency.data[b.code] as number) - (vocabulary.frequency.data[a.code] as number),
    )
    .slice(0, maxSimilar)
  if (vocabulary.similar.size >= maxCached) vocabulary.similar.clear()
  vocabulary.similar.set(term, found)
  return found
}

function scan(vocabulary: Vocabulary, term: string): SimilarTerm[] {
  const max = maxDistance(term)
  const [bits, start, length] = [lettersOf(term), headOf(term), term.length]
  const { frequency, letters, head, size, terms } = vocabulary
  const [frequencies, masks, heads, sizes] = [frequency.data, letters.data, head.data, size.data]
  const found: SimilarTerm[] = []
  for (let code = 0; code < terms.texts.length; code++) {
    const other = sizes[code] as number
    const isLonger = other > length && length >= minPrefix && heads[code] === start
    const mayBeTypo = max > 0 && Math.abs(other - length) <= max && bitsSet((masks[code] as number) ^ bits) <= 2 * max
    if ((!isLonger && !mayBeTypo) || frequencies[code] === 0) continue
    const text = terms.texts[code] as string
    const distance = mayBeTypo ? editDistance(term, text, max) : max + 1
    if (distance <= max) found.push({ code, closeness: closenessOf(distance, term, text), kind: 'typo' })
    else if (isLonger && text.startsWith(term)) found.push({ code, closeness: 0.9 * Math.sqrt(length / other), kind: 'prefix' })
  }
  return found
}

/** A wrong first letter is rarer than another error. */
function closenessOf(distance: number, a: string, b: string): number {
  return (distance === 1 ? 0.8 : 0.6) * (a[0] === b[0] ? 1 : 0.8)
}

/** How many errors a term may have. Numbers and short words mean something else with one error. */
function maxDistance(term: string): number {
  if (/\p{N}/u.test(term)) return 0
  return term.length < 4 ? 0 : term.length < 7 ? 1 : 2
}

function lettersOf(term: string): number {
  let bits = 0
  for (let i = 0; i < term.length; i++) bits |= 1 << (term.charCodeAt(i) % 31)
  return bits >>> 0
}

function headOf(term: string): number {
  return ((term.charCodeAt(0) & 1023) << 20) | ((term.charCodeAt(1) & 1023) << 10) | (term.charCodeAt(2) & 1023)
}

function bitsSet(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
