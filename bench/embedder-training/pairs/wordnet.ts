/** Pairs of WordNet: the words of a concept with its gloss, and with the words of the concepts that it is a kind of. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Pair } from '../train-encoder.ts'

type Concept = { readonly words: string; readonly gloss: string; readonly kinds: readonly string[] }

/** `folder`: with `data.noun`, `data.verb`, `data.adj` and `data.adv`. */
export async function readWordNet(folder: string): Promise<Pair[]> {
  const concepts = new Map<string, Concept>()
  for (const part of ['noun', 'verb', 'adj', 'adv'])
    for (const line of (await readFile(path.join(folder, `data.${part}`), 'utf8')).split('\n')) {
      const [key, concept] = readConcept(line) ?? []
      if (key !== undefined && concept !== undefined) concepts.set(key, concept)
    }
  return [...concepts.values()].map(({ words, gloss, kinds }) => ({
    left: words,
    right: `${gloss} ${kinds.flatMap((key) => concepts.get(key)?.words ?? []).join(' ')}`,
  }))
}

/** A line: offset, file, type, number of words (hexadecimal), words with ids, number of pointers, pointers, `|`, gloss. */
function readConcept(line: string): [string, Concept] | null {
  if (line.startsWith(' ')) return null
  const [head = '', gloss = ''] = line.split(' | ')
  const fields = head.split(' ')
  const count = Number.parseInt(fields[3] ?? '0', 16)
  const type = fields[2] === 's' ? 'a' : fields[2]
  const words = Array.from({ length: count }, (_, at) => fields[4 + 2 * at] ?? '')
  const rest = fields.slice(4 + 2 * count + 1)
  const kinds: string[] = []
  for (let at = 0; at + 3 < rest.length; at += 4) if (rest[at] === '@') kinds.push(`${rest[at + 2]}${rest[at + 1]}`)
  if (gloss === '' || words.length === 0) return null
  return [`${type}${fields[0]}`, { words: words.join(' ').replaceAll('_', ' '), gloss, kinds: kinds.slice(0, 2) }]
}
