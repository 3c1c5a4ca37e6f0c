import { expect, it } from 'vitest'
import { isNews, wayTo } from '@/server/hub/fanout/delivery-decision.ts'

it('pushes what follows directly on what a reader has, and lets it read all else', () => {
  expect(wayTo(4, false, 5, 6)).toBe('push')
  expect(wayTo(3, false, 5, 6)).toBe('read')
  expect(wayTo(5, false, 5, 6)).toBe('read')
  expect(wayTo(4, true, 5, 6)).toBe('read')
  expect(wayTo(6, false, 5, 6)).toBe('has')
  expect(wayTo(9, true, 5, 6)).toBe('has')
})

it('lets a signal without a number, or with a later one, be looked into', () => {
  expect([isNews(4, undefined), isNews(4, 5), isNews(5, 5)]).toEqual([true, true, false])
})
