/**
 * The text of a received JSON scalar; empty for null, lists and objects. `String` would call a `toString` method inside the received
 * object, and one such value would break every list that shows it.
 */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
