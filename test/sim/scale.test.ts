import { describe, expect, it } from 'vitest'
import { type Costs, readCosts } from '../../bench/hub/measured-hub-costs.ts'
import { checkDelivery, type Faults, type Observations, sumNumbers } from '../../chaos/hub/check-delivery.ts'
import type { FinalObservations } from '../../sim/scale/check-delivery.ts'
import { createEventQueue } from '../../sim/scale/event-queue.ts'
import { seededRandom } from '../../sim/scale/seeded-random.ts'
import { type SimulationFigures, simulate } from '../../sim/scale/simulate.ts'
import type { Bug, Setting } from '../../sim/scale/simulation-state.ts'
import { allFaults, workloadSettingOf } from '../../sim/scale/workload-settings.ts'

const measured = readCosts()
/** The costs of a slow machine, not the last measurement: on a fast one too little happens at one moment. */
const costs: Costs = {
  ...measured,
  hub_us: { ...measured.hub_us, write: 1_400, message: 88, delivery: 11, hello: 7_000 },
  postgres_us: { ...measured.postgres_us, write: 1_220, message: 35, hello: 4_050, read: 1_110 },
  flush_ms: { base: 3.4, message: 0.035 },
}
/** Few agents that talk much and come and go, so that everything happens to everyone. */
const weather = { ...allFaults, cuts: 0.3, leaves: 0.1, moves: 0.3 }
const setting = (seed: number, bug: Bug = 'none'): Setting =>
  workloadSettingOf({ agents: 160, seconds: 8, talk: 3, seed, costs, bug, weather })

/** The same run as everything that was seen, for the checker that looks at all of it. */
function witnessed(given: Setting): { found: SimulationFigures; faults: Faults } {
  const sent = new Map<string, string[]>()
  const acks: { id: string; room: string; seq: number }[] = []
  const runs: { reader: string; room: string; after: number; got: { seq: number; id: string }[] }[] = []
  const current = new Map<number, (typeof runs)[number]>()
  const { roomSize } = given.shape
  const roomOf = (seat: number) => `${Math.floor(seat / roomSize)}`
  const ends: FinalObservations[] = []
  const found = simulate({
    ...given,
    recorder: {
      sent: (seat, message) => void (sent.get(`${seat}`)?.push(`${message}`) ?? sent.set(`${seat}`, [`${message}`])),
      acked: (seat, message, seq) => void acks.push({ id: `${message}`, room: roomOf(seat), seq }),
      began(seat, after) {
        const run = { reader: `${seat}`, room: roomOf(seat), after, got: [] }
        current.set(seat, run)
        runs.push(run)
      },
      got: (seat, seq, message) => void current.get(seat)?.got.push({ seq, id: `${message}` }),
      ended: (end) => void ends.push(end),
    },
  })
  const { logs, seatOf, active } = ends[0] as FinalObservations
  const log: Observations['log'] = logs.flatMap((room, index) =>
    room.map((id, place) => ({ room: `${index}`, seq: place + 1, id: `${id}`, sender: `${seatOf[id]}` })),
  )
  const readers = [...active.keys()].filter((seat) => active[seat] === 1).map((seat) => ({ reader: `${seat}`, room: roomOf(seat) }))
  return { found, faults: checkDelivery({ sent, acks, log, runs, readers }) }
}

describe('a mesh of hubs', () => {
  it('keeps every order under churn, by the count that goes along and by the one that looks at everything', () => {
    const { found, faults } = witnessed(setting(1))
    expect(found.faults).toEqual(faults)
    expect(sumNumbers(faults)).toBe(0)
    expect(found.unanswered).toBe(0)
    expect(found.messages).toBeGreaterThan(1_500)
    for (const happened of [found.cuts, found.moves, found.resends, found.storm_agents, found.from_log]) expect(happened).toBeGreaterThan(5)
  })

  it('is the same for the same seed, and another for another', () => {
    expect(simulate(setting(2))).toEqual(simulate(setting(2)))
    expect(simulate(setting(2))).not.toEqual(simulate(setting(3)))
  })

  it.each<[Bug, keyof Faults]>([
    ['no dedupe', 'dup_in_log'],
    ['ack before commit', 'lost_acked'],
    ['push without cursor', 'recv_gap'],
    ['two numberers', 'recv_missing'],
  ])('is caught where it has the bug: %s', (bug, figure) => {
    const { found, faults } = witnessed(setting(1, bug))
    expect(found.faults[figure], 'the count that goes along').toBeGreaterThan(0)
    expect(faults[figure], 'the one that looks at everything').toBeGreaterThan(0)
  })
})

describe('the queue of events', () => {
  it('gives them in the order of their time, and of one time as they came', () => {
    const dice = seededRandom(7)
    const queue = createEventQueue(4)
    const put = Array.from({ length: 500 }, (_, index) => ({ at: dice.below(60), index }))
    for (const { at, index } of put) queue.put(at, 1, index)
    const got = Array.from(put, () => {
      queue.next()
      return { at: queue.taken.at, index: queue.taken.a }
    })
    expect(got).toEqual([...put].sort((a, b) => a.at - b.at || a.index - b.index))
    expect(queue.next()).toBe(false)
  })
})
