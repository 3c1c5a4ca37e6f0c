/** Plain BM25 on the whole text of each listing, without weights of fields: the reference of the quality figures. */
import type { SourceListing } from '../../../server/search/index/index-record.ts'
import { queryWords, termOf, wordsOf } from '../../../server/search/text/tokenize.ts'

const [saturation, lengthEffect] = [1.2, 0.75]

export type PlainBm25 = { find(text: string, count: number): string[] }

export function createPlainBm25(listings: readonly SourceListing[]): PlainBm25 {
  const postings = new Map<string, [position: number, count: number][]>()
  const lengths = listings.map((listing, position) => {
    const terms = wordsOf(textOf(listing)).map(termOf).filter(Boolean)
    for (const [term, all] of Map.groupBy(terms, (one) => one)) {
      const list = postings.get(term) ?? []
      list.push([position, all.length])
      postings.set(term, list)
    }
    return terms.length
  })
  const meanLength = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length)
  return {
    find(text, count) {
      const scores = new Map<number, number>()
      for (const { term } of queryWords(text)) {
        const list = postings.get(term) ?? []
        const weight = Math.log(1 + (listings.length - list.length + 0.5) / (list.length + 0.5))
        for (const [position, times] of list) {
          const norm = saturation * (1 - lengthEffect + (lengthEffect * (lengths[position] as number)) / meanLength)
          scores.set(position, (scores.get(position) ?? 0) + (weight * times * (saturation + 1)) / (times + norm))
        }
      }
      const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, count)
      return best.map(([position]) => listings[position]?.agentId ?? '')
    },
  }
}

function textOf({ name, summary, skills }: SourceListing): string {
  return [name, summary, ...skills.flatMap((skill) => [skill.name, skill.description, ...skill.tags])].join(' ')
}
