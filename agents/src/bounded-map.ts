/** A map of at most `maxSize` entries. Setting a key makes it the newest; the oldest entries are evicted. Reads do not count as use. */
export type BoundedMap<V> = {
  get(key: string): V | undefined
  set(key: string, value: V): void
  has(key: string): boolean
  delete(key: string): void
}

/** @param maxSize entries */
export function createBoundedMap<V>(maxSize: number): BoundedMap<V> {
  const map = new Map<string, V>()
  return {
    get: (key) => map.get(key),
    has: (key) => map.has(key),
    delete: (key) => void map.delete(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      for (const oldest of map.keys()) {
        if (map.size <= maxSize) break
        map.delete(oldest)
      }
    },
  }
}
