/** Does steps of work on the lines of a text, and states what was found. */
import { refuse } from '../../skill.ts'
import { changeLines } from './change-lines.ts'
import { entityKinds, findEntities } from './find-entities.ts'
import { groupLines } from './group-lines.ts'
import type { LineOrder, LineStep } from './line-steps.ts'
import { levelNamed, logLevelOf, logTimeOf } from './log-level-and-log-time.ts'
import { splitItems } from './transform-text.ts'

export type LineAnswer = {
  /** Sentences that answer, in the order of the steps. */
  readonly reports: readonly string[]
  /** Sentences on what a reader may not expect. */
  readonly notes: readonly string[]
  /** The lines that are the result; undefined if only counts were asked for. */
  readonly text: string | undefined
  readonly lineCount: number
}

type State = {
  lines: readonly string[]
  joint: string
  /** What the lines left are, for the answers: `lines that contain “x”`. */
  what: string
  shown: { readonly text: string; readonly lineCount: number } | undefined
  isUnique: boolean
  readonly all: readonly string[]
  /** `lines`, or `items` for a list in one line. */
  readonly noun: string
  readonly isLog: boolean
  readonly reports: string[]
  readonly notes: Set<string>
}

const isReport = (step: LineStep) => step.do === 'count' || step.do === 'count_by'

/** @throws {SkillRefused} if a step has nothing to work on */
export function runLineSteps(text: string, steps: readonly LineStep[]): LineAnswer {
  const { items, joint } = splitItems(text)
  const noun = joint === '\n' ? 'line' : 'item'
  const isLog = items.some((line) => logLevelOf(line) !== undefined)
  let isOpen = false
  const state: State = {
    lines: items,
    all: items,
    joint,
    noun,
    what: '',
    shown: undefined,
    isUnique: false,
    isLog,
    reports: [],
    notes: new Set(),
  }
  for (const step of steps) {
    if (step.do === 'all') isOpen = false
    if (step.do === 'show') isOpen = true
    doStep(state, step)
    // Later steps change the lines that are shown.
    if (isOpen && !isReport(step)) show(state)
  }
  const last = steps.at(-1)
  if (!state.shown && last && (!isReport(last) || !steps.some(isReport))) show(state)
  return { reports: state.reports, notes: [...state.notes], text: state.shown?.text, lineCount: state.shown?.lineCount ?? 0 }
}

function show(state: State): void {
  state.shown = { text: state.lines.join(state.joint), lineCount: state.lines.length }
}

function doStep(state: State, step: LineStep): void {
  switch (step.do) {
    case 'keep':
    case 'remove': {
      const test = testOf(state, step)
      state.lines = state.lines.filter((line) => test.fits(line) === (step.do === 'keep'))
      state.what += `${state.what === '' ? ' ' : ', '}${step.do === 'keep' ? test.name : `not ${test.name}`}`
      return
    }
    case 'take':
    case 'drop': {
      const cut = step.end === 'first' ? step.count : Math.max(0, state.lines.length - step.count)
      const [before, after] = [state.lines.slice(0, cut), state.lines.slice(cut)]
      state.lines = (step.do === 'take') === (step.end === 'first') ? before : after
      return
    }
    case 'sort':
      state.lines = sortLines(state, step.by, step.isDescending)
      return
    case 'change':
      Object.assign(state, changeLines(state, step))
      if (step.change === 'unique') state.isUnique = true
      return
    case 'count':
      state.reports.push(`${countOf(state, state.lines.length, state.isUnique ? 'different ' : '')}${state.what}.`)
      return
    case 'count_by':
      reportGroups(state, step)
      return
    case 'all':
      Object.assign(state, { lines: state.all, what: '', isUnique: false })
      return
    case 'show':
      show(state)
  }
}

const countOf = ({ noun }: State, count: number, kind = ''): string =>
  `${count.toLocaleString('en-US')} ${kind}${count === 1 ? noun : `${noun}s`}`

const plainOf = (text: string): string => text.toLowerCase().trim()
const quotedList = (values: readonly string[], word: string): string => values.map((one) => `“${one}”`).join(` ${word} `)

type NamedTest = { readonly fits: (line: string) => boolean; readonly name: string }

function testOf(state: State, step: Extract<LineStep, { do: 'keep' | 'remove' }>): NamedTest {
  const values = step.values.map(plainOf)
  switch (step.where) {
    case 'level':
      return levelTest(state, step.values)
    case 'starts':
      return { fits: (line) => values.some((one) => plainOf(line).startsWith(one)), name: `starting with ${quotedList(step.values, 'or')}` }
    case 'ends':
      return { fits: (line) => values.some((one) => plainOf(line).endsWith(one)), name: `ending with ${quotedList(step.values, 'or')}` }
    case 'contains_all':
      return {
        fits: (line) => values.every((one) => line.toLowerCase().includes(one)),
        name: `containing ${quotedList(step.values, 'and')}`,
      }
    case 'kind': {
      const kinds = entityKinds.filter((kind) => step.values.includes(kind))
      return { fits: (line) => findEntities(line, kinds).length > 0, name: `with ${step.values.join(' or ')}` }
    }
    case 'time':
      return timeTest(step.values)
    case 'longer':
    case 'shorter':
      return lengthTest(step.where === 'longer', Number(step.values[0]))
    default:
      return { fits: (line) => values.some((one) => line.toLowerCase().includes(one)), name: `containing ${quotedList(step.values, 'or')}` }
  }
}

/** In a text without levels, the word itself. @throws {SkillRefused} if no line has it either */
function levelTest({ isLog, all, notes }: State, values: readonly string[]): NamedTest {
  const levels = values.map(levelNamed).filter((one) => one !== undefined)
  if (isLog) {
    const above = ['CRITICAL', 'FATAL'] as const
    const more = all.filter((line) => above.some((one) => one === logLevelOf(line))).length
    if (more > 0 && levels.includes('ERROR') && !levels.some((one) => above.some((other) => other === one)))
      notes.add(`${more} more of level CRITICAL or FATAL ${more === 1 ? 'is' : 'are'} not counted as ERROR.`)
    return { fits: (line) => levels.some((one) => one === logLevelOf(line)), name: `of level ${levels.join(' or ')}` }
  }
  const words = levels.map((one) => one.toLowerCase())
  const fits = (line: string) => words.some((word) => line.toLowerCase().includes(word))
  if (!all.some(fits))
    return refuse(`No line has a level such as ERROR, or the word ${quotedList(words, 'or')}. Name a word that the lines contain.`)
  return { fits, name: `containing ${quotedList(words, 'or')}` }
}

function secondsOf(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

/** From the first time to the second one, both included. */
function timeTest([from = '00:00', to = '23:59:59']: readonly string[]): NamedTest {
  const [low, high] = [secondsOf(from), secondsOf(to)]
  const fits = (line: string) => {
    const time = logTimeOf(line)
    const at = time && time.hour * 3600 + time.minute * 60 + time.second
    return at !== undefined && at >= low && at <= high
  }
  return { fits, name: `from ${from} to ${to}` }
}

function lengthTest(isLonger: boolean, limit: number): NamedTest {
  const fits = (line: string) => (isLonger ? charactersIn(line) > limit : charactersIn(line) < limit)
  return { fits, name: `with ${isLonger ? 'more' : 'fewer'} than ${limit} characters` }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Of “Berg, Anna” it is the name before the comma. */
const lastWordOf = (line: string): string => /^([^,]+),/.exec(line)?.[1]?.trim() ?? /(\S+)\s*$/.exec(line)?.[1] ?? ''

/** Lines that compare equal keep their order. */
function sortLines(state: State, by: LineOrder, isDescending: boolean): string[] {
  const sign = isDescending ? -1 : 1
  // A space before a name is no part of it.
  const lines = by === 'time' ? state.lines.filter((line) => line.trim() !== '') : trimmed(state)
  if (by === 'length') return lines.toSorted((a, b) => sign * (charactersIn(a) - charactersIn(b)))
  if (by === 'last_word') return lines.toSorted((a, b) => sign * (collator.compare(lastWordOf(a), lastWordOf(b)) || collator.compare(a, b)))
  const isNumbers = lines.length > 0 && lines.every((line) => /^[-−+]?[\d.,]*\d$/.test(line))
  if (by === 'alphabet' && !isNumbers) return lines.toSorted((a, b) => sign * collator.compare(a, b))
  const keys = new Map(lines.map((line) => [line, by === 'time' ? timeKey(line) : numberIn(line)]))
  const missing = lines.filter((line) => keys.get(line) === undefined)
  if (missing.length > 0)
    return refuse(
      `${missing.length} of the ${lines.length} lines ${missing.length === 1 ? 'has' : 'have'} no ${by === 'time' ? 'time stamp such as 2026-11-02 08:01' : 'number'}, so the lines cannot be sorted by it.`,
    )
  return lines.toSorted((a, b) => {
    const [one, other] = [keys.get(a) ?? '', keys.get(b) ?? '']
    return one === other ? 0 : one < other ? -sign : sign
  })
}

const charactersIn = (line: string): number => [...line].length

function trimmed({ lines, noun, notes }: State): string[] {
  const changed = lines.filter((line) => line !== line.trim() && line.trim() !== '').length
  if (changed > 0) notes.add(`Spaces around ${changed} ${changed === 1 ? noun : `${noun}s`} were removed.`)
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

/** The first number of a line. @throws {SkillRefused} if it has a decimal comma, or a comma of unclear meaning */
function numberIn(line: string): number | undefined {
  const match = /[-−]?\d+(?:,\d{3}(?!\d))*(?:\.\d+)?/.exec(line)
  if (match && /^[.,]\d/.test(line.slice(match.index + match[0].length)))
    return refuse(`It is not clear which number “${line.slice(0, 40)}” has. Write decimals with a point, as in 1234.5.`)
  return match ? Number(match[0].replace('−', '-').replaceAll(',', '')) : undefined
}

/** Sorts as the time does. Only the ISO order of year, month and day states which day is earlier. */
function timeKey(line: string): string | undefined {
  const time = logTimeOf(line)
  if (!time) return undefined
  if (time.day !== undefined && !/^\d{4}/.test(time.day)) return undefined
  const two = (n: number) => String(n).padStart(2, '0')
  return `${time.day?.replace(/\D/g, '') ?? ''} ${two(time.hour)}${two(time.minute)}${two(time.second)}`
}

const maxGroups = 1_000

function reportGroups(state: State, step: Extract<LineStep, { do: 'count_by' }>): void {
  const { groups, without, name } = groupLines(state.lines, step)
  if (groups.length === 0 && without > 0) refuse(`None of the lines has ${name.needs}. Count by something that the lines contain.`)
  const what = `${state.noun}s${state.what}`
  const ordered = groups.toSorted((a, b) => (step.isSmallest ? a[1] - b[1] : b[1] - a[1]))
  const list = (some: readonly (readonly [string, number])[]) => some.map(([key, count]) => `${key}: ${count}`).join('; ')
  if (without > 0) state.notes.add(`${countOf(state, without)} without ${name.needs} ${without === 1 ? 'is' : 'are'} left out.`)
  if (step.min !== undefined) {
    const some = ordered.filter(([, count]) => count >= (step.min ?? 1))
    state.reports.push(
      some.length === 0
        ? `No ${state.noun} occurs more than once.`
        : `${countOf(state, some.length)} ${some.length === 1 ? 'occurs' : 'occur'} more than once: ${list(some)}.`,
    )
    return
  }
  if (step.top === undefined) {
    const sorted = name.isOrdered ? groups : ordered
    state.reports.push(`${what.charAt(0).toUpperCase()}${what.slice(1)} by ${name.noun}: ${list(sorted.slice(0, maxGroups)) || 'none'}.`)
    return
  }
  const limit = ordered[step.top - 1]?.[1]
  // Groups with the same count as the last one are named as well.
  const top = ordered.filter(([, count], index) => index < (step.top ?? 0) || count === limit)
  const tie = top.length > step.top ? ` (${top.length - step.top} more than asked have the same count)` : ''
  // An hour without any line is not in the text.
  const extreme = step.isSmallest ? `The fewest ${what}, of those that have any` : `The most ${what}`
  state.reports.push(`${extreme}, by ${name.noun}${tie}: ${list(top) || 'none'}.`)
}
