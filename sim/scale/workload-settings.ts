import type { Costs } from '../../bench/hub/measured-hub-costs.ts'
import type { Bug, LoadAndFaults, Setting } from './simulation-state.ts'

/**
 * The load of the last year in the article that docs/capacity.md cites: 1,000 exchanges per user and day, each a request and an answer.
 * That is one message per agent every 43 seconds.
 */
export const load2032 = (1_000 * 2) / 86_400
/** Agents per hub. */
export const agentsPerHub = 10_000
const minHubs = 4

/** All faults: sockets, agents, seats, hubs, links between hubs, and repeated messages. */
export const allFaults: Omit<LoadAndFaults, 'seconds' | 'talk'> = {
  cuts: 1 / 300,
  leaves: 1 / 300,
  moves: 1 / 300,
  crashes: 0.1,
  splits: 0.5,
  duplicates: 0.02,
}
export const noFaults: Omit<LoadAndFaults, 'seconds' | 'talk'> = { cuts: 0, leaves: 0, moves: 0, crashes: 0, splits: 0, duplicates: 0 }

export type Wanted = {
  readonly agents: number
  readonly seconds: number
  readonly seed: number
  readonly costs: Costs
  readonly talk?: number
  readonly hubs?: number
  readonly bug?: Bug
  readonly weather?: Omit<LoadAndFaults, 'seconds' | 'talk'>
}

export function workloadSettingOf({
  agents,
  seconds,
  seed,
  costs,
  talk = load2032,
  hubs,
  bug = 'none',
  weather = allFaults,
}: Wanted): Setting {
  return {
    shape: {
      agents,
      hubs: hubs ?? Math.max(minHubs, Math.ceil(agents / agentsPerHub)),
      roomSize: 8,
      seatsPerAgent: 2,
      spanning: 0.3,
      hubsPerRoom: 4,
    },
    weather: { seconds, talk, ...weather },
    costs,
    seed,
    bug,
    messages: Math.ceil(agents * talk * seconds * 1.1) + 1_000,
  }
}
