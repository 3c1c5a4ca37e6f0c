/** Finds resources by words and conditions among many: an index from each word to those that hold it, the rarer the weightier. */
import type { ResourceQuery } from '@parley/protocol'
import type { Resource } from '../resource/resource.ts'

export type IndexMatch = { readonly resource: Resource; readonly rank: number }
export type PoolIndex = {
  put(resource: Resource): void
  drop(id: string): void
  find(query: ResourceQuery, isSeen: (resource: Resource) => boolean): IndexMatch[]
}

// Of BM25: how fast a word's repetition stops counting, and how much long texts are held back.
const saturation = 1.2
const lengthShare = 0.75
/** Words that begin alike count as nearly the same: `translate` finds `translation`. */
const stemLetters = 6
const stemWeight = 0.5
/** A word that more than so many hold, and more than this share of the pool, tells little. */
const commonFrom = 20
const commonShare = 0.2

type Entry = { readonly resource: Resource; readonly counts: ReadonlyMap<string, number>; readonly length: number }

export function createPoolIndex(): PoolIndex {
  const entries = new Map<string, Entry>()
  const holders = new Map<string, Set<string>>()
  const byTopic = new Map<string, Set<string>>()
  let total = 0

  const note = (map: Map<string, Set<string>>, key: string, id: string) => {
    const set = map.get(key)
    if (set) set.add(id)
    else map.set(key, new Set([id]))
  }
  const forget = (map: Map<string, Set<string>>, key: string, id: string) => {
    const set = map.get(key)
    set?.delete(id)
    if (set?.size === 0) map.delete(key)
  }

  function drop(id: string): void {
    const entry = entries.get(id)
    if (!entry) return
    entries.delete(id)
    total -= entry.length
    for (const term of entry.counts.keys()) forget(holders, term, id)
    for (const topic of keysOf(entry.resource)) forget(byTopic, topic, id)
  }

  /** Without words that so many hold that they say nothing, where there are others. */
  function telling(terms: string[]): string[] {
    const rare = terms.filter((term) => (holders.get(term)?.size ?? 0) <= Math.max(commonFrom, entries.size * commonShare))
    return rare.some((term) => holders.has(term)) ? rare : terms
  }

  return {
    put(resource) {
      drop(resource.id)
      const terms = tokenize(textOf(resource))
      const counts = new Map<string, number>()
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
      entries.set(resource.id, { resource, counts, length: terms.length })
      total += terms.length
      for (const term of counts.keys()) note(holders, term, resource.id)
      for (const topic of keysOf(resource)) note(byTopic, topic, resource.id)
    },
    drop,
    find(query, isSeen) {
      const terms = query.text === undefined ? [] : telling([...new Set(tokenize(query.text))])
      const keys = wantedKeys(query)
      const sets = keys.map((key) => byTopic.get(key) ?? new Set<string>()).sort((a, b) => a.size - b.size)
      const [narrowest] = sets
      const ranks = new Map<string, number>()
      const mean = total / Math.max(1, entries.size)
      for (const term of terms) {
        const ids = holders.get(term)
        if (!ids) continue
        const weight = Math.log(1 + (entries.size - ids.size + 0.5) / (ids.size + 0.5)) * (term.startsWith('~') ? stemWeight : 1)
        for (const id of narrowest && narrowest.size < ids.size ? narrowest : ids) {
          const entry = entries.get(id) as Entry
          const count = entry.counts.get(term)
          if (count === undefined || !sets.every((set) => set.has(id))) continue
          const held = (count * (saturation + 1)) / (count + saturation * (1 - lengthShare + (lengthShare * entry.length) / mean))
          ranks.set(id, (ranks.get(id) ?? 0) + weight * held)
        }
      }
      const candidates = terms.length > 0 ? ranks.keys() : (sets[0] ?? entries.keys())
      const found: IndexMatch[] = []
      for (const id of candidates) {
        if (terms.length === 0 && !sets.every((set) => set.has(id))) continue
        const { resource } = entries.get(id) as Entry
        if (!meets(resource, query) || !isSeen(resource)) continue
        found.push({ resource, rank: ranks.get(id) ?? 0 })
      }
      return found.sort(compareFound).slice(0, query.limit)
    },
  }
}

/** On probation after all others; then by words, fewer failures, and at last by id, so that the same pool answers the same. */
function compareFound(a: IndexMatch, b: IndexMatch): number {
  if (a.resource.state !== b.resource.state) return a.resource.state === 'demoted' ? 1 : -1
  return b.rank - a.rank || a.resource.failures - b.resource.failures || (a.resource.id < b.resource.id ? -1 : 1)
}

/** Exact conditions that an index answers: by prefix, so that they can't be taken for one another. */
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

/** All that is asked of a skill must be met by the same one. */
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
  // The name counts twice: it is what people remember.
  return [card.name, card.name, card.summary, ...card.topics, ...skills].join(' ')
}

/** Words in lower case, and for long ones their beginning as a term of its own. */
export function tokenize(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .filter((word) => word.length > 1)
    .flatMap((word) => (word.length >= stemLetters ? [word, `~${word.slice(0, stemLetters)}`] : [word]))
}
