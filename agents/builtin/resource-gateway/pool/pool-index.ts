/** Full-text index of the pool: BM25 over an inverted index, with exact conditions. */
import type { ResourceQuery } from '@parley/protocol'
import type { Resource } from '../resource/resource-states.ts'

export type IndexMatch = { readonly resource: Resource; readonly rank: number }
export type PoolIndex = {
  put(resource: Resource): void
  drop(id: string): void
  /** Matches in order, best first. @param isVisible whether the caller may see a resource */
  find(query: ResourceQuery, isVisible: (resource: Resource) => boolean): IndexMatch[]
}

// BM25 parameters k1 and b: saturation of repeated words, and weight of the length normalization.
const saturation = 1.2
const lengthShare = 0.75
/** Words with the same beginning are similar: `translate` matches `translation`, with half the weight. */
const prefixLetters = 6
const prefixWeight = 0.5
/** A word that more resources have than both of these limits is ignored, if the query has a rarer one. */
const commonFrom = 20
const commonShare = 0.2

type Entry = { readonly resource: Resource; readonly counts: ReadonlyMap<string, number>; readonly length: number }
type State = {
  readonly entries: Map<string, Entry>
  /** Inverted index: ids by word, and ids by exact condition. */
  readonly byTerm: Map<string, Set<string>>
  readonly byKey: Map<string, Set<string>>
  /** Sum of all lengths. */
  totalLength: number
}

export function createPoolIndex(): PoolIndex {
  const state: State = { entries: new Map(), byTerm: new Map(), byKey: new Map(), totalLength: 0 }
  return {
    put: (resource) => put(state, resource),
    drop: (id) => drop(state, id),
    find: (query, isVisible) => find(state, query, isVisible),
  }
}

function put(state: State, resource: Resource): void {
  drop(state, resource.id)
  const terms = tokenize(textOf(resource))
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  state.entries.set(resource.id, { resource, counts, length: terms.length })
  state.totalLength += terms.length
  for (const term of counts.keys()) addId(state.byTerm, term, resource.id)
  for (const key of keysOf(resource)) addId(state.byKey, key, resource.id)
}

function drop(state: State, id: string): void {
  const entry = state.entries.get(id)
  if (!entry) return
  state.entries.delete(id)
  state.totalLength -= entry.length
  for (const term of entry.counts.keys()) removeId(state.byTerm, term, id)
  for (const key of keysOf(entry.resource)) removeId(state.byKey, key, id)
}

function addId(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key)
  if (ids) ids.add(id)
  else index.set(key, new Set([id]))
}

function removeId(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key)
  ids?.delete(id)
  if (ids?.size === 0) index.delete(key)
}

function find(state: State, query: ResourceQuery, isVisible: (resource: Resource) => boolean): IndexMatch[] {
  const terms = query.text === undefined ? [] : withoutCommon(state, [...new Set(tokenize(query.text))])
  const sets = wantedKeys(query)
    .map((key) => state.byKey.get(key) ?? new Set<string>())
    .sort((a, b) => a.size - b.size)
  const ranks = rankByText(state, terms, sets)
  const candidates = terms.length > 0 ? ranks.keys() : (sets[0] ?? state.entries.keys())
  const found: IndexMatch[] = []
  for (const id of candidates) {
    if (terms.length === 0 && !sets.every((set) => set.has(id))) continue
    const { resource } = state.entries.get(id) as Entry
    if (!meets(resource, query) || !isVisible(resource)) continue
    found.push({ resource, rank: ranks.get(id) ?? 0 })
  }
  return found.sort(compareMatches).slice(0, query.limit)
}

/** BM25 rank by id of the resources with at least one of the terms and all conditions. @param sets ids by condition, smallest first */
function rankByText({ entries, byTerm, totalLength }: State, terms: readonly string[], sets: readonly Set<string>[]): Map<string, number> {
  const [narrowest] = sets
  const ranks = new Map<string, number>()
  const meanLength = totalLength / Math.max(1, entries.size)
  for (const term of terms) {
    const ids = byTerm.get(term)
    if (!ids) continue
    const weight = Math.log(1 + (entries.size - ids.size + 0.5) / (ids.size + 0.5)) * (term.startsWith('~') ? prefixWeight : 1)
    for (const id of narrowest && narrowest.size < ids.size ? narrowest : ids) {
      const entry = entries.get(id) as Entry
      const count = entry.counts.get(term)
      if (count === undefined || !sets.every((set) => set.has(id))) continue
      const length = 1 - lengthShare + (lengthShare * entry.length) / meanLength
      ranks.set(id, (ranks.get(id) ?? 0) + weight * ((count * (saturation + 1)) / (count + saturation * length)))
    }
  }
  return ranks
}

/** The terms without very common ones, if any other term is in the index. */
function withoutCommon({ entries, byTerm }: State, terms: string[]): string[] {
  const rare = terms.filter((term) => (byTerm.get(term)?.size ?? 0) <= Math.max(commonFrom, entries.size * commonShare))
  return rare.some((term) => byTerm.has(term)) ? rare : terms
}

/** Demoted resources last; then by rank, fewer failures, and id, so that the order is deterministic. */
function compareMatches(a: IndexMatch, b: IndexMatch): number {
  if (a.resource.state !== b.resource.state) return a.resource.state === 'demoted' ? 1 : -1
  return b.rank - a.rank || a.resource.failures - b.resource.failures || (a.resource.id < b.resource.id ? -1 : 1)
}

/** Index keys of the exact conditions that a resource meets. */
function keysOf({ card }: Resource): string[] {
  const regions = card.region?.split('-').map((_, index, parts) => parts.slice(0, index + 1).join('-')) ?? []
  return [
    `kind ${card.kind}`,
    ...card.topics.map((topic) => `topic ${topic}`),
    ...regions.map((region) => `region ${region}`),
    ...new Set(card.skills.flatMap((skill) => [`skill ${skill.id}`, ...skill.outputs.map((port) => `output ${port.type}`)])),
  ]
}

function wantedKeys({ kind, topic, region, skill_id, output_type }: ResourceQuery): string[] {
  return [
    ...(kind ? [`kind ${kind}`] : []),
    ...(topic ? [`topic ${topic}`] : []),
    ...(region ? [`region ${region}`] : []),
    ...(skill_id ? [`skill ${skill_id}`] : []),
    ...(output_type ? [`output ${output_type}`] : []),
  ]
}

/** One skill must meet all conditions about skills. */
function meets({ card }: Resource, { skill_id, output_type, input_types, max_price }: ResourceQuery): boolean {
  return card.skills.some(
    (skill) =>
      (skill_id === undefined || skill.id === skill_id) &&
      (output_type === undefined || skill.outputs.some((port) => port.type === output_type)) &&
      (input_types === undefined || skill.inputs.every((port) => port.optional || input_types.includes(port.type))) &&
      (max_price === undefined || BigInt(skill.price) <= BigInt(max_price)),
  )
}

function textOf({ card }: Resource): string {
  const skills = card.skills.flatMap((skill) => [
    skill.id,
    skill.name,
    skill.name,
    skill.description,
    ...skill.tags,
    ...skill.outputs.map((port) => port.type),
  ])
  // The name counts twice, because users search by it.
  return [card.name, card.name, card.summary, ...card.topics, ...skills].join(' ')
}

/** Lower-case words, and the prefix of each long word as another term. */
export function tokenize(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .filter((word) => word.length > 1)
    .flatMap((word) => (word.length >= prefixLetters ? [word, `~${word.slice(0, prefixLetters)}`] : [word]))
}
