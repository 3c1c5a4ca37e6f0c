import { expect, it } from 'vitest'
import { createReplayBuffer } from '../../../../server/hub/fanout/replay-buffer.ts'

const live = (roomId: string, first: number, last: number, bytes = 1) => ({
  roomId,
  first,
  last,
  bytes,
  frames: () => Buffer.alloc(0),
})

it('has what follows on a place, and nothing where that is not where something begins', () => {
  const recent = createReplayBuffer()
  for (const [first, last] of [
    [4, 4],
    [5, 9],
    [10, 10],
    [12, 13],
  ] as const)
    recent.add(live('a', first, last))
  recent.add(live('b', 1, 2))
  const found = (seq: number) => recent.after('a', seq)?.last ?? null
  expect([3, 4, 9, 11].map(found)).toEqual([4, 9, 10, 13])
  expect([0, 2, 5, 8, 10, 12, 13].map(found)).toEqual([null, null, null, null, null, null, null])
  expect(recent.after('b', 0)?.last).toBe(2)
  expect(recent.after('c', 0)).toBe(null)
  const gap = (seq: number) => recent.gapAfter('a', seq)
  expect([0, 2, 3, 7, 10, 12, 13].map(gap)).toEqual([3, 1, 0, 2, 1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
  expect(recent.gapAfter('c', 0)).toBe(Number.POSITIVE_INFINITY)
  recent.close()
})

it('forgets the oldest of all rooms first, by their bytes and by their time', () => {
  let at = 0
  const recent = createReplayBuffer(100, () => at)
  recent.add(live('a', 1, 1, 60))
  recent.add(live('b', 1, 1, 30))
  recent.add(live('a', 2, 2, 60))
  expect(recent.after('a', 0)).toBe(null)
  expect(recent.after('b', 0)).not.toBe(null)
  expect(recent.after('a', 1)).not.toBe(null)
  at = 2_001
  recent.add(live('c', 1, 1))
  expect([recent.after('a', 1), recent.after('b', 0)]).toEqual([null, null])
  expect(recent.after('c', 0)).not.toBe(null)
  recent.close()
})
