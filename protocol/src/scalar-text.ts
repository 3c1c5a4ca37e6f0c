/**
 * A scalar of JSON that somebody sent, as text; empty for null, lists and objects. `String` throws for an object that brings a
 * `toString` of its own, and one such value would break whatever lists it.
 */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
