/** Says line by line what changed between two versions of a text. */
import { diffArrays } from 'diff'

type Line = { readonly text: string; readonly number: number }
type Change = { readonly before: Line | undefined; readonly after: Line | undefined }

const maxLines = 2_000
const maxShown = 40
const maxShownText = 3_000

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** From 0 to 1: the share of words that both lines have. */
function likenessOf(before: string, after: string): number {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  if (a.length === 0 || b.length === 0) return 0
  const known = new Set(a)
  return (2 * b.filter((word) => known.has(word)).length) / (a.length + b.length)
}

/** Removed and added lines that are alike are one changed line. Their order is kept. */
function pairLines(removed: readonly Line[], added: readonly Line[]): Change[] {
  const changes: Change[] = []
  let next = 0
  for (const before of removed) {
    const at = added.findIndex((after, index) => index >= next && index < next + 20 && likenessOf(before.text, after.text) >= 0.4)
    if (at < 0) {
      changes.push({ before, after: undefined })
      continue
    }
    for (; next < at; next++) changes.push({ before: undefined, after: added[next] })
    changes.push({ before, after: added[next++] })
  }
  for (; next < added.length; next++) changes.push({ before: undefined, after: added[next] })
  return changes
}

function changesOf(before: readonly string[], after: readonly string[]): Change[] | undefined {
  const parts = diffArrays([...before], [...after], { timeout: 5_000 })
  if (!parts) return undefined
  const changes: Change[] = []
  let [removed, added]: [Line[], Line[]] = [[], []]
  let [old, recent] = [0, 0]
  const close = () => {
    changes.push(...pairLines(removed, added))
    removed = []
    added = []
  }
  for (const part of parts)
    if (part.removed) removed.push(...part.value.map((text) => ({ text, number: ++old })))
    else if (part.added) added.push(...part.value.map((text) => ({ text, number: ++recent })))
    else {
      close()
      old += part.value.length
      recent += part.value.length
    }
  close()
  return changes
}

const short = (text: string): string => (text.trim().length > 300 ? `${text.trim().slice(0, 300)}…` : text.trim())

/** `“1,150” became “1,195”; “One cat is allowed.” is gone`. Words go up to the next space. */
function describeWords(before: string, after: string): string {
  const sentences: string[] = []
  let [gone, recent]: [string[], string[]] = [[], []]
  const flush = () => {
    const [old, now] = [gone.join(' '), recent.join(' ')]
    if (old !== '') sentences.push(now === '' ? `“${old}” is gone` : `“${old}” became “${now}”`)
    else if (now !== '') sentences.push(`“${now}” is new`)
    gone = []
    recent = []
  }
  for (const part of diffArrays(before.trim().split(/\s+/), after.trim().split(/\s+/))) {
    if (part.removed) gone.push(...part.value)
    else if (part.added) recent.push(...part.value)
    else flush()
  }
  flush()
  return sentences.join('; ')
}

function describeChange({ before, after }: Change): string {
  if (before && after)
    return `Changed: “${short(before.text)}” → “${short(after.text)}” (${short(describeWords(before.text, after.text))}).`
  return before ? `Removed: “${short(before.text)}”` : `New: “${short(after?.text ?? '')}”`
}

/**
 * `3 lines changed and 1 is new`, and each of them. Undefined for single lines, for very long texts, and where only white space differs.
 */
export function describeChanges(before: string, after: string): string | undefined {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line.trim() !== '')
  const [old, recent] = [lines(before), lines(after)]
  if (old.length + recent.length < 6 || old.length > maxLines || recent.length > maxLines) return undefined
  const changes = changesOf(old, recent)
  if (!changes || changes.length === 0) return undefined
  const count = (test: (change: Change) => boolean) => changes.filter(test).length
  const changed = count((one) => one.before !== undefined && one.after !== undefined)
  const [removed, added] = [count((one) => one.after === undefined), count((one) => one.before === undefined)]
  const name = (n: number, what: string) => `${n} ${n === 1 ? 'line' : 'lines'} ${what}`
  const counts = [
    changed > 0 ? name(changed, 'changed') : '',
    removed > 0 ? name(removed, 'removed') : '',
    added > 0 ? name(added, 'new') : '',
  ]
  const head = counts.filter((one) => one !== '').join(', ')
  const same = old.length - changed - removed
  let shown = ''
  let index = 0
  for (; index < changes.length && index < maxShown && shown.length < maxShownText; index++) {
    const change = changes[index]
    if (change) shown += `\n- ${describeChange(change)}`
  }
  const more = index < changes.length ? `\n… and ${changes.length - index} more in the file.` : ''
  return `${head}, ${same} the same.${shown}${more}`
}
