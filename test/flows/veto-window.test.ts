import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getApproval, getHold, getSettlementProof, listPayouts, reconcile } from '../../server/settlement/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { balanceOf } from '../support/money.ts'
import { acceptByAll, agreeTeam, doStep, newTaskId, type Stage, setStage, stepPrice, vetoTeamAs } from '../support/stage.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

// A client that approves nothing: its team is proposed on chain, and begins and is paid only after the window in which it can veto.

const day = 86_400
let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const open = (vetoHours: number) => (client: Stage['client']) =>
  world.postFundedGoal(client, { text: 'Write two short texts, please.', approves: false, vetoHours, deadlineMs: 4 * day * 1_000 })

const approval = (stage: Stage) => getApproval(world.system, stage.goal.id)
const assign = (stage: Stage) => stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: newTaskId(), step: 1 })

async function proposed(stage: Stage): Promise<void> {
  await agreeTeam(stage)
  await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
  await world.until('the proposal on chain', async () => (await approval(stage))?.state === 'proposed')
}

/** Time passes for the server and for the chain. */
async function warp(seconds: number): Promise<void> {
  world.clock.advance(seconds * 1_000)
  await world.chain.warp(seconds)
}

describe('a team that its client has not approved', () => {
  it('begins when the veto window is over, and is paid then', async () => {
    const stage = await setStage(world, 'slow-', open(24))
    await proposed(stage)
    const view = await approval(stage)
    expect(view).toMatchObject({ state: 'proposed', version: 1, isKnown: true })
    expect((view?.payableFrom ?? 0) - Math.floor(world.clock.now().getTime() / 1_000)).toBeGreaterThan(day - 120)
    // Nobody works for what can still be vetoed.
    expect((await getTeam(world.system, stage.goal.id)).recordedAt).toBeNull()
    await expectProblem(assign(stage), 'task.blocked')
    await warp(day + 60)
    await world.until('the record', async () => (await getTeam(world.system, stage.goal.id)).recordedAt)
    await doStep(stage, 1, stage.first)
    await doStep(stage, 2, stage.second)
    await stage.lead.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id })
    await world.until('the payment', async () => (await world.goal(stage.goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: stage.goal.id })).map(({ state }) => state)).toEqual(['paid', 'paid'])
    expect(await balanceOf(world.chain, stage.publisher.account.address)).toBe(2n * stepPrice)
    expect(await getSettlementProof(world.system, stage.goal.id)).toMatchObject({ charterVersion: 1, charterAuthorized: false })
  })

  it('is paid nothing once the client has vetoed it; the next team needs its approval, and all goes back without one', async () => {
    const stage = await setStage(world, 'vetoed-', open(24))
    const before = await balanceOf(world.chain, stage.client.account.address)
    await proposed(stage)
    await expectProblem(
      stage.publisher.send({ type: 'team.veto', goal_id: stage.goal.id, version: 1, signature: `0x${'11'.repeat(65)}` }),
      'permission.denied',
    )
    await vetoTeamAs(world, stage.client, stage.goal.id)
    await world.until('the veto on chain', async () => (await getHold(world.system, stage.goal.id)).charterVersion === 0)
    expect(await approval(stage)).toMatchObject({ state: 'vetoed' })
    const next = stage.charter({ version: 2 })
    await stage.lead.send({ type: 'team.propose', goal_id: stage.goal.id, charter: next })
    await acceptByAll(world, next, stage.lead)
    await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
    await warp(day + 60)
    expect(await approval(stage)).toMatchObject({ state: 'open', version: 2 })
    await expectProblem(assign(stage), 'task.blocked')
    await stage.client.send({ type: 'goal.cancel', goal_id: stage.goal.id, reason: 'Enough.' })
    await world.until('the refund', async () => (await world.goal(stage.goal.id)).state === 'refunded')
    expect(await balanceOf(world.chain, stage.client.account.address)).toBe(before + stage.goal.budget)
  })

  it('is never proposed where the client wants none but those that it approves', async () => {
    const stage = await setStage(world, 'strict-', open(0))
    await agreeTeam(stage)
    await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
    await warp(600)
    expect(await approval(stage)).toMatchObject({ state: 'open', payableFrom: null })
    expect(await world.system.db.chainTransaction.count({ where: { goalId: stage.goal.id, purpose: 'seal' } })).toBe(0)
  })

  it('leaves books that agree', async () => {
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })
})
