import { describe, expect, it } from 'vitest'
import { isDueItem, notificationRetryDelay, settleAttempt } from '../../../../server/notifications/queue/notification-retry-policy.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const minute = 60_000

describe('notificationRetryDelay', () => {
  it('triples, up to 6 hours', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((attempts) => notificationRetryDelay(attempts) / minute)).toEqual([1, 3, 9, 27, 81, 243, 360])
  })
})

describe('settleAttempt', () => {
  const failure = { status: 500, error: 'It answered with 500.' }
  it.each([
    ['demand', 1, { status: 204, error: null }, 'sent'],
    ['demand', 7, failure, 'pending'],
    ['demand', 8, failure, 'dead'],
    ['test', 1, failure, 'dead'],
  ] as const)('of %s, attempt %i', (event, attempts, result, state) => {
    const settled = settleAttempt({ event, attempts }, result, now)
    expect(settled).toMatchObject({ ...result, state, finishedAt: state === 'pending' ? null : now })
    expect(settled.nextAttemptAt > now).toBe(state === 'pending')
  })
})

describe('isDueItem', () => {
  it('waits a quarter of an hour for the signature of a new goal, and for nothing else', () => {
    const postedAt = new Date(now.getTime() - 15 * minute + 1).toISOString()
    expect(isDueItem({ kind: 'fund', postedAt }, now)).toBe(false)
    expect(isDueItem({ kind: 'fund', postedAt }, new Date(now.getTime() + 1))).toBe(true)
    expect(isDueItem({ kind: 'review', postedAt }, now)).toBe(true)
  })
})
