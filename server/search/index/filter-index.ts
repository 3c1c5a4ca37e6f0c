/** For each code the slots that have it, ascending: an inverted index for exact filters. Slots of old versions stay until the compaction. */

export type FilterIndex = {
  readonly lists: Uint32Array[]
  /** The number of used entries of each list. */
  readonly counts: number[]
}

const firstSize = 4

export function createFilterIndex(): FilterIndex {
  return { lists: [], counts: [] }
}

/** Slots are added in ascending order, once each. */
export function addSlot({ lists, counts }: FilterIndex, code: number, slot: number): void {
  const count = counts[code] ?? 0
  const list = lists[code] ?? new Uint32Array(firstSize)
  const room = count < list.length ? list : new Uint32Array(list.length * 2)
  if (room !== list) room.set(list)
  room[count] = slot
  lists[code] = room
  counts[code] = count + 1
}

export const countSlots = ({ counts }: FilterIndex, code: number): number => counts[code] ?? 0

/** The slots with a code, until the next write. */
export function slotsWith({ lists, counts }: FilterIndex, code: number): Uint32Array {
  return (lists[code] ?? new Uint32Array(0)).subarray(0, counts[code] ?? 0)
}
