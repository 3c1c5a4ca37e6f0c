/** Deletes the oldest entries until at most `maxSize` are left. Maps and sets keep the order of insertion. */
export function evictOldest(entries: Map<string, unknown> | Set<string>, maxSize: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= maxSize) break
    entries.delete(oldest)
  }
}
