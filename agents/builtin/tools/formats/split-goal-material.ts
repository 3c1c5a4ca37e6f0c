/** Separates the request of a goal from the material that it hands over. */
import type { GoalFile, ToolGoal } from '../tool.ts'

export type SplitGoal = {
  /** What the client asks for, without the material. */
  readonly words: string
  /** The pieces of material in order. */
  readonly items: readonly string[]
  /** The language that a fence names, such as `sql`. */
  readonly language?: string
}

/** A request is short: a mark far behind is part of the material. */
const maxRequest = 400
const fence = /```([\w+-]*)[^\S\n]*\n?([\s\S]*?)```/g
const quoted = /"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|`([^`\n]+)`|(?<=^|[\s(])'([^'\n]+)'(?=$|[\s).,;:!?])|(?<=^|[\s(])‘([^’\n]+)’/g
/** A colon that introduces material, but not one of `https://` or `10:30`. */
const colon = /:(?=\s)/
const blankLine = /\n[^\S\n]*\n/

/** Material in fences; in quotation marks or backticks; after a colon; or below the first line. */
export function splitGoalMaterial(text: string): SplitGoal {
  const fences = [...text.matchAll(fence)]
  const [first] = fences
  const start = materialStart(text)
  // A fence inside of material that began before it is part of that material.
  const isInside = first !== undefined && start !== undefined && text.slice(start.end, first.index).trim() !== ''
  if (first && !isInside) {
    const items = fences.map(([, , body = '']) => body.replace(/\n$/, ''))
    return { words: text.replace(fence, ' ').trim(), items, ...(first[1] && { language: first[1].toLowerCase() }) }
  }
  const request = start === undefined ? text : text.slice(0, start.at)
  const body = start === undefined ? '' : text.slice(start.end)
  const marks = [...request.matchAll(quoted)]
  // "Encode this: "abc", please" quotes its material after the colon.
  const isQuoted = marks.length === 0 && /^\s*["“«`]/.test(body) && !/["“”«»`\n]/.test(body.replace(quoted, ''))
  if (start === undefined || isQuoted) return splitQuoted(text)
  if (marks.length > 0 && body.trim() !== '' && marks.length < 2) return splitQuoted(text)
  return { words: request.trim(), items: [trimMaterial(body)].filter((item) => item !== '') }
}

/** The earliest mark behind which everything is material. */
function materialStart(text: string): { readonly at: number; readonly end: number } | undefined {
  const head = text.slice(0, maxRequest)
  const found = [colon, blankLine, /\n/].flatMap((pattern) => {
    const match = pattern.exec(head)
    return match && head.slice(0, match.index).trim() !== '' ? [{ at: match.index, end: match.index + match[0].length }] : []
  })
  const [earliest] = found.toSorted((a, b) => a.at - b.at)
  return earliest && text.slice(earliest.end).trim() !== '' ? earliest : undefined
}

/** Pieces in quotation marks, in order. */
export function splitQuoted(text: string): SplitGoal {
  const items = [...text.matchAll(quoted)].map((match) => match.slice(1).find((group) => group !== undefined) ?? '')
  return { words: text.replace(quoted, ' ').trim(), items: items.filter((item) => item.trim() !== '') }
}

/** Without the blank lines around it. Spaces before the first word can be part of code. */
const trimMaterial = (text: string): string => {
  const trimmed = text.trimEnd()
  const isBelow = /^[^\S\n]*\n/.test(trimmed)
  return isBelow && trimmed.trim().includes('\n') ? trimmed.replace(/^(?:[^\S\n]*\n)+/, '') : trimmed.trim()
}

/** The first attached file of a type that the tools of this group read. */
export const findSourceFile = (goal: ToolGoal): GoalFile | undefined =>
  goal.files.find(({ type }) => type === 'document.text' || type === 'table.json')
