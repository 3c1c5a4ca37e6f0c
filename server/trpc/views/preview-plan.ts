import type { Listing } from '@parley/protocol'
import type { CostEstimate } from './estimate-cost.ts'

/** The measured duration of an agent's skill: the median of `n` tasks. */
export type MeasuredTime = { readonly agentId: string; readonly skillId: string; readonly n: number; readonly seconds: number }
export type PreviewStep = {
  readonly step: number
  readonly skillId: string
  readonly name: string
  readonly likely: bigint
  /** The steps whose files it needs. */
  readonly after: readonly number[]
  /** Whether another step can run at the same time. */
  readonly isBeside: boolean
  /** The median duration over all agents that offer it; null if not measured. */
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

/** The plan of the estimated skills: dependencies, critical path and duration. Pure. */
export function previewPlan(estimate: CostEstimate, listings: readonly Listing[], times: readonly MeasuredTime[]): PlanPreview {
  const skills = estimate.lines.map((line) => {
    const all = listings.flatMap((listing) => listing.skills.filter((skill) => skill.id === line.skillId))
    const inputs = (all[0]?.inputs ?? []).map((port) => port.type)
    const outputs = (all[0]?.outputs ?? []).map((port) => port.type)
    return { line, inputs, outputs, isLast: outputs.length > 0 && inputs.length === 0 && line.skillId === 'goal.plan' }
  })
  const after = skills.map(({ inputs, isLast }, index) =>
    skills.flatMap((other, at) => {
      const feeds = isLast || other.outputs.some((type) => inputs.includes(type))
      return at < index && feeds ? [at + 1] : []
    }),
  )
  const seconds = skills.map(({ line }) => medianOf(line.skillId, line.offers, times))
  const path = criticalPath(after, seconds)
  const known = path.map((step) => seconds[step - 1] ?? null)
  return {
    steps: skills.map(({ line }, index) => ({
      step: index + 1,
      skillId: line.skillId,
      name: line.name,
      likely: line.likely,
      after: after[index] ?? [],
      isBeside: isBeside(after, index + 1),
      seconds: seconds[index] ?? null,
      isCritical: path.includes(index + 1),
    })),
    seconds: known.some((one) => one !== null) ? known.reduce<number>((sum, one) => sum + (one ?? 0), 0) : null,
    unmeasured: path.filter((step) => seconds[step - 1] === null),
  }
}

function medianOf(skillId: string, offers: readonly { readonly agentId: string }[], times: readonly MeasuredTime[]): number | null {
  const measured = times.filter((one) => one.skillId === skillId && offers.some((offer) => offer.agentId === one.agentId))
  if (measured.length === 0) return null
  const sorted = measured.map((one) => one.seconds).sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
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
