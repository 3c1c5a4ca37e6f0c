import { expect, it } from 'vitest'
import { batchSize } from '@/server/conversations/messaging/flow-control/batch-size.ts'

it('takes what waits, in its order, up to a number and a size, and one of any size', () => {
  expect(batchSize(0, () => 1)).toBe(0)
  expect(batchSize(512, () => 1)).toBe(512)
  expect(batchSize(513, () => 1)).toBe(512)
  expect(batchSize(5, () => 700_000)).toBe(2)
  expect(batchSize(3, () => 9_000_000)).toBe(1)
})
