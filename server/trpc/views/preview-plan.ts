import type { QuotedPlan } from '../../goals/index.ts'

/** The measured duration of an agent's skill: the median of `n` tasks. */
export type MeasuredTime = { readonly agentId: string; readonly skillId: string; readonly n: number; readonly seconds: number }
export type PreviewStep = {
  readonly step: number
  readonly skillId: string
  readonly name: string
  /** The agent that does it, and its public name. */
  readonly agentId: string
  readonly agentName: string
  /** Base units. */
  readonly price: bigint
  /** The steps whose files it needs. */
  readonly after: readonly number[]
  /** Whether another step can run at the same time. */
  readonly isBeside: boolean
  /** The agent's median duration; null if not measured. */
  readonly seconds: number | null
  readonly isCritical: boolean
}
export type PlanPreview = {
  readonly steps: readonly PreviewStep[]
  /** Along the critical path, as far as it was measured; null if none of it was. */
  readonly seconds: number | null
  /** Steps of the critical path without a measurement. */
  readonly unmeasured: readonly number[]
}

/** The steps of a quoted plan with the critical path and the duration. Pure. */
export function previewPlan(steps: QuotedPlan['steps'], times: readonly MeasuredTime[]): PlanPreview {
  const after = steps.map((step) => step.after)
  const seconds = steps.map(
    ({ agentId, skillId }) => times.find((time) => time.agentId === agentId && time.skillId === skillId)?.seconds ?? null,
  )
  const path = criticalPath(after, seconds)
  const known = path.map((step) => seconds[step - 1] ?? null)
  return {
    steps: steps.map((step, index) => ({
      ...step,
      isBeside: isBeside(after, index + 1),
      seconds: seconds[index] ?? null,
      isCritical: path.includes(index + 1),
    })),
    seconds: known.some((one) => one !== null) ? known.reduce<number>((sum, one) => sum + (one ?? 0), 0) : null,
    unmeasured: path.filter((step) => seconds[step - 1] === null),
  }
}

/** The critical path: the longest path by time. A step without a measurement counts as the average. */
export function criticalPath(after: readonly (readonly number[])[], seconds: readonly (number | null)[]): number[] {
  const known = seconds.filter((one) => one !== null)
  const guess = known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : 1
  const ways: { readonly length: number; readonly path: readonly number[] }[] = []
  const longest = (all: typeof ways) =>
    all.reduce((best, way) => (way.length > best.length ? way : best), { length: 0, path: [] as readonly number[] })
  after.forEach((needs, index) => {
    const before = longest(needs.flatMap((step) => ways[step - 1] ?? []))
    ways.push({ length: before.length + (seconds[index] ?? guess), path: [...before.path, index + 1] })
  })
  return [...longest(ways).path]
}

function isBeside(after: readonly (readonly number[])[], step: number): boolean {
  const reaches = (from: number, to: number): boolean => (after[from - 1] ?? []).some((next) => next === to || reaches(next, to))
  return after.some((_, index) => index + 1 !== step && !reaches(step, index + 1) && !reaches(index + 1, step))
}
