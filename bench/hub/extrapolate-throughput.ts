/** What one message costs in microseconds of CPU: of all hubs together, and of PostgreSQL. */
export type Cost = { readonly hub: number; readonly postgres: number }

export type Projection = {
  /** How many times what one hub carries two carry, each on a core of its own, as long as PostgreSQL keeps up. */
  readonly gain: number
  /** Messages per second that two hubs carry by that. */
  readonly two_hubs_per_s: number
  /** Cores of PostgreSQL that are full then. */
  readonly postgres_cores: number
  /** Messages per second at which one core of PostgreSQL is full. */
  readonly postgres_core_per_s: number
}

const second = 1e6

/** From what was measured on shared cores to hubs that have a core each. */
export function extrapolateThroughput(one: Cost, two: Cost): Projection {
  const perSecond = (2 * second) / two.hub
  return {
    gain: Number((perSecond / (second / one.hub)).toFixed(2)),
    two_hubs_per_s: Math.round(perSecond),
    postgres_cores: Number(((perSecond * two.postgres) / second).toFixed(2)),
    postgres_core_per_s: Math.round(second / two.postgres),
  }
}
