type Figures = Readonly<Record<string, unknown>>

/** What is asked of the hub: per second at least, milliseconds and megabytes at most. A part that was not run is not missed. */
const least: Record<string, Record<string, number>> = {
  session_1k: { in_per_s: 25_000, deliveries_per_s: 200_000 },
  signed_1k: { in_per_s: 6_000 },
  session_7600: { in_per_s: 5_000 },
}
const most: Record<string, Record<string, number>> = {
  latency_at_2000: { p50_ms: 1, p99_ms: 5 },
  resume: { max_ms: 20, in_the_middle_ms: 20 },
  storm: { all_welcomed_ms: 10_000 },
  idle: { hub_mb: 400 },
}
const minRatioOfLongRoom = 0.9

/** The figures that fall short, each with what it should be. */
export function missedTargets(figures: Figures): string[] {
  const missed: string[] = []
  const look = (targets: typeof least, isShort: (figure: number, target: number) => boolean) => {
    for (const [part, wanted] of Object.entries(targets)) {
      const found = figures[part] as Record<string, number> | undefined
      for (const [name, target] of Object.entries(wanted)) {
        const figure = found?.[name]
        if (figure !== undefined && isShort(figure, target)) missed.push(`${part}.${name} ${figure} (target ${target})`)
      }
    }
  }
  look(least, (figure, target) => figure < target)
  look(most, (figure, target) => figure > target)
  const ratio = figures.long_room_ratio as number | undefined
  if (ratio !== undefined && ratio < minRatioOfLongRoom) missed.push(`long_room_ratio ${ratio} (target ${minRatioOfLongRoom})`)
  return missed
}
