/**
 * The weights of the local embedder: one vector for each known term, and buckets of letter groups for all other terms. A vector is stored
 * as signed bytes with one scale.
 */

export type TermVectors = {
  readonly model: string
  readonly dimensions: number
  readonly terms: readonly string[]
  readonly buckets: number
  /** By row: the terms in their order, then the buckets. */
  readonly scales: Float32Array
  readonly rows: Int8Array
}

const magic = 0x31_45_4d_50
const headerBytes = 24

/** @throws if the file is not what `writeTermVectors` wrote */
export function readTermVectors(bytes: Uint8Array): TermVectors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [found, dimensions, count, buckets, modelBytes, termBytes] = Array.from({ length: 6 }, (_, at) => view.getUint32(4 * at, true)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const rows = count + buckets
  const scalesAt = headerBytes + modelBytes + termBytes
  if (found !== magic || bytes.length !== scalesAt + 4 * rows + rows * dimensions)
    throw new Error('The weights of the embedder are damaged. Restore the file, or train it again with npm run train:embedder.')
  const text = (from: number, length: number) => new TextDecoder().decode(bytes.subarray(from, from + length))
  // A copy, which begins at a multiple of four: `slice` of a Buffer is none.
  const values = new Uint8Array(bytes.subarray(scalesAt))
  return {
    ...{ model: text(headerBytes, modelBytes), dimensions, buckets },
    terms: text(headerBytes + modelBytes, termBytes).split('\n'),
    scales: new Float32Array(values.buffer, 0, rows),
    rows: new Int8Array(values.buffer, 4 * rows, rows * dimensions),
  }
}

export function writeTermVectors({ model, dimensions, terms, buckets, scales, rows }: TermVectors): Uint8Array {
  const [name, words] = [Buffer.from(model), Buffer.from(terms.join('\n'))]
  const header = Buffer.alloc(headerBytes)
  for (const [at, value] of [magic, dimensions, terms.length, buckets, name.length, words.length].entries())
    header.writeUInt32LE(value, 4 * at)
  return Buffer.concat([
    header,
    name,
    words,
    Buffer.from(scales.buffer, scales.byteOffset, scales.byteLength),
    Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength),
  ])
}

const minGroup = 3
const maxGroup = 5

/** The buckets of a term's letter groups: all runs of three to five letters, with marks for start and end. */
export function bucketsOf(term: string, buckets: number): number[] {
  const marked = `<${term}>`
  const found: number[] = []
  for (let size = minGroup; size <= maxGroup; size++)
    for (let at = 0; at + size <= marked.length; at++) {
      let hash = 0x811c9dc5
      for (let i = at; i < at + size; i++) hash = Math.imul(hash ^ marked.charCodeAt(i), 0x01000193)
      hash ^= hash >>> 15
      found.push((hash >>> 0) % buckets)
    }
  return found
}
