import type { Costs } from '../../bench/hub/measured-hub-costs.ts'
import { type SimulationFigures, simulate } from './simulate.ts'
import { noFaults, workloadSettingOf } from './workload-settings.ts'

export type Limit = {
  /** Messages per second of one hub at which queueing starts. */
  readonly messages_per_s: number
  readonly first: 'thread' | 'PostgreSQL'
  /** The latency of a message within the hub below and above that rate. */
  readonly at_80_percent_p99_ms: number
  readonly at_120_percent_p99_ms: number
}

const hubs = 4
const agents = 4_000
const seconds = 2
const from = 500
const step = 1.2
/** Above this latency, a message waits longer for others than for its own processing. */
const fullMs = 50
const maxTries = 30

/** Raises the load of hubs without failures until they can't keep up, and returns which part was saturated first. */
export function findThroughputLimit(costs: Costs, seed: number): Limit {
  const run = (perHub: number): SimulationFigures =>
    simulate(workloadSettingOf({ agents, hubs, seconds, seed, costs, talk: (perHub * hubs) / agents, weather: noFaults }))
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
    // A busier disk takes more in one write, so it is never the bottleneck for long.
    first: busy.hub >= busy.postgres ? 'thread' : 'PostgreSQL',
    at_80_percent_p99_ms: run(within.perHub * 0.8).hub_p99_ms,
    at_120_percent_p99_ms: run(within.perHub * 1.2).hub_p99_ms,
  }
}
