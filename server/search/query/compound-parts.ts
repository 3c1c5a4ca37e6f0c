/** Compounds whose parts a listing has as words of their own: "QRCode" for "QR code", "Umsatzprüfer" for "Umsatz, Prüfer". */
import { impactBits, impactOn, maxImpact, type Vocabulary } from '../index/vocabulary.ts'
import { type QueryWord, termOf } from '../text/tokenize.ts'

/** `postings`: of the listings that have all parts, each with the lowest impact of a part. */
export type CompoundParts = { readonly codes: readonly number[]; readonly text: string; readonly postings: Uint32Array }

/** The parts count this much of the word. */
export const partsCloseness = 0.9
/** Of a compound without a visible boundary, the longer part has at least so many letters, and the shorter one. */
const [minLonger, minShorter] = [4, 2]
/** The letters that German writes between two parts: "Rechnung-s-prüfung". */
const links = ['', 's', 'es', 'n', 'en']

/** The parts of a word as it is written, or of one that no listing has; null if no listing has all of them. */
export function findCompoundParts(
  vocabulary: Vocabulary,
  { text, parts }: QueryWord,
  found: readonly { kind: string }[],
): CompoundParts | null {
  const isUnknown = !found.some(({ kind }) => kind === 'exact')
  const codes = parts === undefined ? (isUnknown ? splitUnknown(vocabulary, text) : null) : codesOf(vocabulary, parts)
  if (codes === null || codes.length < 2) return null
  const postings = intersect(vocabulary, codes)
  if (postings.length === 0) return null
  return { codes, text: codes.map((code) => vocabulary.terms.texts[code]).join(' '), postings }
}

function codeOf(vocabulary: Vocabulary, text: string): number | null {
  const term = termOf(text)
  const code = term === '' ? undefined : vocabulary.terms.find(term)
  return code === undefined || vocabulary.frequency.data[code] === 0 ? null : code
}

function codesOf(vocabulary: Vocabulary, terms: readonly string[]): number[] | null {
  const codes: number[] = []
  for (const term of terms) {
    const code = vocabulary.terms.find(term)
    if (code === undefined || vocabulary.frequency.data[code] === 0) return null
    if (!codes.includes(code)) codes.push(code)
  }
  return codes
}

/** The two known terms that make up a word. Of several splits, the one whose shorter part is longest. */
function splitUnknown(vocabulary: Vocabulary, text: string): number[] | null {
  if (!/^[a-z]+$/.test(text)) return null
  let best: { codes: number[]; shorter: number } | null = null
  for (let at = minShorter; at <= text.length - minShorter; at++) {
    const shorter = Math.min(at, text.length - at)
    if (Math.max(at, text.length - at) < minLonger || shorter <= (best?.shorter ?? 0)) continue
    const right = codeOf(vocabulary, text.slice(at))
    if (right === null) continue
    const left = firstOf(links, (link) =>
      text.slice(0, at).endsWith(link) && at - link.length >= minShorter ? codeOf(vocabulary, text.slice(0, at - link.length)) : null,
    )
    if (left !== null) best = { codes: [left, right], shorter }
  }
  return best?.codes ?? null
}

function firstOf<From, To>(list: readonly From[], find: (one: From) => To | null): To | null {
  for (const one of list) {
    const found = find(one)
    if (found !== null) return found
  }
  return null
}

function postingsOf({ start, length, postings }: Vocabulary, code: number): Uint32Array {
  const from = start.data[code] as number
  return postings.data.subarray(from, from + (length.data[code] as number))
}

/** Merges sorted lists, the shortest first. */
function intersect(vocabulary: Vocabulary, codes: readonly number[]): Uint32Array {
  const [first, ...others] = codes.map((code) => postingsOf(vocabulary, code)).sort((a, b) => a.length - b.length)
  let common: Uint32Array = first ?? new Uint32Array(0)
  for (const other of others) common = mergeCommon(common, other)
  return common
}

function mergeCommon(a: Uint32Array, b: Uint32Array): Uint32Array {
  const common = new Uint32Array(Math.min(a.length, b.length))
  let [used, i, j] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const [one, other] = [a[i] as number, b[j] as number]
    const [slot, otherSlot] = [one >>> impactBits, other >>> impactBits]
    if (slot === otherSlot) common[used++] = ((slot << impactBits) | Math.min(one & maxImpact, other & maxImpact)) >>> 0
    if (slot <= otherSlot) i++
    if (otherSlot <= slot) j++
  }
  return common.subarray(0, used)
}

/** The lowest impact of a part on a slot, 0 if one is missing. */
export function impactOfParts(vocabulary: Vocabulary, { codes }: CompoundParts, slot: number): number {
  return Math.min(...codes.map((code) => impactOn(vocabulary, code, slot)))
}
