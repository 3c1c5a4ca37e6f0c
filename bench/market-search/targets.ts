/** What the search must achieve, and which figures miss it. */

import type { FloodFigures } from './measure-listing-flooding.ts'
import type { MarketFigures } from './measure-market-search.ts'
import { type CorpusFigures, corpusReaders } from './measure-search-quality.ts'

/**
 * `p50`, `p99`, `freshMs`: milliseconds. `perCore`: queries per second of computing. `recall`: of the exact search's ten best.
 * `knownItem`: the share of queries that describe one listing and find it among the first ten. `topFive`: the share of queries at which
 * a flooded agent stays among the first five.
 */
export const targets = {
  ...{ sizes: [500, 1_000, 2_000, 10_000, 22_000, 100_000], p50: 10, p99: 50, perCore: 200, recall: 0.97, knownItem: 0.93 },
  /** Of Debian's package descriptions: R@10, mean reciprocal rank, and R@10 of the queries that share few words with their package. */
  debian: { r10: 0.855, mrr: 0.7, hard: 0.23 },
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

/** On Debian the search must be above BM25, on the other corpora not below it. The 95 % interval of the difference decides. */
export function corpusFaults({ corpus, search, gain }: CorpusFigures): string[] {
  if (corpus !== 'debian')
    return (['r5', 'r10', 'mrr', 'ndcg', 'complete'] as const).flatMap((measure) =>
      gain[measure].high < 0 ? [`${corpus}: ${measure} is below BM25 by ${-gain[measure].mean}`] : [],
    )
  return [
    ...(['r10', 'mrr', 'hard'] as const).flatMap((measure) =>
      (search[measure] ?? 0) < targets.debian[measure] ? [`debian: ${measure} ${search[measure]}`] : [],
    ),
    ...(['r10', 'mrr'] as const).flatMap((measure) => (gain[measure].low <= 0 ? [`debian: ${measure} is not above BM25`] : [])),
  ]
}

/** What was not measured. A run of a part never passes. */
export function missingFaults(markets: readonly MarketFigures[], corpora: readonly CorpusFigures[]): string[] {
  const sizes = targets.sizes.filter((size) => !markets.some(({ listings }) => listings === size))
  const names = Object.keys(corpusReaders).filter((name) => !corpora.some(({ corpus }) => corpus === name))
  return [
    ...sizes.map((size) => `${size} listings were not measured`),
    ...names.map((name) => `the corpus ${name} is missing: give its folder with --${name.replace('_', '-')}`),
  ]
}
