/** Candidates over lines: remove repeated ones, sort and count. */
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { sentencesInClientLanguage } from './sentences-in-client-language.ts'
import { type TextSuggestionContext, textOf, withMaterial } from './text-suggestion-context.ts'

const minLines = 3
const maxLineLength = 100

export function suggestLineReadings(about: TextSuggestionContext): ReadingCandidate[] {
  const { goal, operations, head } = about
  const lines = head.split('\n').filter((line) => line.trim() !== '')
  const isList = lines.length >= minLines && lines.every((line) => line.length <= maxLineLength)
  if (!isList) return []
  const isUnique = operations.has('duplicates')
  const isSorted = operations.has('alphabet') || operations.has('order')
  const isCounted = operations.has('count')
  const list = plainWords('list names lines items entries each liste namen zeilen noms lignes lista nombres líneas left')
  const steps = stepCandidates(about, list)
  if (steps.length > 0) return steps
  const found: ReadingCandidate[] = []
  const add = (sentences: readonly string[], matchedWords: readonly string[]): void => {
    found.push({ texts: withMaterial(about, sentences), skillId: 'text.lines', matchedWords: [...matchedWords, ...list] })
  }
  const unique = textOf(about, 'duplicates', 'hide')
  const sorted = textOf(about, 'alphabet', 'order')
  if (isUnique && isSorted && isCounted)
    add(['Remove duplicate lines, sort alphabetically and count them'], [...unique, ...sorted, ...textOf(about, 'count')])
  if (isUnique && isSorted)
    add(sentencesInClientLanguage(goal.language, { english: 'Remove duplicate lines and sort alphabetically', name: 'uniqueSorted' }), [
      ...unique,
      ...sorted,
    ])
  if (isUnique && isCounted) add(['Remove duplicate lines and count them'], [...unique, ...textOf(about, 'count')])
  if (isUnique) add(sentencesInClientLanguage(goal.language, { english: 'Remove duplicate lines', name: 'unique' }), unique)
  if (isUnique && operations.has('list')) add(['Which lines occur more than once?'], [...unique, ...textOf(about, 'list')])
  if (isSorted && !isUnique)
    add(sentencesInClientLanguage(goal.language, { english: 'Sort the lines alphabetically', name: 'sorted' }), sorted)
  if (isCounted && !isUnique) {
    add(['How often does each line occur?'], textOf(about, 'count'))
    add(['How many lines are there?'], textOf(about, 'count'))
  }
  return found
}

const numbering =
  /\bnumber(?:ed|ing)? (?:them|it|list|the lines|lines)\b|\bwith numbers\b|1\.,? ?2\.|nummerier\p{L}*|durchnummer\p{L}*|numérot\p{L}*|numer(?:a|ad[oa]s?|ar|arlas|arlos|ación)(?!\p{L})|编号|编上号|标号/iu
const blankLines =
  /(?:empty|blank) (?:lines?|rows?|ones)|leer(?:e|en)? ?zeilen?|lignes? vides?|l[ií]neas? (?:vac[ií]as?|en blanco)|空(?:白)?行/iu
const keepsOrder =
  /(?:keep|same|leave|original) (?:\p{L}+ )?order|order (?:as|stays)|reihenfolge (?:\p{L}+ )?(?:lassen|behalten|bleibt|gleich)|m[êe]me ordre|gard\p{L}* l['’]ordre|mismo orden|sin cambiar el orden|顺序(?:别|不)(?:动|变|要变)|保持(?:原)?(?:有)?顺序/iu

/** Several changes of the lines in one step, in the order in which they are done. */
function stepCandidates(about: TextSuggestionContext, list: readonly string[]): ReadingCandidate[] {
  const { goal, operations } = about
  const isNumbered = numbering.test(goal.request)
  const isBlank = blankLines.test(goal.request)
  if (!isNumbered && !isBlank) return []
  const isSorted = (operations.has('alphabet') || operations.has('order')) && !keepsOrder.test(goal.request)
  const isPadded = about.head.split('\n').some((line) => /^[^\S\n]+\S|\S[^\S\n]+$/.test(line))
  const steps = [
    ...(isPadded ? ['trim the lines'] : []),
    ...(operations.has('duplicates') ? ['remove duplicate lines'] : []),
    ...(isBlank ? ['remove empty lines'] : []),
    ...(isSorted ? ['sort alphabetically'] : []),
    ...(isNumbered ? ['number the lines'] : []),
  ]
  if (steps.length < (isPadded ? 3 : 2)) return []
  const sentence = `${steps.slice(0, -1).join(', ')} and ${steps.at(-1)}`
  const matchedWords = [
    ...textOf(about, 'duplicates', 'hide', 'alphabet', 'order'),
    ...plainWords(
      `${goal.request.match(numbering)?.[0] ?? ''} ${goal.request.match(blankLines)?.[0] ?? ''} ${goal.request.match(keepsOrder)?.[0] ?? ''}`,
    ),
    ...list,
  ]
  return [{ texts: withMaterial(about, [sentence.charAt(0).toUpperCase() + sentence.slice(1)]), skillId: 'text.lines', matchedWords }]
}
