import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleGoal } from '../../../server/goals/index.ts'
import { getDisputesAndOffers, getDisputeTypedData, listPayouts, reconcile } from '../../../server/settlement/index.ts'
import { countAudit, createFundedGoal, deliverForReview, type GoalFixture, stepPrice } from '../../support/goal-fixture.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const mint = 1_000_000_000n
const withFee = (amount: bigint) => amount + (amount * 250n) / 10_000n
const held = (fixture: GoalFixture) => balanceOf(world.chain, fixture.client.account.address)
const states = async (fixture: GoalFixture) => (await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state }) => state)

/** The second step is returned and the first accepted; the first is paid. Answers until when the second can be disputed. */
async function returnSecond(fixture: GoalFixture): Promise<number> {
  const [first, second] = await deliverForReview(fixture)
  await fixture.client.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: [second], reason: 'It is blank.' })
  await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [first] })
  await world.until('the payment of the first step', async () => (await states(fixture))[0] === 'paid')
  return (await getDisputesAndOffers(world.system, fixture.goal.id)).disputeBy ?? 0
}

async function announcedWindows(fixture: GoalFixture) {
  const rows = await world.system.db.message.findMany({ where: { roomId: fixture.goal.roomId }, orderBy: { seq: 'asc' } })
  const parts = rows.flatMap((row) => (JSON.parse(row.body) as { parts?: { data?: { kind?: string } }[] }).parts ?? [])
  return parts.flatMap(({ data }) => (data?.kind === 'dispute.window' ? [data] : []))
}

async function expectBooksAgree(): Promise<void> {
  expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
}

describe('settleGoal', () => {
  it('sends a returned step’s money back when no one has disputed in the time that the room announced', async () => {
    const fixture = await createFundedGoal(world, 'window-')
    const disputeBy = await returnSecond(fixture)
    expect(Math.abs(disputeBy * 1_000 - world.clock.now().getTime() - 3_600_000)).toBeLessThan(120_000)
    const returned = { steps: [2], dispute_by: new Date(disputeBy * 1_000).toISOString() }
    expect(await announcedWindows(fixture)).toMatchObject([returned])
    await settleGoal(world.system, fixture.goal.id)
    expect(await announcedWindows(fixture)).toHaveLength(1)
    expect(await countAudit(fixture, fixture.goal.id, 'goal.settle')).toBe(1)
    expect((await world.goal(fixture.goal.id)).state).toBe('settling')
    expect(await states(fixture)).toEqual(['paid', 'sealed'])
    expect(await held(fixture)).toBe(mint - fixture.goal.budget)

    world.clock.advance(disputeBy * 1_000 - world.clock.now().getTime() + 1_000)
    await world.until('the end', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect(await states(fixture)).toEqual(['paid', 'refunded'])
    expect(await held(fixture)).toBe(mint - withFee(stepPrice))
    await expectBooksAgree()
  })

  it('leaves a returned step that its payee disputes in time to the arbitrator', async () => {
    const fixture = await createFundedGoal(world, 'contest-')
    await returnSecond(fixture)
    const given = { goal_id: fixture.goal.id, step: 2, evidence: 'It says what was asked for.', artifacts: [] }
    const { typedData } = await getDisputeTypedData(fixture.publisher.ctx, given)
    const signature = await fixture.publisher.account.signTypedData(typedData as never)
    const { dispute_id } = await fixture.publisher.send<{ dispute_id: string }>({ type: 'dispute.open', ...given, signature })
    await world.until('the dispute', async () => (await states(fixture))[1] === 'disputed')
    const operator = await world.person({ usdc: 0n, isOperator: true })
    await operator.send({ type: 'dispute.rule', dispute_id, payee_bps: 6_000, reason: 'Most of it is there.' })
    // Nothing is left to dispute, so no one waits for the hour.
    await world.until('the end', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect(await states(fixture)).toEqual(['paid', 'split'])
    expect(await held(fixture)).toBe(mint - withFee(stepPrice) - withFee((stepPrice * 6_000n) / 10_000n))
    await expectBooksAgree()
  })

  it('gives all of it back, later, where everything was returned', async () => {
    const fixture = await createFundedGoal(world, 'nothing-')
    const all = await deliverForReview(fixture)
    await fixture.client.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: all, reason: 'None of it is usable.' })
    await world.until('the settlement to begin', async () => (await world.goal(fixture.goal.id)).state === 'settling')
    expect(await announcedWindows(fixture)).toMatchObject([{ steps: [1, 2] }])
    expect(await states(fixture)).toEqual(['sealed', 'sealed'])
    world.clock.advance(3_601_000)
    await world.until('the refund', async () => (await world.goal(fixture.goal.id)).state === 'refunded')
    expect(await held(fixture)).toBe(mint)
  })
})
