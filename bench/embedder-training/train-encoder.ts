/**
 * Trains one encoder for queries and listings. The vector of a text is the normalised sum of its terms' vectors. In each step the encoder
 * learns to find each text's partner among all partners of a batch of pairs (in-batch softmax, both directions).
 */
import { bucketsOf, type TermVectors } from '../../server/search/meaning/term-vectors.ts'
import { termOf, wordsOf } from '../../server/search/text/tokenize.ts'
import { createTrainingKernel, type TrainingKernel } from './training-kernel.ts'

/** `group`: pairs of the same group are no negatives of each other. */
export type Pair = { readonly left: string; readonly right: string; readonly group?: string }
/** Pairs of one kind. Batches are of one source, so that negatives are alike. `share`: of its pairs, how many an epoch takes. */
export type PairSource = { readonly name: string; readonly share: number; pairs(epoch: number): readonly Pair[] }

export type TrainingSettings = {
  readonly dimensions: number
  readonly maxTerms: number
  readonly buckets: number
  readonly epochs: number
  readonly batch: number
  readonly temperature: number
  readonly rate: number
  /** How often a known term is taken for an unknown one, so that the buckets learn. */
  readonly dropout: number
  /** How often a term of a text is left out, so that texts without common terms become alike. */
  readonly omission: number
}

export type Random = () => number
/** Mulberry32: the same numbers on every machine. */
export function createUniform(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Rows of the table with their weights. */
type SparseText = { readonly rows: Int32Array; readonly weights: Float32Array }

/** `table`: a vector for each term, then for each bucket. The addresses are those in the kernel's memory, of 32-bit floats. */
export type Encoder = {
  readonly settings: TrainingSettings
  readonly terms: readonly string[]
  readonly codes: ReadonlyMap<string, number>
  readonly random: Random
  readonly kernel: TrainingKernel
  readonly table: Float32Array
  readonly squaresAt: number
  readonly sides: readonly [Side, Side]
  readonly logits: Float32Array
  readonly slope: Float32Array
}
/** The vectors of one side of a batch, their lengths before normalisation, and the slopes of the loss. */
type Side = { readonly vectors: Float32Array; readonly lengths: Float32Array; readonly slopes: Float32Array }

/** Chooses the terms by frequency. Starts from random directions, longer for rarer terms: texts with common rare terms are near at once. */
export function createEncoder(texts: Iterable<string>, settings: TrainingSettings): Encoder {
  const frequency = new Map<string, number>()
  let count = 0
  for (const text of texts) {
    count++
    for (const term of new Set(wordsOf(text).map(termOf))) if (term !== '') frequency.set(term, (frequency.get(term) ?? 0) + 1)
  }
  const terms = [...frequency]
    .filter(([, times]) => times > 1)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, settings.maxTerms)
  const encoder = allocate(
    terms.map(([term]) => term),
    settings,
  )
  const { dimensions } = settings
  for (let row = 0; row < encoder.table.length / dimensions; row++) {
    const times = terms[row]?.[1] ?? 1
    const length = row < terms.length ? Math.log(1 + count / times) / 8 : 0.5
    for (let i = 0; i < dimensions; i++) encoder.table[row * dimensions + i] = (length * gauss(encoder.random)) / Math.sqrt(dimensions)
  }
  return encoder
}

function allocate(terms: readonly string[], settings: TrainingSettings): Encoder {
  const { dimensions, buckets, batch } = settings
  const rows = terms.length + buckets
  const floats = 2 * rows * dimensions + 4 * batch * dimensions + batch * batch + dimensions
  const memory = new WebAssembly.Memory({ initial: Math.ceil((4 * floats) / 65_536) })
  let used = 0
  const take = (length: number) => {
    const floats = new Float32Array(memory.buffer, used, length)
    used += 4 * length
    return floats
  }
  const takeSide = () => ({ vectors: take(batch * dimensions), slopes: take(batch * dimensions), lengths: new Float32Array(batch) })
  const squares = take(rows * dimensions).fill(1e-6)
  return {
    ...{ settings, terms, random: createUniform(7), kernel: createTrainingKernel(memory, dimensions) },
    ...{ table: take(rows * dimensions), squaresAt: squares.byteOffset, sides: [takeSide(), takeSide()] },
    ...{ logits: take(batch * batch), slope: take(dimensions), codes: new Map(terms.map((term, code) => [term, code])) },
  }
}

function gauss(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) {
    const term = termOf(word)
    if (term !== '') counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}

/** The terms of pairs that come again in the next epoch. */
const counted = new WeakMap<Pair, { readonly left: Map<string, number>; readonly right: Map<string, number> }>()

function termsOf(pair: Pair, side: 'left' | 'right'): Map<string, number> {
  const known = counted.get(pair) ?? { left: countTerms(pair.left), right: countTerms(pair.right) }
  counted.set(pair, known)
  return known[side]
}

function toSparse({ codes, terms, settings, random }: Encoder, counts: ReadonlyMap<string, number>): SparseText {
  const { dropout, omission } = settings
  const [rows, weights] = [[] as number[], [] as number[]]
  for (const [term, count] of counts) {
    // A text keeps at least one term.
    if (rows.length > 0 && random() < omission) continue
    const weight = 1 + Math.log(count)
    const code = codes.get(term)
    if (code !== undefined && random() >= dropout) {
      rows.push(code)
      weights.push(weight)
      continue
    }
    const groups = bucketsOf(term, settings.buckets)
    for (const bucket of groups) {
      rows.push(terms.length + bucket)
      weights.push(weight / Math.sqrt(groups.length))
    }
  }
  return { rows: Int32Array.from(rows), weights: Float32Array.from(weights) }
}

/** Writes a text's vector as the `row`-th of a side. */
function encodeInto({ table, kernel, settings: { dimensions } }: Encoder, text: SparseText, { vectors, lengths }: Side, row: number): void {
  const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions).fill(0)
  text.rows.forEach((one, at) => {
    kernel.addScaled(vector.byteOffset, table.byteOffset + 4 * one * dimensions, text.weights[at] as number)
  })
  let sum = 1e-12
  for (const value of vector) sum += value * value
  const length = Math.sqrt(sum)
  for (let i = 0; i < dimensions; i++) (vector[i] as number) /= length
  lengths[row] = length
}

/** One step on a batch. Returns the loss. */
export function trainBatch(encoder: Encoder, pairs: readonly Pair[]): number {
  const { sides, logits, kernel, settings } = encoder
  const { dimensions, temperature } = settings
  const size = pairs.length
  const texts = (['left', 'right'] as const).map((name) => pairs.map((pair) => toSparse(encoder, termsOf(pair, name))))
  sides.forEach((side, at) => {
    side.slopes.fill(0)
    for (const [row, text] of (texts[at] as SparseText[]).entries()) encodeInto(encoder, text, side, row)
  })
  const [left, right] = sides
  for (let row = 0; row < size; row++)
    kernel.products(size, right.vectors.byteOffset, left.vectors.byteOffset + 4 * row * dimensions, logits.byteOffset + 4 * row * size)
  for (let at = 0; at < size * size; at++) (logits[at] as number) /= temperature
  pairs.forEach(({ group }, row) => {
    if (group === undefined) return
    for (let other = 0; other < size; other++) if (other !== row && pairs[other]?.group === group) logits[row * size + other] = -1e9
  })
  const { slopes, loss } = softmaxSlopes(logits, size)
  addSlopes(encoder, slopes, size)
  sides.forEach((side, at) => {
    for (const [row, text] of (texts[at] as SparseText[]).entries()) step(encoder, text, side, row)
  })
  return loss
}

/** The slopes of the mean loss of both directions by each logit. */
function softmaxSlopes(logits: Float32Array, size: number): { slopes: Float32Array; loss: number } {
  const slopes = new Float32Array(size * size)
  let loss = 0
  for (const [across, along] of [
    [1, size],
    [size, 1],
  ] as const)
    for (let line = 0; line < size; line++) {
      const shares = softmax(Float32Array.from({ length: size }, (_, k) => logits[line * along + k * across] as number))
      shares[line] = (shares[line] as number) - 1
      loss -= Math.log(1 + 1e-12 + (shares[line] as number)) / (2 * size)
      for (let k = 0; k < size; k++) (slopes[line * along + k * across] as number) += (shares[k] as number) / (2 * size)
    }
  return { slopes, loss }
}

function softmax(values: Float32Array): Float32Array {
  let max = -Infinity
  for (const value of values) if (value > max) max = value
  let sum = 0
  for (let k = 0; k < values.length; k++) sum += values[k] = Math.exp((values[k] as number) - max)
  for (let k = 0; k < values.length; k++) (values[k] as number) /= sum
  return values
}

/** A pair of texts with a smaller share of the loss teaches next to nothing, and costs as much as the others. */
const minShare = 0.0005

function addSlopes(
  { kernel, sides: [left, right], settings: { dimensions, temperature } }: Encoder,
  slopes: Float32Array,
  size: number,
): void {
  for (let row = 0; row < size; row++)
    for (let other = 0; other < size; other++) {
      const slope = slopes[row * size + other] as number
      if (Math.abs(slope) * size < minShare) continue
      const [at, to] = [4 * row * dimensions, 4 * other * dimensions]
      kernel.addScaled(left.slopes.byteOffset + at, right.vectors.byteOffset + to, slope / temperature)
      kernel.addScaled(right.slopes.byteOffset + to, left.vectors.byteOffset + at, slope / temperature)
    }
}

/** Adagrad on the rows of one text, through the normalisation. */
function step(encoder: Encoder, { rows, weights }: SparseText, { vectors, lengths, slopes }: Side, row: number): void {
  const { kernel, table, squaresAt, slope } = encoder
  const { dimensions, rate } = encoder.settings
  const at = row * dimensions
  let along = 0
  for (let i = at; i < at + dimensions; i++) along += (slopes[i] as number) * (vectors[i] as number)
  const length = lengths[row] as number
  for (let i = 0; i < dimensions; i++) slope[i] = ((slopes[at + i] as number) - along * (vectors[at + i] as number)) / length
  rows.forEach((one, k) => {
    const offset = 4 * one * dimensions
    kernel.adagrad(table.byteOffset + offset, squaresAt + offset, slope.byteOffset, weights[k] as number, rate)
  })
}

/** Takes the pairs of all sources in batches, in a random order. `log`: after each epoch. */
export function trainEncoder(encoder: Encoder, sources: readonly PairSource[], log: (line: string) => void): void {
  const { settings, random } = encoder
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    const begun = performance.now()
    const batches = sources.flatMap(({ name, share, pairs }) => {
      const all = shuffle([...pairs(epoch)], random)
      const taken = all.slice(0, Math.round(all.length * share))
      return Array.from({ length: Math.floor(taken.length / settings.batch) }, (_, at) => ({
        name,
        pairs: taken.slice(at * settings.batch, (at + 1) * settings.batch),
      }))
    })
    const losses = new Map<string, { sum: number; count: number }>()
    for (const { name, pairs } of shuffle(batches, random)) {
      const one = losses.get(name) ?? { sum: 0, count: 0 }
      losses.set(name, { sum: one.sum + trainBatch(encoder, pairs), count: one.count + 1 })
    }
    const shown = [...losses].map(([name, { sum, count }]) => `${name} ${(sum / count).toFixed(3)}`)
    log(`epoch ${epoch + 1}: loss ${shown.join(', ')}; ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
  }
}

function shuffle<T>(list: T[], random: Random): T[] {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other] as T, list[at] as T]
  }
  return list
}

/** The table with each row as signed bytes. */
export function toTermVectors({ table, terms, settings: { dimensions, buckets } }: Encoder, model: string): TermVectors {
  const count = terms.length + buckets
  const [scales, rows] = [new Float32Array(count), new Int8Array(count * dimensions)]
  for (let row = 0; row < count; row++) {
    let max = 1e-9
    for (let i = row * dimensions; i < (row + 1) * dimensions; i++) max = Math.max(max, Math.abs(table[i] as number))
    scales[row] = max / 127
    for (let i = row * dimensions; i < (row + 1) * dimensions; i++) rows[i] = Math.round(((table[i] as number) * 127) / max)
  }
  return { model, dimensions, terms, buckets, scales, rows }
}
