/** One process behind the proxy. `open`: connections that it has through it. */
export type Backend = { readonly url: string; isReady: boolean; open: number }
export type Pool = readonly Backend[]

export function backendsOf(urls: readonly string[]): Pool {
  return urls.map((url) => ({ url, isReady: true, open: 0 }))
}

/** Whose a path is. The hubs' own probes are nobody's business outside. */
export function poolFor(target: string): 'hub' | 'web' {
  const path = target.split('?', 1)[0] ?? ''
  return path === '/ioa' || path.startsWith('/ioa/') ? 'hub' : 'web'
}

/**
 * The ready one with fewest connections that was not tried yet. Where none is ready, one that is not: it may have come up
 * since it was last asked, and nothing is lost by trying.
 */
export function pickFrom(pool: Pool, tried: ReadonlySet<string>): Backend | null {
  const left = pool.filter(({ url }) => !tried.has(url))
  const ready = left.filter(({ isReady }) => isReady)
  return (ready.length > 0 ? ready : left).reduce<Backend | null>((best, one) => (best === null || one.open < best.open ? one : best), null)
}
