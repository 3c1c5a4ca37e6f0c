import type { Costs } from '../../bench/hub/costs.ts'
import { calm, settingOf } from './settings.ts'
import { type Found, simulate } from './simulate.ts'

export type Limit = {
  /** Messages a second that come into one hub's rooms when the first of its parts is busy all the time. */
  readonly messages_per_s: number
  readonly first: 'thread' | 'PostgreSQL' | 'disk'
  /** What a message takes within the hub below and above that. */
  readonly at_80_percent_p99_ms: number
  readonly at_120_percent_p99_ms: number
}

const hubs = 4
const agents = 4_000
const tried = 500

/** Lets calm hubs talk more and more, without failures, and tells which part is full first, and that it is. */
export function findLimit(costs: Costs, seed: number): Limit {
  const run = (perHub: number, seconds: number): Found =>
    simulate(settingOf({ agents, hubs, seconds, seed, costs, talk: (perHub * hubs) / agents, weather: calm }))
  const base = run(tried, 4)
  const accepted = base.messages / hubs / 4
  // The disk is left out: a fuller one takes more in one write, and is never what is full first for long.
  const parts = [
    ['thread', base.busy.hub],
    ['PostgreSQL', base.busy.postgres],
  ] as const
  const [first, busy] = parts.reduce((most, one) => (one[1] > most[1] ? one : most))
  const limit = accepted / busy
  const offered = (share: number) => run((limit * share * tried) / accepted, 3).hub_p99_ms
  return {
    messages_per_s: Math.round(limit),
    first,
    at_80_percent_p99_ms: offered(0.8),
    at_120_percent_p99_ms: offered(1.2),
  }
}
