import { describe, expect, it } from 'vitest'
import { inviteFeedback, recordTaskOutcome } from '../../../server/reputation/index.ts'
import { openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()
const task = (n: number) => ({ taskId: `tsk_${n}`, goalId: 'gol_1', agentId: 'agt_1', amount: 5n })

describe('inviteFeedback', () => {
  it.each(['refunded', 'failed', 'expired'] as const)('takes an invitation to judge a task that was %s for a bug', async (outcome) => {
    const one = task(['refunded', 'failed', 'expired'].indexOf(outcome) + 1)
    await recordTaskOutcome(world.as(system), { ...one, payerId: '0x1', asset: 'iso4217:USD', outcome })
    await expect(inviteFeedback(world.as(system), { ...one, by: 'did:a' })).rejects.toThrow(/was not paid to/)
  })

  it('takes an invitation to judge a task that has not ended, or another agent, for a bug', async () => {
    await expect(inviteFeedback(world.as(system), { ...task(4), by: 'did:a' })).rejects.toThrow(/was not paid to/)
    await recordTaskOutcome(world.as(system), { ...task(5), payerId: '0x1', asset: 'iso4217:USD', outcome: 'paid' })
    await expect(inviteFeedback(world.as(system), { ...task(5), agentId: 'agt_2', by: 'did:a' })).rejects.toThrow(/was not paid to/)
  })

  it('invites each one served once', async () => {
    await recordTaskOutcome(world.as(system), { ...task(6), payerId: '0x1', asset: 'iso4217:USD', outcome: 'paid' })
    expect(await inviteFeedback(world.as(system), { ...task(6), by: 'did:a' })).toBe(true)
    expect(await inviteFeedback(world.as(system), { ...task(6), by: 'did:a', amount: 9n })).toBe(false)
    expect(await inviteFeedback(world.as(system), { ...task(6), by: 'did:b' })).toBe(true)
    expect(await world.db.feedbackInvite.findMany({ where: { taskId: 'tsk_6' }, orderBy: { by: 'asc' } })).toMatchObject([
      { by: 'did:a', amount: 5n },
      { by: 'did:b', amount: 5n },
    ])
  })
})
