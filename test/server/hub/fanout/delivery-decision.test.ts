import { expect, it } from 'vitest'
import { decideDelivery, isNewHead } from '@/server/hub/fanout/delivery-decision.ts'

it('pushes what follows directly on what a reader has, and lets it read all else', () => {
  expect(decideDelivery(4, false, 5, 6)).toBe('push')
  expect(decideDelivery(3, false, 5, 6)).toBe('catch_up')
  expect(decideDelivery(5, false, 5, 6)).toBe('catch_up')
  expect(decideDelivery(4, true, 5, 6)).toBe('catch_up')
  expect(decideDelivery(6, false, 5, 6)).toBe('skip')
  expect(decideDelivery(9, true, 5, 6)).toBe('skip')
})

it('lets a signal without a number, or with a later one, be looked into', () => {
  expect([isNewHead(4, undefined), isNewHead(4, 5), isNewHead(5, 5)]).toEqual([true, true, false])
})
