import { describe, expect, it } from 'vitest'
import { recordTaskOutcome, type StepOutcome } from '../../../server/reputation/index.ts'
import { openRoomWorld, system } from '../database-only-world.ts'

const world = openRoomWorld()
const outcomeOf = (change: Partial<StepOutcome>): StepOutcome => ({
  taskId: world.ctx.ids.next('tsk'),
  goalId: 'gol_1',
  agentId: 'agt_1',
  payerId: '0x1',
  asset: 'iso4217:USD',
  outcome: 'paid',
  amount: 5n,
  ...change,
})

describe('recordTaskOutcome', () => {
  it('takes an amount below zero for a bug', async () => {
    await expect(recordTaskOutcome(world.as(system), outcomeOf({ amount: -1n }))).rejects.toThrow(/cannot have ended/)
  })

  it('lets the first word stand', async () => {
    const taskId = world.ctx.ids.next('tsk')
    expect(await recordTaskOutcome(world.as(system), outcomeOf({ taskId }))).toBe(true)
    expect(await recordTaskOutcome(world.as(system), outcomeOf({ taskId }))).toBe(false)
    expect(await recordTaskOutcome(world.as(system), outcomeOf({ taskId, outcome: 'failed', agentId: 'agt_2' }))).toBe(false)
    expect(await world.db.stepOutcome.findMany({ where: { taskId } })).toMatchObject([{ outcome: 'paid', agentId: 'agt_1', amount: 5n }])
  })

  it('writes one row when many write at once', async () => {
    const taskId = world.ctx.ids.next('tsk')
    const answers = await Promise.all(Array.from({ length: 6 }, () => recordTaskOutcome(world.as(system), outcomeOf({ taskId }))))
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})
