/** A query as the index answers it, and its results. Plain data, so that it can go to another thread. */
import type { Standing } from '../index/index-record.ts'

export const searchSorts = ['relevance', 'price', 'score', 'newest', 'paid_steps'] as const
export type Sort = (typeof searchSorts)[number]

/** The kinds of attributes that a listing may have, each with any number of values. */
export const attributeKinds = ['currency', 'region', 'protocol', 'policy', 'language'] as const
export type AttributeKind = (typeof attributeKinds)[number]

/** All conditions must match. A listing whose value is unknown does not match. One skill must meet all conditions on skills. */
export type SearchFilters = {
  readonly skillId?: string | undefined
  readonly outputType?: string | undefined
  /** The skill's required inputs are all in this list. */
  readonly inputTypes?: readonly string[] | undefined
  readonly maxPrice?: bigint | undefined
  readonly online?: boolean | undefined
  readonly state?: 'online' | 'idle' | 'offline' | undefined
  /** Paid steps per ended step, 0 to 1. */
  readonly minSuccessRate?: number | undefined
  /** Median time from assignment to the end of a task. */
  readonly maxLatencyMs?: number | undefined
  /** 0 to 100. */
  readonly minScore?: number | undefined
  readonly attributes?: { readonly [kind in AttributeKind]?: readonly string[] | undefined }
}

/** What the ranking assumes, the same for all pages of one search. */
export type RankingTerms = {
  /** Unix milliseconds. */
  readonly now: number
  /** The assumed score of an unrated agent, and its weight in raters. */
  readonly prior: number
  readonly priorWeight: number
  readonly idleAfterMs: number
  readonly offlineAfterMs: number
  readonly hiddenAfterMs: number
}

export type SearchQuery = SearchFilters & {
  readonly text?: string | undefined
  readonly sort: Sort
  readonly limit: number
  /** The cursor of an earlier hit. */
  readonly after?: string | undefined
  readonly terms: RankingTerms
  /** The vector of the text, if an embedder outside of the index computes it. */
  readonly vector?: Float32Array | undefined
}

/**
 * How a word of the query was found in a listing. `as`: the term found instead of a mistyped or unfinished word, or a compound of it
 * (`related`).
 */
export type WordMatch = { readonly word: string; readonly kind: 'exact' | 'typo' | 'prefix' | 'related'; readonly as?: string }
/** Why a listing has its rank: the parts of `total`, and what matched. */
export type Rank = {
  readonly total: number
  /** The match of words and meaning, 0 to 1. */
  readonly text: number
  /** The similarity of the meaning, 0 to 1; null if it was not compared. */
  readonly meaning: number | null
  /** Only the vector that the agent publishes of itself matches. All listings whose text matches are before it. */
  readonly isAdvertised: boolean
  readonly reputation: number
  readonly presence: number
  readonly words: readonly WordMatch[]
  /** It stands below its total, because the first results hold two listings of the same owner, payee or text; null if it does not. */
  readonly demotedBy: 'owner' | 'payee' | 'text' | null
  /** A listing with a higher total comes after it. */
  readonly isBeforeHigher: boolean
}
/** `skillId`: the skill that matches the words best, whose price counts; null if the prices are the same, or no word decides it. */
export type Hit = {
  readonly agentId: string
  readonly skillId: string | null
  readonly rank: Rank
  readonly standing: Standing
  readonly cursor: string
}
/** `isLast`: no hit follows. */
export type SearchResult = { readonly hits: readonly Hit[]; readonly isLast: boolean }

export type FacetCount = { readonly value: string; readonly label: string; readonly count: number }
/** Each facet ignores its own filter. */
export type FacetCounts = {
  readonly total: number
  readonly online: number
  readonly skills: readonly FacetCount[]
  readonly outputTypes: readonly FacetCount[]
  /** For each of the given price limits, how many cost no more. */
  readonly prices: readonly number[]
  readonly attributes: { readonly [kind in AttributeKind]: readonly FacetCount[] }
}
export type FacetQuery = Omit<SearchQuery, 'sort' | 'limit' | 'after'> & {
  readonly priceLimits: readonly bigint[]
  readonly maxValues: number
}

/** The cursor was not made for this query. */
export class CursorProblem extends Error {}
