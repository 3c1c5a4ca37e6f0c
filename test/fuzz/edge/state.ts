/** What a run knows of itself: its options, its findings and how far it has come. */
import type { Bystander } from '../ground/bystander.ts'
import type { Role } from '../ground/cast.ts'
import type { Installation, InstallationOptions } from '../ground/installation.ts'
import { slowness } from '../ground/slowness.ts'
import type { Mutation } from '../inputs/mutations.ts'
import type { Operation } from '../operations/operations.ts'
import type { Coverage } from './coverage.ts'
import { mb } from './health.ts'
import type { Fault, Looks } from './oracles.ts'

export type RunOptions = InstallationOptions & {
  readonly seed: number
  readonly minutes: number
  /** One case alone, by its name; with all that it is checked by. */
  readonly only?: string | undefined
  /** Operations and attacks whose name fits; all unless told otherwise. */
  readonly fitting?: RegExp | undefined
  /** Ends with the first finding of these. */
  readonly endsWith?: (finding: Finding) => boolean
  /** Left out where only answers are to be looked at. */
  readonly sweeps?: boolean
  readonly maxCases?: number
  readonly tell: (line: string) => void
}
export type Finding = {
  readonly oracle: string
  readonly subject: string
  readonly detail: string
  readonly case: string
  readonly request: string
}
export type Outcome = {
  readonly findings: readonly Finding[]
  readonly coverage: Coverage
  readonly figures: { readonly [name: string]: number }
}

const maxFindings = 80
/** One fault can break a rule at every operation. More findings of it would end the run before other rules are checked. */
const maxOfRule = 15

export type Run = {
  readonly options: RunOptions
  readonly coverage: Coverage
  readonly findings: Map<string, Finding>
  /** When the minutes of the run end. */
  until: number
  /** By operation: who gets past the first check with a valid input. */
  readonly admitted: Map<string, Role[]>
  /** By operation: the optional places that its base takes besides. */
  readonly completions: Map<string, Mutation>
  /** What the processes said after the last case, where nothing was sent since. */
  looks: Looks | null
  /** Cases that were refused together with others. They depend on nothing that lives, so once in a run is enough. */
  readonly refused: Set<string>
  /** Operations whose roles and optional places are known. */
  readonly learned: Set<string>
  installation: Installation
  operations: readonly Operation[]
  bystander: Bystander
  idleP99: number
  worstP99: number
  base: Looks
  maxRss: { web: number; hub: number }
  maxHeld: { web: number; hub: number }
  /** Where the time went. */
  readonly seconds: { scenes: number; learning: number; attacks: number; cases: number; sweeps: number }
  rounds: number
  restarts: number
  reads: number
  attacks: number
  /** Attacks that go on beside the others. */
  readonly background: Promise<unknown>[]
  /** Something lasting was broken: what follows would only show it again. */
  isPoisoned: boolean
}

export const isOver = (run: Run) => Date.now() > run.until || isFull(run)
/** It has found, or tried, all that it is to. */
export const isFull = ({ findings, options, coverage }: Run) =>
  findings.size >= maxFindings ||
  (options.endsWith !== undefined && [...findings.values()].some(options.endsWith)) ||
  coverage.figures().cases >= (options.maxCases ?? Number.POSITIVE_INFINITY)

export function note(run: Run, { oracle, subject, detail }: Fault, name: string, request: string): void {
  const key = `${oracle} | ${subject}`
  if (run.findings.has(key)) return
  if ([...run.findings.values()].filter((one) => one.oracle === oracle).length >= maxOfRule) return
  run.findings.set(key, { oracle, subject, detail, case: name, request })
  run.options.tell(`FOUND ${oracle}: ${subject}: ${detail}`)
  run.options.tell(`  by ${name}`)
  if (request) run.options.tell(`  ${request}`)
  // What comes of everything before it is only there again after everything before it.
  const isAlone = !/^(sweep|round|the whole run)/.test(name)
  run.options.tell(`  again: npm run fuzz:edge -- --seed ${run.options.seed}${isAlone ? ` --case ${JSON.stringify(name)}` : ''}`)
}

/** How many of the operations that change something take a valid input; `writes_closed` are refused to everybody at that door by design. */
function writesOf({ operations, admitted }: Run): Outcome['figures'] {
  const writes = operations.filter(({ isReading }) => !isReading)
  const open = writes.filter(({ isClosed }) => !isClosed)
  const taken = open.filter(({ name }) => (admitted.get(name) ?? []).length > 0)
  return { writes: open.length, writes_accepted: taken.length, writes_closed: writes.length - open.length }
}

export function figuresOf(run: Run): Outcome['figures'] {
  return {
    ...{ seed: run.options.seed, rounds: run.rounds, ...run.coverage.figures(), ...writesOf(run), attacks: run.attacks, reads: run.reads },
    ...{ p99_idle_ms: Number(run.idleP99.toFixed(1)), p99_ms: Number(run.worstP99.toFixed(1)) },
    ...{
      web_held_mb: mb(run.maxHeld.web),
      hub_held_mb: mb(run.maxHeld.hub),
      web_rss_mb: mb(run.maxRss.web),
      hub_rss_mb: mb(run.maxRss.hub),
    },
    ...Object.fromEntries(Object.entries(run.seconds).map(([what, taken]) => [`seconds_${what}`, Math.round(taken)])),
    ...{ machine_slowness: Number(slowness().toFixed(1)), restarts: run.restarts, findings: run.findings.size },
  }
}
