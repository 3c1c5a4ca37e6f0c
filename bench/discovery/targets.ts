/** What the search must achieve, and which figures miss it. */
import type { FloodFigures } from './flooding.ts'
import type { MarketFigures } from './market-load.ts'

/**
 * `p50`, `p99`, `freshMs`: milliseconds. `perCore`: queries per second of computing. `recall`: of the exact search's ten best.
 * `knownItem`: the share of queries that describe one listing and find it among the first ten. `topFive`: the share of queries at which
 * a flooded agent stays among the first five.
 */
export const targets = {
  ...{ sizes: [500, 2_000, 10_000, 22_000, 100_000], p50: 10, p99: 50, perCore: 200, recall: 0.97, knownItem: 0.93 },
  ...{ startSeconds: 20, freshMs: 1_000, topFive: 0.95, ofFloodInTen: 2, floodQueries: 200 },
}

export function marketFaults({ listings, latency, known_item, ...figures }: MarketFigures): string[] {
  const slow = Object.entries(latency).filter(([, { p50, p99 }]) => p50 > targets.p50 || p99 > targets.p99)
  const { queries_per_core_s, recall, start_s, fresh_ms } = figures
  const faults = [
    ...slow.map(([kind, { p50, p99 }]) => `${kind}: p50 ${p50} ms, p99 ${p99} ms`),
    ...(queries_per_core_s < targets.perCore ? [`${queries_per_core_s} queries per second and core`] : []),
    ...(recall < targets.recall ? [`recall ${recall}`] : []),
    ...(known_item.index < targets.knownItem ? [`known-item R@10 ${known_item.index}`] : []),
    ...(start_s > targets.startSeconds ? [`start ${start_s} s`] : []),
    ...(fresh_ms > targets.freshMs ? [`a change was found after ${fresh_ms} ms`] : []),
  ]
  return faults.map((fault) => `${listings} listings: ${fault}`)
}

export function floodFaults(flooding: FloodFigures | null): string[] {
  return Object.entries(flooding ?? {}).flatMap(([scenario, { queries, top_five, max_of_flood_in_ten }]) => [
    ...(queries < targets.floodQueries ? [`${scenario}: ${queries} of ${targets.floodQueries} queries`] : []),
    ...(top_five < targets.topFive ? [`${scenario}: the honest agent is among the first five for ${top_five} of the queries`] : []),
    ...(max_of_flood_in_ten > targets.ofFloodInTen ? [`${scenario}: ${max_of_flood_in_ten} of the flood among the first ten`] : []),
  ])
}

/** What was not measured. A run of a part never passes. */
export function missingFaults(markets: readonly MarketFigures[]): string[] {
  return targets.sizes
    .filter((size) => !markets.some(({ listings }) => listings === size))
    .map((size) => `${size} listings were not measured`)
}
