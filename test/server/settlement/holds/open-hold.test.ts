import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import { getHold, openHold } from '../../../../server/settlement/index.ts'
import { briefHash, createMoneyWorld, lower, type MoneyWorld, newGoalId } from '../money-world.ts'

let world: MoneyWorld
beforeAll(async () => {
  world = await createMoneyWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('openHold', () => {
  it('refuses that silence pays on the escrow where no arbitrator could stop it', async () => {
    const { system } = world
    const withoutOne = { ...system, market: { ...system.market, arbitrator: `0x${'0'.repeat(40)}` as const } }
    const input = {
      ...{ goalId: newGoalId(), rail: 'escrow' as const, client: lower(world.client.address), total: 10_250_000n, briefHash },
      ...{ workBy: Math.floor(world.clock.now().getTime() / 1_000) + 3_600, reviewSeconds: 3_600 },
    }
    const open = (onSilence?: 'pay' | 'refund' | 'split') => inTransaction(withoutOne, (tx) => openHold(tx, { ...input, onSilence }))
    for (const outcome of ['pay', 'split', undefined] as const)
      await expect(open(outcome)).rejects.toMatchObject({ code: 'hold.no_arbitrator' })
    await open('refund')
    expect(await getHold(system, input.goalId)).toMatchObject({ state: 'authorizing', onSilence: 'refund' })
    await inTransaction(system, (tx) => openHold(tx, { ...input, goalId: newGoalId() }))
  })
})
