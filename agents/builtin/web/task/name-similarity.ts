/** Similarity of names from tasks, labels, links and API documents. */

import { stemWord } from '../../stem-word.ts'

/** Synonyms on web sites in general. */
const kin: readonly (readonly string[])[] = [
  ['title', 'name', 'subject', 'headline'],
  ['text', 'description', 'body', 'content', 'message', 'details'],
  ['category', 'section', 'department', 'board', 'forum'],
  ['author', 'creator', 'user', 'reporter', 'poster', 'writer', 'starter'],
  ['price', 'cost'],
  ['quantity', 'qty', 'pieces', 'count'],
  ['label', 'tag'],
  ['state', 'status'],
  ['wishlist', 'favourites', 'favorites'],
  ['cart', 'basket', 'bag'],
  ['rating', 'stars', 'score'],
  ['delivery', 'shipping'],
  ['comment', 'reply', 'answer', 'response'],
  ['thread', 'topic', 'discussion'],
  ['issue', 'ticket'],
  ['product', 'item', 'article'],
  ['date', 'created', 'published', 'time'],
  ['assign', 'assignee'],
  ['watch', 'follow', 'subscribe'],
  ['stock', 'availability', 'inventory'],
]

const noise = new Set('a an the of to in on for and or your my our this that please is are id ids by with from'.split(' '))

const kinOf = new Map(kin.flatMap((words, index) => words.map((word) => [stemWord(word), index] as const)))

/** The stems of a name's words: `weight_grams`, `weightGrams` and "Weight (grams)" are equal. */
export function tokens(name: string): string[] {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').match(/[\p{L}]+|\d+/gu) ?? []
  const contentWords = words.filter((word) => !noise.has(word.toLowerCase()))
  return (contentWords.length > 0 ? contentWords : words).map(stemWord)
}

const meets = (a: string, b: string): number => (a === b ? 1 : kinOf.has(a) && kinOf.get(a) === kinOf.get(b) ? 0.8 : 0)

/** Similarity, 0 to 1. It is 0 unless every word of `wanted` matches, and falls with each other word of `name`. */
export function nameSimilarity(wanted: string, name: string): number {
  const [asked, there] = [tokens(wanted), tokens(name)]
  if (asked.length === 0 || there.length === 0) return 0
  let sum = 0
  for (const word of asked) {
    const best = Math.max(...there.map((other) => meets(word, other)))
    if (best === 0) return 0
    sum += best
  }
  return sum / Math.max(asked.length, there.length)
}

/** The best match with a score of at least `least`; the first of equals. */
export function findBestMatch<T>(all: readonly T[], score: (one: T) => number, min = 0.01): T | undefined {
  let best: { readonly one: T; readonly score: number } | undefined
  for (const one of all) {
    const own = score(one)
    if (own >= min && own > (best?.score ?? 0)) best = { one, score: own }
  }
  return best?.one
}

/** Equality without case and white space. */
export const isSameText = (a: string, b: string): boolean => plainText(a) === plainText(b)
const plainText = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()
