import { describe, expect, it } from 'vitest'
import { composeCardDisputeEvidence, isEvidenceDue } from '../../../../server/goals/disputes/compose-card-dispute-evidence.ts'
import type { Goal } from '../../../../server/goals/goal.ts'

const day = 86_400_000
const now = new Date('2026-05-01T00:00:00.000Z')
const goal = {
  id: 'gol_1',
  clientId: 'did:pkh:eip155:1:0xc',
  text: 'Write a report.',
  criteria: [{ text: 'There is a report.' }],
  state: 'paid',
  postedAt: now,
  concludedAt: now,
  settledAt: now,
} as unknown as Goal
const message = (seq: number, sender: string, text: string) =>
  ({ seq, received_at: now.toISOString(), sender_id: sender, type: 'inform', parts: [{ kind: 'text', text }] }) as never
const facts = { goal, payouts: [], publicUrl: 'https://parley.example' }

describe('isEvidenceDue', () => {
  it('waits for the end of the work, but not into the last three days', () => {
    const running = { concludedAt: null, settledAt: null }
    expect(isEvidenceDue(running, new Date(now.getTime() + 3 * day + 1), now)).toBe(false)
    expect(isEvidenceDue(running, new Date(now.getTime() + 3 * day - 1), now)).toBe(true)
    expect(isEvidenceDue({ concludedAt: now, settledAt: null }, new Date(now.getTime() + 20 * day), now)).toBe(true)
  })
})

describe('composeCardDisputeEvidence', () => {
  it('holds what was asked for, the client’s own actions and the whole transcript', () => {
    const evidence = composeCardDisputeEvidence({
      ...facts,
      messages: [message(1, goal.clientId, 'please'), message(2, 'did:key:z', 'done')],
    })
    expect(evidence.productDescription).toContain('Write a report.')
    expect(evidence.serviceDate).toBe('2026-05-01')
    expect(evidence.activityLog).toContain('please')
    expect(evidence.activityLog).not.toContain('done')
    expect(evidence.documentation).toMatch(/#1 2026-05-01T00:00:00.000Z .*please[\s\S]*#2 .*done/)
  })

  it('is created for any kind of a data part', () => {
    const odd = { ...(message(1, 'did:key:z', 'done') as object), parts: [{ data: { kind: { toString: 1 } } }, { text: 'done' }] } as never
    expect(composeCardDisputeEvidence({ ...facts, messages: [odd] }).documentation).toContain('done')
  })

  it('keeps beginning and end within what Stripe takes, however long the transcript', () => {
    const messages = Array.from({ length: 2_000 }, (_, index) => message(index + 1, 'did:key:z', `line ${index + 1} ${'x'.repeat(390)}`))
    const { documentation } = composeCardDisputeEvidence({ ...facts, messages })
    expect(documentation.length).toBeLessThanOrEqual(20_000)
    expect(documentation).toContain('#1 ')
    expect(documentation).toContain('#2000 ')
  })
})
