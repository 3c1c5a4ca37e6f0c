/** The vectors of an index: one of each listing's texts, by slot, and those that agents publish of themselves. */
import type { Embedder } from '../meaning/embedder.ts'
import { createVectorStore, type VectorStore } from '../meaning/vector-store.ts'
import type { AdvertisedVector, IndexRecord } from './index-record.ts'

export type ListingVectors = {
  readonly embedder: Embedder
  readonly ofTexts: VectorStore
  /** By row. `slots`: the slot of each row. Few agents have one. */
  readonly advertised: VectorStore
  readonly slots: number[]
  readonly rowOf: Map<number, number>
}

export function createListingVectors(embedder: Embedder): ListingVectors {
  const { dimensions } = embedder
  return { embedder, ofTexts: createVectorStore(dimensions), advertised: createVectorStore(dimensions), slots: [], rowOf: new Map() }
}

/** Vectors of another space are left out. */
export function putVectors(
  vectors: ListingVectors,
  slot: number,
  { vector, advertised }: Pick<IndexRecord, 'vector' | 'advertised'>,
): void {
  const { embedder } = vectors
  vectors.ofTexts.put(slot, vector?.length === embedder.dimensions ? vector : null)
  if (advertised?.model !== embedder.model || advertised.values.length !== embedder.dimensions) return
  const row = vectors.slots.length
  vectors.advertised.put(row, advertised.values)
  vectors.slots.push(slot)
  vectors.rowOf.set(slot, row)
}

/** The vector that the agent publishes of itself, as it is stored. */
export function advertisedOf({ embedder, advertised, rowOf }: ListingVectors, slot: number): AdvertisedVector | null {
  const row = rowOf.get(slot)
  const values = row === undefined ? null : advertised.vectorOf(row)
  return values && { model: embedder.model, values }
}
