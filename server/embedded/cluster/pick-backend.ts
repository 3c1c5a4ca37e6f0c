/** A process behind the proxy. `open`: its open connections through the proxy. */
export type Backend = { readonly url: string; isReady: boolean; open: number }
export type Pool = readonly Backend[]

export function backendsOf(urls: readonly string[]): Pool {
  return urls.map((url) => ({ url, isReady: true, open: 0 }))
}

/** The pool of a path. The hubs' own probes are not public. */
export function poolFor(target: string): 'hub' | 'web' {
  const path = target.split('?', 1)[0] ?? ''
  return path === '/v1' || path.startsWith('/v1/') ? 'hub' : 'web'
}

/**
 * The ready process with the fewest connections that was not tried yet. If none is ready, tries another: it may have become ready since
 * the last probe.
 */
export function pickBackend(pool: Pool, tried: ReadonlySet<string>): Backend | null {
  const left = pool.filter(({ url }) => !tried.has(url))
  const ready = left.filter(({ isReady }) => isReady)
  return (ready.length > 0 ? ready : left).reduce<Backend | null>((best, one) => (best === null || one.open < best.open ? one : best), null)
}
