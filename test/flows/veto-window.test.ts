import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getCharterApproval, getHold, getSettlementProof, listPayouts, reconcile } from '../../server/settlement/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { expectProblem } from '../support/expect-problem.ts'
import {
  acceptByAll,
  agreeTeam,
  createFundedGoal,
  doStep,
  type GoalFixture,
  newTaskId,
  stepPrice,
  vetoTeamAs,
} from '../support/goal-fixture.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

// A client that approves nothing: its team is proposed on chain, and begins and is paid only after the window in which it can veto.

const day = 86_400
let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const open = (vetoHours: number) => (client: GoalFixture['client']) =>
  world.postFundedGoal(client, { text: 'Write two short texts, please.', approves: false, vetoHours, deadlineMs: 4 * day * 1_000 })

const approval = (fixture: GoalFixture) => getCharterApproval(world.system, fixture.goal.id)
const assign = (fixture: GoalFixture) => fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: newTaskId(), step: 1 })

async function proposed(fixture: GoalFixture): Promise<void> {
  await agreeTeam(fixture)
  await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
  await world.until('the proposal on chain', async () => (await approval(fixture))?.state === 'proposed')
}

/** Time passes for the server and for the chain. */
async function warp(seconds: number): Promise<void> {
  world.clock.advance(seconds * 1_000)
  await world.chain.warp(seconds)
}

describe('a team that its client has not approved', () => {
  it('begins when the veto window is over, and is paid then', async () => {
    const fixture = await createFundedGoal(world, 'slow-', open(24))
    await proposed(fixture)
    const view = await approval(fixture)
    expect(view).toMatchObject({ state: 'proposed', version: 1, isKnown: true })
    expect((view?.payableFrom ?? 0) - Math.floor(world.clock.now().getTime() / 1_000)).toBeGreaterThan(day - 120)
    // No one works for what can still be vetoed.
    expect((await getTeam(world.system, fixture.goal.id)).recordedAt).toBeNull()
    await expectProblem(assign(fixture), 'task.blocked')
    await warp(day + 60)
    await world.until('the record', async () => (await getTeam(world.system, fixture.goal.id)).recordedAt)
    await doStep(fixture, 1, fixture.first)
    await doStep(fixture, 2, fixture.second)
    await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state }) => state)).toEqual(['paid', 'paid'])
    expect(await balanceOf(world.chain, fixture.publisher.account.address)).toBe(2n * stepPrice)
    expect(await getSettlementProof(world.system, fixture.goal.id)).toMatchObject({ charterVersion: 1, charterAuthorized: false })
  })

  it('is paid nothing once the client has vetoed it; the next team needs its approval, and all goes back without one', async () => {
    const fixture = await createFundedGoal(world, 'vetoed-', open(24))
    const before = await balanceOf(world.chain, fixture.client.account.address)
    await proposed(fixture)
    await expectProblem(
      fixture.publisher.send({ type: 'team.veto', goal_id: fixture.goal.id, version: 1, signature: `0x${'11'.repeat(65)}` }),
      'permission.denied',
    )
    await vetoTeamAs(world, fixture.client, fixture.goal.id)
    await world.until('the veto on chain', async () => (await getHold(world.system, fixture.goal.id)).charterVersion === 0)
    expect(await approval(fixture)).toMatchObject({ state: 'vetoed' })
    const next = fixture.charter({ version: 2 })
    await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: next })
    await acceptByAll(world, next, fixture.lead)
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    await warp(day + 60)
    expect(await approval(fixture)).toMatchObject({ state: 'open', version: 2 })
    await expectProblem(assign(fixture), 'task.blocked')
    await fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id, reason: 'Enough.' })
    await world.until('the refund', async () => (await world.goal(fixture.goal.id)).state === 'refunded')
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(before + fixture.goal.budget)
  })

  it('is never proposed where the client wants none but those that it approves', async () => {
    const fixture = await createFundedGoal(world, 'strict-', open(0))
    await agreeTeam(fixture)
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    await warp(600)
    expect(await approval(fixture)).toMatchObject({ state: 'open', payableFrom: null })
    expect(await world.system.db.chainTransaction.count({ where: { goalId: fixture.goal.id, purpose: 'seal' } })).toBe(0)
  })

  it('leaves books that agree', async () => {
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })
})
