import type { z } from 'zod'

/** The items of a stored list that match the schema. Schema evolution: an item of an older version hides itself, not the whole row. */
export function filterValidItems<T>(schema: z.ZodType<T>, stored: unknown): T[] {
  return Array.isArray(stored) ? stored.flatMap((one) => schema.safeParse(one).data ?? []) : []
}
