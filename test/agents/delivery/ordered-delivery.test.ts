import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOrderedDelivery } from '../../../agents/src/delivery/ordered-delivery.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A server in one object: it sends from wherever it is asked to, through a line that loses and repeats. */
function setUp(total: number) {
  const begun: number[] = []
  const asked: number[] = []
  const rooms = createOrderedDelivery({
    handle: async ({ seq }) => {
      begun.push(seq)
      return { finished: Promise.resolve() }
    },
    subscribe: (_group, after) => void asked.push(after),
    ack: () => true,
  })
  rooms.addRoom('r', 0)
  const deliver = (seq: number) => rooms.accept({ room_id: 'r', seq, envelope: null })
  /** Answers every received request, without loss. */
  const answer = async () => {
    for (let after = asked.shift(); after !== undefined; after = asked.shift()) {
      for (let seq = after + 1; seq <= total; seq++) deliver(seq)
      await settle()
    }
  }
  return { rooms, begun, asked, deliver, answer }
}

describe('createOrderedDelivery', () => {
  it('begins with every message once and in order, although the connection loses, repeats and reorders messages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 }), async (line) => {
        const { rooms, begun, deliver, answer } = setUp(12)
        for (const seq of line) deliver(seq)
        await settle()
        await answer()
        // What no gap has reported comes with the next message.
        for (let seq = 1; seq <= 12; seq++) deliver(seq)
        await settle()
        expect(begun).toEqual(Array.from({ length: 12 }, (_, index) => index + 1))
        rooms.stop()
      }),
      { numRuns: 200 },
    )
  })

  it('asks for a gap once, not at every message behind it', () => {
    const { rooms, asked, deliver } = setUp(9)
    for (const seq of [1, 3, 4, 5, 6]) deliver(seq)
    expect(asked).toEqual([1])
    rooms.stop()
  })

  it('leaves to the server what it can not hold, and fetches it when it has caught up', async () => {
    const gate = Promise.withResolvers<void>()
    const begun: number[] = []
    const asked: number[] = []
    const rooms = createOrderedDelivery({
      handle: async ({ seq }) => {
        begun.push(seq)
        await gate.promise
        return { finished: Promise.resolve() }
      },
      subscribe: (_group, after) => void asked.push(after),
      ack: () => true,
    })
    const taken = Array.from({ length: 1_500 }, (_, index) => rooms.accept({ room_id: 'r', seq: index + 1, envelope: null }))
    expect(taken.filter((place) => place === 'taken')).toHaveLength(1_001)
    expect(asked).toEqual([])
    gate.resolve()
    await settle()
    await settle()
    expect(begun.at(-1)).toBe(1_001)
    expect(asked).toEqual([1_001])
    rooms.stop()
  })
})
