import { entryStates } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { advanceEntry, type ContestEntry, type EntryEvent } from '../../../../server/goals/contest/entry.ts'

const at = new Date('2026-12-01T00:00:00Z')
const entryIn = (state: ContestEntry['state']) => ({ id: 'ent_1', state, verdict: null, reason: null, decidedAt: null }) as ContestEntry
const events = {
  replaced: { type: 'entry.replace' },
  chosen: { type: 'entry.choose', at },
  declined: { type: 'entry.decline', reason: 'Another one is better.', at },
} as const satisfies { readonly [state: string]: EntryEvent }

describe('advanceEntry', () => {
  const allowed: [from: ContestEntry['state'], to: keyof typeof events][] = [
    ['submitted', 'replaced'],
    ['submitted', 'chosen'],
    ['submitted', 'declined'],
    ['chosen', 'declined'],
    ['declined', 'chosen'],
  ]
  const all = entryStates.flatMap((from) => (Object.keys(events) as (keyof typeof events)[]).map((to) => [from, to] as const))

  it.each(all)('from %s to %s', (from, to) => {
    const move = () => advanceEntry(entryIn(from), events[to])
    if (!allowed.some(([one, other]) => one === from && other === to))
      return expect(move).toThrow(expect.objectContaining({ code: 'entry.wrong_state' }))
    expect(move()).toMatchObject({ state: to, reason: to === 'declined' ? 'Another one is better.' : null })
  })

  it('keeps the verdict of the check', () => {
    const verdict = { isPassed: false, reasons: ['It is empty.'] }
    expect(advanceEntry(entryIn('submitted'), { type: 'entry.check', verdict })).toMatchObject({ state: 'submitted', verdict })
  })
})
