import { describe, expect, it } from 'vitest'
import { checkDelivery, type Faults, type Observations, sumNumbers } from '../../../chaos/hub/check-delivery.ts'
import { type Bug, simulateBuggyHub } from '../../../chaos/hub/simulate-buggy-hub.ts'

/** The same run for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
const worst = (bug: Bug) => seeds.map((seed) => checkDelivery(simulateBuggyHub(bug, randomFrom(seed))))

describe('the checker', () => {
  it('finds nothing in a hub that keeps its promises, and that hub was used hard', () => {
    for (const seed of seeds) {
      const witness = simulateBuggyHub('none', randomFrom(seed))
      expect(sumNumbers(checkDelivery(witness)), `seed ${seed}: ${JSON.stringify(checkDelivery(witness))}`).toBe(0)
      expect(witness.log.length).toBeGreaterThan(300)
      expect(witness.runs.length).toBeGreaterThan(20)
    }
  })

  it.each<[Bug, (keyof Faults)[], (keyof Faults)[]]>([
    ['no dedupe', ['dup_in_log'], ['ack_diverge']],
    ['ack before commit', ['lost_acked'], []],
    ['push without cursor', ['recv_dup'], ['recv_reorder']],
  ])('catches a hub with the bug: %s', (bug, always, often) => {
    const found = worst(bug)
    for (const figure of always)
      expect(
        found.filter((faults) => faults[figure] === 0),
        `${bug}: ${figure}`,
      ).toEqual([])
    for (const figure of often) expect(found.filter((faults) => faults[figure] > 0).length, `${bug}: ${figure}`).toBeGreaterThan(5)
  })

  const sound: Observations = {
    sent: new Map([['a', ['1', '2']]]),
    acks: [{ id: '1', room: 'r', seq: 1 }],
    log: [
      { room: 'r', seq: 1, id: '1', sender: 'a' },
      { room: 'r', seq: 2, id: '2', sender: 'a' },
    ],
    runs: [
      {
        reader: 'a',
        room: 'r',
        after: 0,
        got: [
          { seq: 1, id: '1' },
          { seq: 2, id: '2' },
        ],
      },
    ],
    readers: [{ reader: 'a', room: 'r' }],
  }
  const run = (after: number, ...seqs: number[]) => ({ reader: 'a', room: 'r', after, got: seqs.map((seq) => ({ seq, id: `${seq}` })) })
  const [first, second] = sound.log as [Observations['log'][number], Observations['log'][number]]

  it.each<[keyof Faults, Partial<Observations>]>([
    ['lost_acked', { acks: [{ id: '9', room: 'r', seq: 1 }] }],
    ['dup_in_log', { log: [first, second, { ...second, seq: 3 }] }],
    ['seq_gaps', { log: [first, { ...second, seq: 3 }] }],
    [
      'ack_diverge',
      {
        acks: [
          { id: '1', room: 'r', seq: 1 },
          { id: '1', room: 'r', seq: 2 },
        ],
      },
    ],
    [
      'sender_fifo',
      {
        log: [
          { ...second, seq: 1 },
          { ...first, seq: 2 },
        ],
      },
    ],
    ['recv_missing', { runs: [run(0, 1)] }],
    ['recv_dup', { runs: [run(0, 1, 1, 2)] }],
    ['recv_reorder', { runs: [run(1, 2, 1)] }],
    ['recv_gap', { runs: [run(0, 2), run(0, 1)] }],
  ])('counts %s', (figure, change) => {
    expect(sumNumbers(checkDelivery(sound))).toBe(0)
    expect(checkDelivery({ ...sound, ...change })[figure]).toBeGreaterThan(0)
  })
})
