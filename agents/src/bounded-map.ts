/** A map that forgets what was set longest ago. */
export type Recent<V> = {
  get(key: string): V | undefined
  set(key: string, value: V): void
  has(key: string): boolean
  delete(key: string): void
}

export function createRecent<V>(size: number): Recent<V> {
  const map = new Map<string, V>()
  return {
    get: (key) => map.get(key),
    has: (key) => map.has(key),
    delete: (key) => void map.delete(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      for (const oldest of map.keys()) {
        if (map.size <= size) break
        map.delete(oldest)
      }
    },
  }
}
