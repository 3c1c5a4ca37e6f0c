import { describe, expect, it } from 'vitest'
import { getHold, reclaimHold, submitReclaim } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { as, stranger } from '../dispute-actions.ts'
import { createMoneyWorld, drive, open, sealedGoal } from '../money-world.ts'

describe('reclaimHold', () => {
  it('is refused to who has not signed in, before the expiry, and where nothing is held', async () => {
    await using world = await createMoneyWorld()
    const [unfunded, goalId] = [await open(world), await sealedGoal(world)]
    const ask = (id: `gol_${string}`, ctx = as(world, world.client)) => reclaimHold(ctx, { type: 'hold.reclaim', goal_id: id })
    await expectProblem(ask(goalId, world.as({ kind: 'anonymous' })), 'auth.required')
    await expectProblem(ask(goalId), 'hold.wrong_state')
    await expectProblem(ask(unfunded), 'hold.wrong_state')
    expect(await world.system.db.auditEntry.count({ where: { action: 'hold.reclaim' } })).toBe(0)
  })

  it('brings the job forward for anyone, once the plan has expired', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await world.warp(4 * 3_600 + 86_400)
    const ask = () => reclaimHold(as(world, stranger(world)), { type: 'hold.reclaim', goal_id: goalId })
    expect(await ask()).toEqual({ goal_id: goalId, state: 'authorized' })
    const key = `reclaim-hold:${goalId}`
    const jobs = () => world.system.db.$queryRaw<{ at: Date }[]>`select run_at as "at" from graphile_worker.jobs where key = ${key}`
    const due = await jobs()
    expect(due).toHaveLength(1)
    expect(due[0]?.at.getTime()).toBeLessThanOrEqual(world.clock.now().getTime())
    expect(await world.system.db.auditEntry.count({ where: { action: 'hold.reclaim' } })).toBe(1)
    await submitReclaim(world.system, goalId)
    await drive(world)
    expect(await ask()).toEqual({ goal_id: goalId, state: 'reclaimed' })
    expect((await getHold(world.system, goalId)).state).toBe('reclaimed')
  })
})
