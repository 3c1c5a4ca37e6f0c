/** Copies an index without the slots of old versions, in small steps between queries. */
import { createListingIndex, finishLoading, type ListingIndex, putRecord, recordOf } from './listing-index.ts'

/** An index is compacted if old versions are more than a quarter of it, and more than this many. */
const minOld = 2_000
const slotsPerStep = 100

export function needsCompaction({ slots, live }: ListingIndex): boolean {
  return slots - live > Math.max(minOld, slots / 4)
}

export type Compaction = {
  readonly target: ListingIndex
  /** Does one step. True when the target is complete. */
  step(): boolean
}

/** Until it is complete, removals must be applied to both indexes. New listings go to the source only and are copied at the end. */
export function startCompaction(source: ListingIndex): Compaction {
  const target = createListingIndex(source.vectors?.embedder)
  target.isLoading = true
  const steps = copySlots(source, target)
  return { target, step: () => steps.next().done === true }
}

function* copySlots(source: ListingIndex, target: ListingIndex): Generator<void> {
  for (let slot = 0; slot < source.slots; slot++) {
    if (source.columns.isLive.data[slot] === 1) putRecord(target, recordOf(source, slot))
    if (slot % slotsPerStep === slotsPerStep - 1) yield
  }
  const copied = source.slots
  for (const _ of finishLoading(target)) yield
  // Those that were put in the meantime.
  for (let slot = copied; slot < source.slots; slot++) if (source.columns.isLive.data[slot] === 1) putRecord(target, recordOf(source, slot))
}
