/** Vectors by row, each as signed bytes for exact comparison and as one bit per dimension for a fast estimate. */
import { createVectorComparisonKernel, type VectorKernel } from './vector-comparison-kernel.ts'

export type VectorStore = {
  readonly dimensions: number
  /** Writes a unit vector. Null: the row has none, and is similar to nothing. */
  put(row: number, vector: Float32Array | null): void
  has(row: number): boolean
  /** The vector as it is stored, or null. */
  vectorOf(row: number): Float32Array | null
  /** The query of the following comparisons, until the next one. */
  setQuery(vector: Float32Array): void
  /** The cosine similarity of a row to the query. */
  similarity(row: number): number
  /** The cosine similarity of two rows, which changes no query. */
  between(a: number, b: number): number
  /** The similarities of the first `count` rows to the query. The next call overwrites it. */
  similarities(count: number): Float32Array
  /** Working memory: a score for each of the first `count` rows. The next write ends it. */
  scores(count: number): Float32Array
  /**
   * In how many dimensions the sign of each of the first `count` rows differs from the query's. It changes the rows' `scores`: each becomes
   * `share` of itself and one of `parts`. `parts`: for each distance, first for scores of 0, then for others. The next write or call ends
   * the distances.
   */
  addByDistance(count: number, share: number, parts: Float64Array): Uint16Array
}

const firstRows = 256
const pageBytes = 65_536

/** The result of one comparison is at the start of the memory, then the query's bits and bytes. */
const resultBytes = 16
/** Where the parts of the memory begin. */
type Layout = { readonly [part in 'rows' | 'parts' | 'bits' | 'bytes' | 'out' | 'scores' | 'end']: number }

type Store = {
  readonly dimensions: number
  /** A multiple of 128. */
  readonly width: number
  readonly memory: WebAssembly.Memory
  readonly kernel: VectorKernel
  layout: Layout
  scales: Float32Array
  queryScale: number
  similarities: Float32Array
}

export function createVectorStore(dimensions: number): VectorStore {
  const width = Math.ceil(dimensions / 128) * 128
  const layout = layoutOf(width, firstRows)
  const memory = new WebAssembly.Memory({ initial: Math.ceil(layout.end / pageBytes) })
  const store: Store = {
    ...{ dimensions, width, memory, kernel: createVectorComparisonKernel(memory, width), layout },
    ...{ scales: new Float32Array(firstRows), queryScale: 0, similarities: new Float32Array(0) },
  }
  const query = { bits: resultBytes, bytes: resultBytes + width / 8 }
  return {
    dimensions,
    put: (row, vector) => putVector(store, row, vector),
    has: (row) => (store.scales[row] ?? 0) !== 0,
    vectorOf: (row) => readVector(store, row),
    setQuery(vector) {
      store.queryScale = writeVector(store, vector, query)
    },
    similarity(row) {
      const { kernel, layout } = store
      if (row >= layout.rows || store.scales[row] === 0) return 0
      // Not among the results for all rows, which the caller may still read.
      kernel.products(1, layout.bytes + row * width, query.bytes, 0)
      return new DataView(memory.buffer).getInt32(0, true) * (store.scales[row] as number) * store.queryScale
    },
    between: (a, b) => similarityBetween(store, a, b),
    similarities: (count) => similaritiesOf(store, count),
    scores(count) {
      reserve(store, count)
      return new Float32Array(memory.buffer, store.layout.scores, count)
    },
    addByDistance: (count, share, parts) => addByDistance(store, count, share, parts),
  }
}

function addByDistance(store: Store, count: number, share: number, parts: Float64Array): Uint16Array {
  reserve(store, count)
  const { kernel, layout, memory, width, dimensions } = store
  // The vectors are filled up with zeros to whole words, which never differ.
  const table = new Float64Array(memory.buffer, layout.parts, 2 * (width + 1))
  table.set(parts.subarray(0, dimensions + 1))
  table.set(parts.subarray(dimensions + 1), width + 1)
  kernel.addByDistance(count, layout.bits, resultBytes, layout.out, layout.scores, layout.parts, share)
  return new Uint16Array(memory.buffer, layout.out, count)
}

function similarityBetween({ kernel, layout, scales, memory, width }: Store, a: number, b: number): number {
  const scale = (scales[a] ?? 0) * (scales[b] ?? 0)
  if (scale === 0) return 0
  kernel.products(1, layout.bytes + a * width, layout.bytes + b * width, 0)
  return new DataView(memory.buffer).getInt32(0, true) * scale
}

function layoutOf(width: number, rows: number): Layout {
  const parts = resultBytes + width / 8 + width
  const bits = parts + 16 * (width + 1)
  const bytes = bits + (rows * width) / 8
  const out = bytes + rows * width
  const scores = out + 4 * rows
  return { rows, parts, bits, bytes, out, scores, end: scores + 4 * rows }
}

function reserve(store: Store, rows: number): void {
  const { width, memory, layout } = store
  if (rows <= layout.rows) return
  const next = layoutOf(width, Math.max(rows, Math.ceil((layout.rows * 1.6) / 16) * 16))
  memory.grow(Math.max(0, Math.ceil((next.end - memory.buffer.byteLength) / pageBytes)))
  const bytes = new Uint8Array(memory.buffer)
  // Backwards, so that no part overwrites one that was not moved yet.
  bytes.copyWithin(next.bytes, layout.bytes, layout.out)
  bytes.fill(0, next.bytes + layout.rows * width, next.end)
  bytes.fill(0, layout.bytes, next.bytes)
  const scales = new Float32Array(next.rows)
  scales.set(store.scales)
  Object.assign(store, { layout: next, scales })
}

function putVector(store: Store, row: number, vector: Float32Array | null): void {
  reserve(store, row + 1)
  const { width, layout, memory } = store
  const at = { bits: layout.bits + (row * width) / 8, bytes: layout.bytes + row * width }
  if (vector === null) {
    store.scales[row] = 0
    new Uint8Array(memory.buffer).fill(0, at.bits, at.bits + width / 8).fill(0, at.bytes, at.bytes + width)
  } else store.scales[row] = writeVector(store, vector, at)
}

/** Writes both forms and returns the scale of the bytes; 0 for a vector of zeros. */
function writeVector(
  { dimensions, width, memory }: Store,
  vector: Float32Array,
  at: { readonly bits: number; readonly bytes: number },
): number {
  const bytes = new Int8Array(memory.buffer, at.bytes, width).fill(0)
  const bits = new Uint8Array(memory.buffer, at.bits, width / 8).fill(0)
  let max = 0
  for (const value of vector) max = Math.max(max, Math.abs(value))
  if (max === 0) return 0
  for (let i = 0; i < dimensions; i++) {
    const value = vector[i] as number
    bytes[i] = Math.round((value * 127) / max)
    if (value > 0) (bits[i >> 3] as number) |= 1 << (i & 7)
  }
  return max / 127
}

function readVector({ dimensions, width, memory, layout, scales }: Store, row: number): Float32Array | null {
  const scale = row < layout.rows ? (scales[row] as number) : 0
  if (scale === 0) return null
  return Float32Array.from(new Int8Array(memory.buffer, layout.bytes + row * width, dimensions), (value) => value * scale)
}

function similaritiesOf(store: Store, count: number): Float32Array {
  reserve(store, count)
  const { kernel, layout, width, memory, scales, queryScale } = store
  if (store.similarities.length < count) store.similarities = new Float32Array(layout.rows)
  kernel.products(count, layout.bytes, resultBytes + width / 8, layout.out)
  const products = new Int32Array(memory.buffer, layout.out, count)
  for (let row = 0; row < count; row++) store.similarities[row] = (products[row] as number) * (scales[row] as number) * queryScale
  return store.similarities
}
