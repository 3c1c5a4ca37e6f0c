/**
 * Request coalescing (single flight): concurrent calls share one result, against a cache stampede. Readiness checks must not be rate
 * limited, and this way they cost one query at a time.
 */
export function singleFlight<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | null = null
  return () => {
    making ??= make().finally(() => {
      making = null
    })
    return making
  }
}
