/** Which skills of a listing have which of its terms, while listings are loaded. Afterwards the postings have these masks. */
import { createGrowableColumn, type GrowableColumn } from './growable-column.ts'

/** The bits of a mask are skills, by position. A listing has at most so many. */
export const maxSkills = 16
const maskRange = 2 ** maxSkills

/** `start`: by slot, where its masks begin in `items`, plus 1; 0 if it has none. They are in the order of its terms. */
export type TermSkillMasks = { start: GrowableColumn<Uint32Array>; items: GrowableColumn<Uint16Array>; used: number }

export function createTermSkillMasks(): TermSkillMasks {
  return { start: createGrowableColumn(Uint32Array), items: createGrowableColumn(Uint16Array), used: 0 }
}

/** `packed`: the terms of the slot, in the order of `values`. They are stored in ascending order. */
export function keepMasks(masks: TermSkillMasks, slot: number, packed: Uint32Array, values: Uint16Array): void {
  const both = Float64Array.from(packed, (term, position) => term * maskRange + (values[position] as number)).sort()
  masks.start.ensure(slot + 1)
  masks.items.ensure(masks.used + both.length)
  both.forEach((one, position) => {
    masks.items.data[masks.used + position] = one % maskRange
  })
  masks.start.data[slot] = masks.used + 1
  masks.used += both.length
}

/** The masks of a slot, in the order of its terms; null if it has none. */
export function keptMasks({ start, items }: TermSkillMasks, slot: number, count: number): Uint16Array | null {
  const from = (start.data[slot] ?? 0) - 1
  return from < 0 ? null : items.data.subarray(from, from + count)
}
