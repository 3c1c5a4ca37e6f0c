import { describe, expect, it } from 'vitest'
import { relativeTime } from '../../../../app/_components/ui/time.tsx'
import { translate } from '../../translate.ts'

const now = new Date('2026-06-01T12:00:00Z')
const ago = (seconds: number) => relativeTime(new Date(now.getTime() - seconds * 1000), now, translate('ui.time'))

describe('relativeTime', () => {
  it.each([
    [3, 'just now'],
    [-3, 'just now'],
    [45, '45 seconds ago'],
    [119, '1 minute ago'],
    [-61, 'in 1 minute'],
    [-30, 'in 30 seconds'],
    [3_600, '1 hour ago'],
    [3 * 86_400, '3 days ago'],
    [-7_200, 'in 2 hours'],
    [86_400, 'yesterday'],
    [-71 * 3_600 - 59, 'in 71 hours'],
    [-25 * 3_600, 'in 25 hours'],
    [-72 * 3_600, 'in 3 days'],
    [40 * 86_400, 'Apr 22, 2026'],
  ])('%d s ago is “%s”', (seconds, words) => {
    expect(ago(seconds)).toBe(words)
  })
})
