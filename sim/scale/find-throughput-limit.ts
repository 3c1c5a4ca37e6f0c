import type { Costs } from '../../bench/hub/costs.ts'
import { type Found, simulate } from './simulate.ts'
import { calm, workloadSettingOf } from './workload-settings.ts'

export type Limit = {
  /** Messages a second that one hub takes before they wait for one another. */
  readonly messages_per_s: number
  readonly first: 'thread' | 'PostgreSQL'
  /** What a message takes within the hub below and above that. */
  readonly at_80_percent_p99_ms: number
  readonly at_120_percent_p99_ms: number
}

const hubs = 4
const agents = 4_000
const seconds = 2
const from = 500
const step = 1.2
/** A message that takes longer within its hub waits for others more than for its own sake. */
const fullMs = 50
const maxTries = 30

/** Lets calm hubs talk more and more, without failures, until they can't keep up, and tells which part was full first. */
export function findThroughputLimit(costs: Costs, seed: number): Limit {
  const run = (perHub: number): Found =>
    simulate(workloadSettingOf({ agents, hubs, seconds, seed, costs, talk: (perHub * hubs) / agents, weather: calm }))
  let within = { perHub: from, found: run(from) }
  for (let tries = 0; tries < maxTries; tries++) {
    const perHub = within.perHub * step
    const found = run(perHub)
    if (found.hub_p99_ms > fullMs) break
    within = { perHub, found }
  }
  const { busy } = within.found
  return {
    messages_per_s: Math.round(within.found.messages / hubs / seconds),
    // A fuller disk takes more in one write: it is never what is full first for long.
    first: busy.hub >= busy.postgres ? 'thread' : 'PostgreSQL',
    at_80_percent_p99_ms: run(within.perHub * 0.8).hub_p99_ms,
    at_120_percent_p99_ms: run(within.perHub * 1.2).hub_p99_ms,
  }
}
