import type { HubUnderTest } from './hub-under-test.ts'

const mb = 1_048_576

/** The memory of the hub process over its restarts. Call `note` at the end of each process. */
export function watchMemory(hub: HubUnderTest) {
  const ends: { readonly minute: number; readonly mb: number }[] = []
  let max = { bytes: 0, files: 0 }
  const look = () => {
    const now = hub.weight()
    max = { bytes: Math.max(max.bytes, now.bytes), files: Math.max(max.files, now.files) }
    return now
  }
  const timer = setInterval(look, 1_000)
  return {
    note() {
      ends.push({ minute: performance.now() / 60_000, mb: look().bytes / mb })
    },
    end: () => clearInterval(timer),
    figures() {
      const slope = ends.length < 5 ? null : slopeOf(ends)
      return {
        hub_mb: Math.round(max.bytes / mb),
        hub_mb_per_minute: slope === null ? null : Number(slope.toFixed(2)),
        hub_files: max.files,
      }
    },
  }
}

/** By least squares. */
function slopeOf(points: readonly { readonly minute: number; readonly mb: number }[]): number {
  const mean = (of: (point: (typeof points)[number]) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.minute), mean((point) => point.mb)]
  const spread = mean((point) => (point.minute - x) ** 2)
  return spread === 0 ? 0 : mean((point) => (point.minute - x) * (point.mb - y)) / spread
}
