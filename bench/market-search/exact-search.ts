/** The exact search: every listing scored one by one from its texts and its whole vector, without an index, quantisation or limits. */

import { relatedCloseness } from '../../server/search/index/compound-terms.ts'
import { countTerms, type SourceListing, weighTerms } from '../../server/search/index/index-record.ts'
import { readLocalEmbedder } from '../../server/search/meaning/local-embedder.ts'
import { neverConnectedWeight, presenceWeight } from '../../server/search/query/presence-and-score-functions.ts'
import type { SearchQuery } from '../../server/search/query/search-query.ts'
import { reputationWeight } from '../../server/search/query/select-top-matches.ts'
import { blend, focusOf, minSimilarity } from '../../server/search/query/semantic-match.ts'
import { queryWords, termOf, wordsOf } from '../../server/search/text/tokenize.ts'

export type ExactSearch = {
  /** The total of each matching listing, by id; null if a word of the query needs the tolerance of errors, which has no exact form. */
  totals(query: SearchQuery): Map<string, number> | null
}

export function createExactSearch(listings: readonly SourceListing[]): ExactSearch {
  const embedder = readLocalEmbedder()
  const documents = listings.map((listing) => ({
    ...{ listing, shares: weighTerms(listing), vector: embedder.embedTerms(countTerms(listing).counts) },
  }))
  const frequency = new Map<string, number>()
  for (const { shares } of documents) for (const term of shares.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  return {
    totals(query) {
      const words = queryWords(query.text ?? '').map(({ term }) => ({ term, count: frequency.get(term) ?? 0 }))
      if (words.some(({ count }) => count < 3)) return null
      const weighted = words.map(({ term, count }) => ({ term, weight: Math.log(1 + (listings.length - count + 0.5) / (count + 0.5)) }))
      const related = new Map(words.map(({ term }) => [term, relatedTo(term, frequency)]))
      const sum = weighted.reduce((all, { weight }) => all + weight, 0)
      const asked = embedder.embedTerms(new Map(words.map(({ term }) => [term, 1])))
      const found = new Map<string, number>()
      for (const { listing, shares, vector } of documents) {
        if (!isMatch(listing, query, (skill) => skillScore(skill, weighted))) continue
        const exact = weighted.reduce((all, { term, weight }) => all + weight * (shares.get(term) ?? 0), 0)
        const text = (exact > 0 ? weighted.reduce((all, { term, weight }) => all + weight * bestShare(shares, related, term), 0) : 0) / sum
        const similarity = asked.reduce((all, value, at) => all + value * (vector[at] as number), 0)
        if (text <= 0 && similarity < minSimilarity) continue
        const match = blend(text, similarity, focusOf(words.length))
        found.set(listing.agentId, match + standingOf(listing, query))
      }
      return found
    },
  }
}

type Related = { readonly term: string; readonly closeness: number }
const maxRelated = 8

/** The closest terms that begin or end with a term, or with which it begins or ends. */
function relatedTo(term: string, frequency: ReadonlyMap<string, number>): Related[] {
  const all = [...frequency.keys()].map((other) => ({ term: other, closeness: relatedCloseness(term, other) }))
  return all
    .filter(({ closeness }) => closeness > 0)
    .sort((a, b) => b.closeness - a.closeness)
    .slice(0, maxRelated)
}

/** The weight of a term in a listing, or of the best related one. */
function bestShare(shares: ReadonlyMap<string, number>, related: ReadonlyMap<string, readonly Related[]>, term: string): number {
  const others = (related.get(term) ?? []).map((one) => one.closeness * (shares.get(one.term) ?? 0))
  return Math.max(shares.get(term) ?? 0, ...others)
}

type Skill = SourceListing['skills'][number]
type Weighted = { readonly term: string; readonly weight: number }

/** The weights of the words that a skill has. */
function skillScore({ id, name, tags, description, inputTypes, outputTypes }: Skill, words: readonly Weighted[]): number {
  const own = new Set(wordsOf([id, name, ...tags, ...inputTypes, ...outputTypes, description].join(' ')).map(termOf))
  return words.reduce((all, { term, weight }) => all + (own.has(term) ? weight : 0), 0)
}

/** `scoreOf`: how well a skill matches the words. The price of the best one counts. */
function isMatch({ presence, skills, attributes }: SourceListing, query: SearchQuery, scoreOf: (skill: Skill) => number): boolean {
  const { online, outputType, maxPrice } = query
  const language = query.attributes?.language?.[0]
  if (online && aliveOf(presence, query) < 1) return false
  if (language !== undefined && !attributes.includes(`language:${language}`)) return false
  const fitting = skills.filter((skill) => outputType === undefined || skill.outputTypes.includes(outputType))
  if (maxPrice === undefined || fitting.length === 0) return fitting.length > 0
  const best = Math.max(...fitting.map(scoreOf))
  return fitting.some((skill) => scoreOf(skill) === best && skill.price <= maxPrice)
}

function standingOf({ presence, standing: { total, judges } }: SourceListing, query: SearchQuery): number {
  const { prior, priorWeight } = query.terms
  return (reputationWeight * (total + prior * priorWeight)) / (judges + priorWeight) / 100 + presenceOf(presence, query)
}

function presenceOf(presence: SourceListing['presence'], query: SearchQuery): number {
  return presence.seenAt === null ? -neverConnectedWeight : presenceWeight * aliveOf(presence, query)
}

function aliveOf({ seenAt, hasLeft }: SourceListing['presence'], { terms }: SearchQuery): number {
  if (seenAt === null || hasLeft) return 0
  const silent = terms.now - seenAt
  return silent <= terms.idleAfterMs ? 1 : silent <= terms.offlineAfterMs ? 0.5 : 0
}

/** The share of the best ten by exact totals that were found. A listing whose total ties with the tenth counts. */
export function recallAtTen(found: readonly string[], totals: ReadonlyMap<string, number>): number {
  const best = [...totals.values()].sort((a, b) => b - a).slice(0, 10)
  const tenth = best.at(-1)
  if (tenth === undefined) return 1
  const hits = found.slice(0, 10).filter((id) => (totals.get(id) ?? 0) >= tenth - 1e-3).length
  return hits / best.length
}
