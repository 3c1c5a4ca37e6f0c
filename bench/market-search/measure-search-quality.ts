/** How well the search finds the listings that queries of public corpora need, beside plain BM25 on the same texts. */
import { readLocalEmbedder } from '../../server/search/meaning/local-embedder.ts'
import type { RankingTerms } from '../../server/search/query/search-query.ts'
import { createIndexEngine } from '../../server/search/sync/index-engine.ts'
import { createPlainBm25 } from './corpora/bm25.ts'
import type { Corpus, CorpusQuery } from './corpora/corpus.ts'
import { readDebianPackages, toDebianCorpus } from './corpora/debian.ts'
import { readMetaTool, readSealTools, readToolLens } from './corpora/tool-corpora.ts'
import { createRandom, marketDay } from './synthetic-listings.ts'

/** Of one query. `complete`: whether all needed listings are among the first ten. */
type Scores = { readonly r5: number; readonly r10: number; readonly mrr: number; readonly ndcg: number; readonly complete: number }
type Measure = keyof Scores
/** Means over the queries. `hard`: R@10 of the queries that share few words with their listing; null if the corpus has none. */
export type SearchScores = Scores & { readonly hard: number | null }
/** The difference of means, search less BM25, with its 95 % interval by paired bootstrap. */
export type Gain = { readonly mean: number; readonly low: number; readonly high: number }
export type CorpusFigures = {
  readonly corpus: string
  readonly listings: number
  readonly queries: number
  readonly search: SearchScores
  readonly bm25: SearchScores
  readonly gain: { readonly [measure in Measure]: Gain }
  readonly ms_per_query: number
}

export const corpusReaders = {
  debian: async (folder: string) => toDebianCorpus(await readDebianPackages(folder)),
  metatool: readMetaTool,
  seal_tools: readSealTools,
  toollens: readToolLens,
} as const
export type CorpusName = keyof typeof corpusReaders

const measures = ['r5', 'r10', 'mrr', 'ndcg', 'complete'] as const
const found = 10
const resamples = 1_000
const terms: RankingTerms = {
  ...{ now: marketDay, prior: 70, priorWeight: 3, idleAfterMs: 60_000, offlineAfterMs: 300_000 },
  hiddenAfterMs: 30 * 86_400_000,
}

export function measureSearchQuality({ name, listings, queries }: Corpus): CorpusFigures {
  const engine = createIndexEngine(readLocalEmbedder())
  const loader = engine.load()
  for (const listing of listings) loader.put(engine.toRecord(listing))
  for (const _ of loader.finish());
  const begun = performance.now()
  const ours = queries.map(({ text, relevant }) => {
    const { hits } = engine.search({ sort: 'relevance', limit: found, terms, text })
    return scoresOf(
      hits.map(({ agentId }) => agentId),
      relevant,
    )
  })
  const ms = (performance.now() - begun) / queries.length
  const plain = createPlainBm25(listings)
  const theirs = queries.map(({ text, relevant }) => scoresOf(plain.find(text, found), relevant))
  return {
    ...{ corpus: name, listings: listings.length, queries: queries.length },
    ...{ search: summarise(ours, queries), bm25: summarise(theirs, queries) },
    gain: Object.fromEntries(measures.map((measure) => [measure, gainOf(ours, theirs, measure)])) as CorpusFigures['gain'],
    ms_per_query: round(ms, 2),
  }
}

function scoresOf(ids: readonly string[], relevant: readonly string[]): Scores {
  const needed = new Set(relevant)
  const places = ids.flatMap((id, place) => (needed.has(id) ? [place] : []))
  const gains = (count: number, placeOf: (at: number) => number) =>
    Array.from({ length: count }, (_, at) => 1 / Math.log2(placeOf(at) + 2)).reduce((sum, one) => sum + one, 0)
  return {
    r5: places.filter((place) => place < 5).length / needed.size,
    r10: places.length / needed.size,
    mrr: places[0] === undefined ? 0 : 1 / (places[0] + 1),
    ndcg: gains(places.length, (at) => places[at] as number) / gains(Math.min(found, needed.size), (at) => at),
    complete: places.length === needed.size ? 1 : 0,
  }
}

function summarise(scores: readonly Scores[], queries: readonly CorpusQuery[]): SearchScores {
  const hard = scores.filter((_, at) => queries[at]?.isHard)
  const means = Object.fromEntries(measures.map((measure) => [measure, round(mean(scores.map((one) => one[measure])))])) as Scores
  return { ...means, hard: hard.length === 0 ? null : round(mean(hard.map((one) => one.r10))) }
}

/** The same queries are drawn for both, with replacement. */
function gainOf(ours: readonly Scores[], theirs: readonly Scores[], measure: Measure): Gain {
  const differences = ours.map((one, at) => one[measure] - (theirs[at] as Scores)[measure])
  const random = createRandom(5)
  const drawn = Array.from({ length: resamples }, () => {
    let sum = 0
    for (let i = 0; i < differences.length; i++) sum += differences[random(differences.length)] as number
    return sum / differences.length
  })
  drawn.sort((a, b) => a - b)
  return {
    mean: round(mean(differences)),
    low: round(drawn[Math.floor(0.025 * resamples)] ?? 0),
    high: round(drawn[Math.ceil(0.975 * resamples) - 1] ?? 0),
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)
}

function round(value: number, digits = 4): number {
  return Number(value.toFixed(digits))
}
