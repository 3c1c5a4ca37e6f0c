import { expect, it } from 'vitest'
import { howManyGo } from '@/server/conversations/messaging/flow-control/batch-size.ts'

it('takes what waits, in its order, up to a number and a size, and one of any size', () => {
  expect(howManyGo(0, () => 1)).toBe(0)
  expect(howManyGo(512, () => 1)).toBe(512)
  expect(howManyGo(513, () => 1)).toBe(512)
  expect(howManyGo(5, () => 700_000)).toBe(2)
  expect(howManyGo(3, () => 9_000_000)).toBe(1)
})
