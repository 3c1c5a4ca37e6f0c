/** Candidates over lines: remove repeated ones, sort and count. */
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { type TextGoal, textOf, withMaterial } from './text-goal.ts'
import { localSentences } from './text-sentences.ts'

const minLines = 3
const maxLineLength = 100

export function lineCandidates(about: TextGoal): ReadingCandidate[] {
  const { goal, wishes, head } = about
  const lines = head.split('\n').filter((line) => line.trim() !== '')
  const isList = lines.length >= minLines && lines.every((line) => line.length <= maxLineLength)
  if (!isList) return []
  const isUnique = wishes.has('duplicates')
  const isSorted = wishes.has('alphabet') || wishes.has('order')
  const isCounted = wishes.has('count')
  const list = plainWords('list names lines items entries each liste namen zeilen noms lignes lista nombres líneas left')
  const found: ReadingCandidate[] = []
  const add = (sentences: readonly string[], explained: readonly string[]): void => {
    found.push({ texts: withMaterial(about, sentences), skillId: 'text.lines', explained: [...explained, ...list] })
  }
  const unique = textOf(about, 'duplicates', 'hide')
  const sorted = textOf(about, 'alphabet', 'order')
  if (isUnique && isSorted && isCounted)
    add(['Remove duplicate lines, sort alphabetically and count them'], [...unique, ...sorted, ...textOf(about, 'count')])
  if (isUnique && isSorted)
    add(localSentences(goal.language, { english: 'Remove duplicate lines and sort alphabetically', name: 'uniqueSorted' }), [
      ...unique,
      ...sorted,
    ])
  if (isUnique && isCounted) add(['Remove duplicate lines and count them'], [...unique, ...textOf(about, 'count')])
  if (isUnique) add(localSentences(goal.language, { english: 'Remove duplicate lines', name: 'unique' }), unique)
  if (isUnique && wishes.has('list')) add(['Which lines occur more than once?'], [...unique, ...textOf(about, 'list')])
  if (isSorted && !isUnique) add(localSentences(goal.language, { english: 'Sort the lines alphabetically', name: 'sorted' }), sorted)
  if (isCounted && !isUnique) {
    add(['How often does each line occur?'], textOf(about, 'count'))
    add(['How many lines are there?'], textOf(about, 'count'))
  }
  return found
}
