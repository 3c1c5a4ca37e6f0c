/** The embedder that is part of Parley: a text is the sum of its terms' vectors. It needs no network, and microseconds per text. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { normalise, type TermCounts, type TermEmbedder } from './embedder.ts'
import { bucketsOf, readTermVectors, type TermVectors } from './term-vectors.ts'

/** Trained by `npm run train:embedder`. The model card is beside it. */
const weightsFile = path.join('server', 'search', 'meaning', 'weights', 'terms-1.bin')

/** @throws if the weights are missing or damaged */
export function readLocalEmbedder(): TermEmbedder {
  return createLocalEmbedder(readTermVectors(readFileSync(path.join(process.cwd(), weightsFile))))
}

export function createLocalEmbedder(weights: TermVectors): TermEmbedder {
  const { model, dimensions, terms, buckets } = weights
  const codes = new Map(terms.map((term, code) => [term, code]))
  return {
    model,
    dimensions,
    knows: (term) => codes.has(term),
    embedTerms(counts: TermCounts) {
      const vector = new Float32Array(dimensions)
      for (const [term, count] of counts) {
        const weight = 1 + Math.log(Math.max(1, count))
        const code = codes.get(term)
        if (code !== undefined) {
          addRow(weights, vector, code, weight)
          continue
        }
        const groups = bucketsOf(term, buckets)
        for (const bucket of groups) addRow(weights, vector, terms.length + bucket, weight / Math.sqrt(groups.length))
      }
      return normalise(vector)
    },
  }
}

function addRow({ rows, scales, dimensions }: TermVectors, vector: Float32Array, row: number, weight: number): void {
  const from = row * dimensions
  const scale = weight * (scales[row] as number)
  for (let i = 0; i < dimensions; i++) (vector[i] as number) += scale * (rows[from + i] as number)
}
