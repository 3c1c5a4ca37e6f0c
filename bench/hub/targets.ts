type Figures = Readonly<Record<string, unknown>>

/**
 * The targets of throughput and latency are ratios to the bare durable hub of the same run, since absolute rates depend on the machine.
 * Other targets are milliseconds and megabytes. Each target is at the measured level of the day on which it was set, so that it shows a
 * regression.
 */
const minima: Record<string, Record<string, number>> = {
  session_1k: { of_reference: 0.4 },
  session_7600: { of_reference: 0.7 },
}
const maxima: Record<string, Record<string, number>> = {
  latency_at_2000: { p50_by_reference: 1.35, p99_by_reference: 2 },
  resume: { max_ms: 20, in_the_middle_ms: 20 },
  storm: { all_welcomed_ms: 10_000 },
  idle: { hub_mb: 400 },
}
const minRatioOfLongRoom = 0.9

/** The figures that miss their target, each with the target. A part that was not run misses nothing. */
export function missedTargets(figures: Figures): string[] {
  const missed: string[] = []
  const compare = (targets: typeof minima, isMissed: (figure: number, target: number) => boolean) => {
    for (const [part, wanted] of Object.entries(targets)) {
      const found = figures[part] as Record<string, number> | undefined
      for (const [name, target] of Object.entries(wanted)) {
        const figure = found?.[name]
        if (figure !== undefined && isMissed(figure, target)) missed.push(`${part}.${name} ${figure} (target ${target})`)
      }
    }
  }
  compare(minima, (figure, target) => figure < target)
  compare(maxima, (figure, target) => figure > target)
  const ratio = figures.long_room_ratio as number | undefined
  if (ratio !== undefined && ratio < minRatioOfLongRoom) missed.push(`long_room_ratio ${ratio} (target ${minRatioOfLongRoom})`)
  return missed
}

/** The lower median of the items by `figure`. */
export function medianBy<T>(all: readonly T[], figure: (one: T) => number): T {
  const sorted = [...all].sort((a, b) => figure(a) - figure(b))
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  if (middle === undefined) throw new Error('There is no median of nothing.')
  return middle
}
