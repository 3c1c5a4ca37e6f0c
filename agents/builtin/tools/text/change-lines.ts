/** Changes of lists: duplicates, numbers, bullets, order and letters. */
import type { LineStep } from './line-steps.ts'
import { transformText } from './transform-text.ts'

/** Lines with the text between them. */
export type LineList = { readonly lines: readonly string[]; readonly joint: string }
type Notes = { readonly notes: Set<string>; readonly noun: string }

export function changeLines(list: LineList & Notes, { change, separator }: Extract<LineStep, { do: 'change' }>): LineList {
  const { lines, joint } = list
  switch (change) {
    case 'unique':
      return { lines: uniqueLines(list), joint }
    case 'number':
      return { lines: lines.map((line, index) => `${index + 1}. ${line}`), joint: '\n' }
    case 'bullets':
      return { lines: lines.map((line) => `- ${line.trim().replace(/^[-*•]\s+/, '')}`), joint: '\n' }
    case 'reverse':
      return { lines: lines.toReversed(), joint }
    case 'remove_blank':
      return { lines: lines.filter((line) => line.trim() !== ''), joint }
    case 'trim':
      return { lines: lines.map((line) => line.trim()), joint }
    case 'join':
      return { lines, joint: separator ?? ', ' }
    default:
      return { lines: lines.map((line) => transformText(line, change, {})), joint }
  }
}

/** The first of each. Letters' case and the spaces around a line do not count. */
function uniqueLines({ lines, notes, noun }: LineList & Notes): string[] {
  const first = new Map<string, string>()
  let removed = 0
  let example: readonly [string, string] | undefined
  const kept = lines.filter((line) => {
    const key = line.trim().toLowerCase()
    const known = first.get(key)
    // Empty lines separate paragraphs.
    if (known === undefined || key === '') {
      first.set(key, line)
      return true
    }
    removed++
    if (known.trim() !== line.trim()) example ??= [known.trim(), line.trim()]
    return false
  })
  notes.add(removed === 0 ? 'There were no duplicates.' : `Removed ${removed} ${removed === 1 ? 'duplicate' : 'duplicates'}.`)
  if (example) notes.add(`Small and capital letters count as the same: “${example[0]}” and “${example[1]}” are one ${noun}.`)
  return kept
}
