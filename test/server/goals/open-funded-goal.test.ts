import { newMessageId } from '@parley/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listGoals, openFundedGoal } from '../../../server/goals/index.ts'
import { getFundingTerms, getHold } from '../../../server/settlement/index.ts'
import { countAudit } from '../../support/goal-fixture.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('openFundedGoal', () => {
  it('leaves a goal alone whose hold is not on chain', async () => {
    const client = await world.person({ usdc: 0n })
    const goal = {
      text: 'A goal without its money.',
      criteria: [{ text: 'None.' }],
      budget: '5000000',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
    }
    const { goal_id } = await client.send<{ goal_id: string }>({ type: 'goal.post', id: newMessageId(), goal })
    expect((await world.goal(goal_id)).state).toBe('funding')
    expect((await listGoals(world.world.contextFor({ kind: 'anonymous' }), { limit: 10 })).goals).toEqual([])
  })
  it('makes a funded goal public once, and a private one known to its client only', async () => {
    const client = await world.person()
    const open = await world.postFundedGoal(client, { text: 'A goal for everyone to see.' })
    const hidden = await world.postFundedGoal(client, { text: 'A goal for nobody to see.', visibility: 'private' })
    await openFundedGoal(world.system, open.id)
    expect(await countAudit({ world }, open.id, 'goal.open')).toBe(1)
    const anyone = world.world.contextFor({ kind: 'anonymous' })
    expect((await listGoals(anyone, { limit: 10 })).goals.map((goal) => goal.id)).toEqual([open.id])
    expect((await listGoals(client.ctx, { limit: 10, mine: true })).goals.map((goal) => goal.id).sort()).toEqual(
      [open.id, hidden.id].sort(),
    )
  })
  it('sends the money back where the goal was canceled while the funding was in flight', async () => {
    const client = await world.person()
    const goal = {
      text: 'A goal that is regretted.',
      criteria: [{ text: 'None.' }],
      budget: '5000000',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
    }
    const { goal_id } = await client.send<{ goal_id: string }>({ type: 'goal.post', id: newMessageId(), goal })
    const funding = await getFundingTerms(client.ctx, goal_id)
    const signature = await client.account.signTypedData(funding.typedData as Parameters<typeof client.account.signTypedData>[0])
    await world.system.db.goal.update({ where: { id: goal_id }, data: { state: 'canceled' } })
    await client.send({ type: 'hold.authorize', goal_id, signature })
    await world.until('the refund', async () => (await getHold(world.system, goal_id)).state === 'voided')
    expect(await balanceOf(world.chain, client.account.address)).toBe(1_000_000_000n)
    expect((await world.goal(goal_id)).state).toBe('canceled')
  })
})
