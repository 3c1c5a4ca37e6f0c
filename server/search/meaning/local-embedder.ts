/** The embedder that is part of Parley: a text is the sum of its terms' vectors. It needs no network, and microseconds per text. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { normalise, type TermCounts, type TermEmbedder } from './embedder.ts'
import { createRowSumKernel } from './row-sum-kernel.ts'
import { bucketsOf, readTermVectors, type TermVectors } from './term-vectors.ts'

/** Trained by `npm run train:embedder`. The model card is beside it. */
const weightsFile = path.join('server', 'search', 'meaning', 'weights', 'terms-1.bin')

/** @throws if the weights are missing or damaged */
export function readLocalEmbedder(): TermEmbedder {
  return createLocalEmbedder(readTermVectors(readFileSync(path.join(process.cwd(), weightsFile))))
}

export function createLocalEmbedder(weights: TermVectors): TermEmbedder {
  const { model, dimensions, terms, buckets, scales } = weights
  const codes = new Map(terms.map((term, code) => [term, code]))
  const sum = createRowSum(weights)
  return {
    model,
    dimensions,
    knows: (term) => codes.has(term),
    embedTerms(counts: TermCounts) {
      for (const [term, count] of counts) {
        const weight = 1 + Math.log(Math.max(1, count))
        const code = codes.get(term)
        if (code !== undefined) {
          sum.add(code, weight * (scales[code] as number))
          continue
        }
        const groups = bucketsOf(term, buckets)
        const share = weight / Math.sqrt(groups.length)
        for (const bucket of groups) sum.add(terms.length + bucket, share * (scales[terms.length + bucket] as number))
      }
      return normalise(sum.take())
    },
  }
}

/** The sum of weighted rows. */
type RowSum = {
  add(row: number, weight: number): void
  /** A copy of the sum, which is then zero. */
  take(): Float32Array
}

/** Rows that one call of the kernel adds. */
const rowsPerCall = 1_024
const pageBytes = 65_536

/** The rows are at the start of the kernel's memory, then the sum, then the addresses and the weights of the rows to add. */
function createRowSum({ rows, dimensions }: TermVectors): RowSum {
  const sumAt = Math.ceil(rows.length / 16) * 16
  const [addressesAt, weightsAt] = [sumAt + 4 * dimensions, sumAt + 4 * (dimensions + rowsPerCall)]
  const memory = new WebAssembly.Memory({ initial: Math.ceil((weightsAt + 4 * rowsPerCall) / pageBytes) })
  new Int8Array(memory.buffer).set(rows)
  const kernel = createRowSumKernel(memory, dimensions)
  const sum = new Float32Array(memory.buffer, sumAt, dimensions)
  const addresses = new Uint32Array(memory.buffer, addressesAt, rowsPerCall)
  const weights = new Float32Array(memory.buffer, weightsAt, rowsPerCall)
  let waiting = 0
  function flush(): void {
    kernel.addRows(waiting, addressesAt, weightsAt, sumAt)
    waiting = 0
  }
  return {
    add(row, weight) {
      addresses[waiting] = row * dimensions
      weights[waiting] = weight
      waiting++
      if (waiting === rowsPerCall) flush()
    },
    take() {
      flush()
      const taken = sum.slice()
      sum.fill(0)
      return taken
    },
  }
}
