import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createWriteConcurrency } from '@/server/conversations/messaging/flow-control/write-concurrency.ts'

/** A pace by a clock that is moved manually, and how often the process has looked at it. */
function handPace(cores: number, polls = true) {
  const hand = { ms: 0, looks: 0, long: 0 }
  const pace = createWriteConcurrency(
    () => hand.long++,
    polls,
    cores,
    () => {
      hand.looks++
      return hand.ms
    },
  )
  /** One that took so long. */
  const write = (ms: number) => {
    const ended = pace.startWrite()
    hand.ms += ms
    ended()
  }
  /** Whether the process looks again and again at this moment. */
  const isAwake = async () => {
    hand.looks = 0
    // Turns of the event loop, not milliseconds, of which a busy machine may give it none.
    for (let turn = 0; turn < 50; turn++) await nextTurn()
    return hand.looks > 10
  }
  return { pace, hand, write, isAwake }
}

it('leaves a brief write alone where processors are few, until it has taken longer', async () => {
  const { pace, hand, isAwake } = handPace(2)
  const ended = pace.startWrite()
  expect([0, 1].map((others) => pace.mayStartWrite(others, 63))).toEqual([true, false])
  expect([1, 3, 4].map((others) => pace.mayStartWrite(others, 64))).toEqual([true, true, false])
  hand.ms += 1.1
  expect(await isAwake()).toBe(false)
  expect(hand.long).toBe(1)
  expect([1, 2].map((others) => pace.mayStartWrite(others, 63))).toEqual([true, false])
  ended()
  // After that one, the next isn't thought to be brief.
  pace.startWrite()
  expect(pace.mayStartWrite(1, 10)).toBe(true)
  const brief = handPace(2)
  brief.write(0.5)
  await pause(20)
  expect(brief.hand.long).toBe(0)
})

it('has two at a time where there are processors for both, and more where much waits', () => {
  const { pace } = handPace(4)
  pace.startWrite()
  expect([0, 1, 2].map((others) => pace.mayStartWrite(others, 63))).toEqual([true, true, false])
  expect([2, 3, 4].map((others) => pace.mayStartWrite(others, 64))).toEqual([true, true, false])
})

it('stays awake while a write is in progress, as long as a brief one takes', async () => {
  const { pace, hand, isAwake } = handPace(2)
  expect(await isAwake()).toBe(false)
  const ended = pace.startWrite()
  hand.ms += 0.9
  expect(await isAwake()).toBe(true)
  hand.ms += 0.2
  expect(await isAwake()).toBe(false)
  ended()
})

it('sleeps again when the last write has ended', async () => {
  const { pace, isAwake } = handPace(2)
  const [first, second] = [pace.startWrite(), pace.startWrite()]
  first()
  expect(await isAwake()).toBe(true)
  second()
  expect(await isAwake()).toBe(false)
})

it('sleeps where the last write was not brief, or no one else could do the work, or it is not to', async () => {
  const slow = handPace(2)
  slow.write(1.5)
  const ended = slow.pace.startWrite()
  expect(await slow.isAwake()).toBe(false)
  slow.hand.ms += 0.5
  ended()
  // That one was brief, although no one has looked for it.
  slow.pace.startWrite()
  expect(await slow.isAwake()).toBe(true)
  for (const asleep of [handPace(1), handPace(2, false)]) {
    asleep.pace.startWrite()
    expect(await asleep.isAwake()).toBe(false)
    expect([1, 2].map((others) => asleep.pace.mayStartWrite(others, 10))).toEqual([true, false])
  }
})
