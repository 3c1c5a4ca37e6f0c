/** What ids of one kind begin with, or how they are written; null where it is none. */
export function kindOf(id: string): string | null {
  const prefix = /^([a-z]{3})_[0-9a-f]{32}$/.exec(id)?.[1]
  if (prefix) return prefix
  if (/^[0-9a-f]{64}$/.test(id)) return 'hash'
  if (/^0x[0-9a-f]{64}$/.test(id)) return '0x'
  return /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(id) ? 'uuid' : null
}
