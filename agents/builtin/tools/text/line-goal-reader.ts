/** What has been read of a goal on lines: the steps so far, and the open clause. */
import type { LineGroup, LineStep, LineTest } from './line-steps.ts'

type Verb = 'keep' | 'remove' | 'count' | 'sort' | 'ask'
type OpenGroup = { by: LineGroup; field?: string; top?: number; min?: number; isSmallest?: boolean; isAsked?: boolean }

/** Reads clauses in order: each has a verb, tests of lines, and an order or a group. */
export class LineGoalReader {
  readonly steps: LineStep[] = []
  /** The sentence as written, of the same length as the one that is scanned. */
  raw = ''
  readonly quotations: readonly string[]
  /** The text to work on, if it is known. */
  readonly material: string | undefined
  question: string | undefined
  /** A question for a time or level of nothing in particular: it may ask for the dates of a text. */
  isUnclear = false
  verb: Verb | undefined
  /** The next test is of lines that are not wanted. */
  isNegated = false
  group: OpenGroup | undefined
  isCounted = false
  /** The clause names lines, a list or what was found before. */
  isAboutLines = false
  private refersBack = false
  private take: { end: 'first' | 'last'; count: number } | undefined
  private clauseStart = 0
  private levels: readonly string[] = []
  private isReported = false

  constructor(quotations: readonly string[], material: string | undefined) {
    this.quotations = quotations
    this.material = material
  }

  /** Begins a clause. */
  start(verb: Verb): true {
    this.finish()
    this.verb = verb
    this.isCounted = verb === 'count'
    return true
  }

  /** A word such as “them”. False if a test has been read of all lines before. */
  referBack(): boolean {
    const isReset = this.steps[this.clauseStart]?.do === 'all'
    this.refersBack = true
    this.isAboutLines = true
    return !isReset
  }

  test(where: LineTest, values: readonly string[]): true {
    if (this.isReported && !this.refersBack && this.steps.length === this.clauseStart) this.steps.push({ do: 'all' })
    const isRemoved = (this.verb === 'remove') !== this.isNegated
    this.steps.push({ do: isRemoved ? 'remove' : 'keep', where, values })
    if (where === 'level' && !isRemoved) this.levels = values
    return true
  }

  /** The first or last lines; `isScope` if the tests are of these lines only. */
  takeLines(end: 'first' | 'last', count: number, isScope: boolean): boolean {
    if (this.take || count < 1) return false
    const step: LineStep = { do: this.verb === 'remove' ? 'drop' : 'take', end, count }
    if (isScope && this.verb === 'count') this.steps.splice(this.clauseStart, 0, ...(this.isReported ? [{ do: 'all' } as const] : []), step)
    else this.take = { end, count }
    return true
  }

  change(step: LineStep): true {
    this.steps.push(step)
    return true
  }

  /** Sets the sort order of the clause. A later phrase can override it. */
  order(change: Partial<Extract<LineStep, { do: 'sort' }>>): boolean {
    const at = this.steps.findLastIndex((step) => step.do === 'sort')
    const known = at >= this.clauseStart ? this.steps[at] : undefined
    if (known?.do !== 'sort') {
      if (this.verb === 'count' || this.verb === 'ask') return false
      this.steps.push({ do: 'sort', by: 'alphabet', isDescending: false, ...change })
    } else this.steps[at] = { ...known, ...change }
    return true
  }

  get hasOrder(): boolean {
    return this.steps.slice(this.clauseStart).some((step) => step.do === 'sort')
  }

  /** Ends the clause: its counts follow its filters. */
  finish(): void {
    const { verb, group, take } = this
    const tests = this.steps.slice(this.clauseStart).some((step) => step.do === 'keep' || step.do === 'remove' || step.do === 'change')
    if (take) this.steps.push({ do: verb === 'remove' ? 'drop' : 'take', ...take })
    const changed = this.steps.slice(this.clauseStart).some((step) => step.do !== 'all')
    if (this.isCounted && (!group || tests)) this.steps.push({ do: 'count' })
    if (this.isCounted && !group && this.levels.length > 1) this.steps.push({ do: 'count_by', by: 'level' })
    if (group?.isAsked && group.top === undefined && !tests) this.isUnclear = true
    if (group) {
      const { isAsked: _, ...rest } = group
      this.steps.push({ do: 'count_by', ...rest })
    }
    const isReport = this.isCounted || group !== undefined
    if (!isReport && (changed || (verb === 'keep' && this.isAboutLines))) this.steps.push({ do: 'show' })
    if (isReport) this.isReported = true
    else if (changed) this.isReported = false
    Object.assign(this, { verb: undefined, group: undefined, take: undefined, isCounted: false, isNegated: false, levels: [] })
    Object.assign(this, { refersBack: false, isAboutLines: false, clauseStart: this.steps.length })
  }
}
