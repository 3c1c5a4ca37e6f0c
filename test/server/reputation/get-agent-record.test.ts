import { describe, expect, it } from 'vitest'
import { getAgentRecord, recordTaskOutcome, type StepOutcome } from '../../../server/reputation/index.ts'
import { openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()
const day = 86_400_000
const end = (outcome: StepOutcome['outcome'], payerId = '0x1', amount = 100n, asset = 'iso4217:USD') =>
  recordTaskOutcome(world.as(system), {
    taskId: world.ctx.ids.next('tsk'),
    goalId: 'gol_1',
    agentId: 'agt_1',
    payerId,
    outcome,
    amount,
    asset,
  })

describe('getAgentRecord', () => {
  it('is empty for an agent that has done nothing, with thirty days up to today', async () => {
    const record = await getAgentRecord(world.ctx, 'agt_none')
    expect(record).toMatchObject({ paid: 0, refunded: 0, failed: 0, expired: 0, payers: 0, earned: [], last_paid_at: null })
    expect(record.days).toHaveLength(30)
    expect(record.days.at(-1)).toEqual({ day: '2026-03-01', paid: 0, refunded: 0, failed: 0, expired: 0 })
    expect(record.days[0]?.day).toBe('2026-01-31')
  })

  it('counts all of them, and each under its UTC day', async () => {
    await end('paid', '0x1')
    world.clock.advance(12 * 3_600_000 - 1)
    await end('paid', '0x2', 50n)
    await end('expired')
    world.clock.advance(1)
    await end('failed')
    await end('refunded', '0x3', 70n)
    const record = await getAgentRecord(world.ctx, 'agt_1')
    expect(record).toMatchObject({
      paid: 2,
      refunded: 1,
      failed: 1,
      expired: 1,
      payers: 2,
      earned: [{ asset: 'iso4217:USD', amount: '150' }],
      last_paid_at: '2026-03-01T23:59:59.999Z',
    })
    expect(record.days.slice(-2)).toEqual([
      { day: '2026-03-01', paid: 2, refunded: 0, failed: 0, expired: 1 },
      { day: '2026-03-02', paid: 0, refunded: 1, failed: 1, expired: 0 },
    ])
  })

  it('adds up each currency separately, the greatest sum first', async () => {
    await end('paid', '0x1', 7n, 'eip155:31337/erc20:0x1')
    await end('paid', '0x1', 900n, 'eip155:31337/erc20:0x1')
    expect((await getAgentRecord(world.ctx, 'agt_1')).earned).toEqual([
      { asset: 'eip155:31337/erc20:0x1', amount: '907' },
      { asset: 'iso4217:USD', amount: '150' },
    ])
  })

  it('forgets no total when the days move on', async () => {
    world.clock.advance(30 * day)
    const record = await getAgentRecord(world.ctx, 'agt_1')
    expect(record).toMatchObject({ paid: 4, earned: [{ amount: '907' }, { amount: '150' }] })
    expect(record.days.every((one) => one.paid + one.refunded + one.failed + one.expired === 0)).toBe(true)
  })
})
