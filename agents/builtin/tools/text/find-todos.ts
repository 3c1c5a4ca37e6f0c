/** Finds the lines of a text that are marked as to-dos. */

export type Todo = { readonly text: string; readonly line: number; readonly isDone: boolean }

const bullet = '^[\\s>]*(?:[-*•+]\\s+|\\d{1,3}[.)]\\s+)?'
const checkbox = new RegExp(`${bullet}\\[([ xX✓]?)\\]\\s*(\\S.*)$`)
/** The word in capitals anywhere, or in any letters before a colon. */
const marked = /\b(?:(?:TO-?DO|FIX-?ME|ACTION ITEM)\b\s*[:–-]?|(?:ACTION|TO DO)\s*[:–-])\s*(\S.*)$/
const anyCase = /\b(?:todo|to-do|action item)\s*[:–-]\s*(\S.*)$/i
const atStart = new RegExp(`${bullet}(?:to do|action)\\s*:\\s*(\\S.*)$`, 'i')
const heading =
  /^\s*(?:#{1,6}\s*|\*\*)?(?:open |my )?(?:action items?|action points?|to-?dos?|to-?do list|tasks|next steps)(?:\*\*)?\s*:?(?:\*\*)?\s*$/i
const listed = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+(\S.*)$/

/** Checkboxes, lines with a to-do mark or “action item”, and the list below such a heading. */
export function findTodos(text: string): Todo[] {
  const found: Todo[] = []
  let isBelowHeading = false
  for (const [index, line] of text.split('\n').entries()) {
    const box = checkbox.exec(line)
    const isHeading = heading.test(line)
    const plain = isHeading ? undefined : [marked, anyCase, atStart].map((one) => one.exec(line)?.[1]).find((one) => one !== undefined)
    const below = isBelowHeading ? listed.exec(line)?.[1] : undefined
    if (box) found.push({ text: (box[2] ?? '').trim(), line: index + 1, isDone: /[xX✓]/.test(box[1] ?? '') })
    else if (plain ?? below) found.push({ text: (plain ?? below ?? '').trim(), line: index + 1, isDone: false })
    if (isHeading) isBelowHeading = true
    else if (line.trim() !== '' && !listed.test(line) && !box) isBelowHeading = false
  }
  return found
}
