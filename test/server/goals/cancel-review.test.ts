import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStoredMessages } from '../../../server/delivery/index.ts'
import { getDisputesAndOffers, getDisputeTypedData, getHold, listPayouts, reconcile } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import {
  countAudit,
  createFundedGoal,
  deliverForReview,
  doStep,
  type GoalFixture,
  sealTeamOf,
  stepPrice,
} from '../../support/goal-fixture.ts'
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
const stop = (fixture: GoalFixture) => fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id, reason: 'That will do.' })
const ends = (fixture: GoalFixture, state: 'paid' | 'refunded') =>
  world.until('the settlement', async () => (await world.goal(fixture.goal.id)).state === state)

async function expectBooksAgree(): Promise<void> {
  expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
}

describe('a goal that is stopped in review', () => {
  it('pays all that was finished, with and without a word, once, bound to the client’s message', async () => {
    const fixture = await createFundedGoal(world, 'finished-')
    const [first] = await deliverForReview(fixture)
    const { answer } = await world.goal(fixture.goal.id)
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [first] })
    expect(await states(fixture)).toEqual(['sealed', 'sealed'])
    expect(await stop(fixture)).toEqual({ goal_id: fixture.goal.id, state: 'settling' })
    await stop(fixture)
    await ends(fixture, 'paid')
    expect(await states(fixture)).toEqual(['paid', 'paid'])
    expect(await held(fixture)).toBe(mint - withFee(2n * stepPrice))
    const ended = await world.goal(fixture.goal.id)
    expect(ended).toMatchObject({ outcome: 'stopped', answer })
    const [last] = await readStoredMessages(world.system, { roomId: fixture.goal.roomId, after: (ended.conclusionSeq ?? 0) - 1, limit: 1 })
    expect(last?.body).toContain('That will do.')
    expect((await getHold(world.system, fixture.goal.id)).conclusionHash).toBe(`0x${last?.hash}`)
    expect(await countAudit(fixture, fixture.goal.id, 'goal.cancel')).toBe(1)
    await expectProblem(
      fixture.client.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: [first], reason: 'No.' }),
      'task.wrong_state',
    )
    await expectBooksAgree()
  })

  it('sends back what was returned, once its payee had time to dispute', async () => {
    const fixture = await createFundedGoal(world, 'returned-')
    const [, second] = await deliverForReview(fixture)
    await fixture.client.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: [second], reason: 'It is blank.' })
    await stop(fixture)
    await world.until('the payment of the first step', async () => (await states(fixture))[0] === 'paid')
    expect(await states(fixture)).toEqual(['paid', 'sealed'])
    expect(await held(fixture)).toBe(mint - fixture.goal.budget)
    const disputeBy = (await getDisputesAndOffers(world.system, fixture.goal.id)).disputeBy ?? 0
    expect(disputeBy * 1_000).toBeGreaterThan(world.clock.now().getTime())
    world.clock.advance(disputeBy * 1_000 - world.clock.now().getTime() + 1_000)
    await ends(fixture, 'paid')
    expect(await states(fixture)).toEqual(['paid', 'refunded'])
    expect(await held(fixture)).toBe(mint - withFee(stepPrice))
    await expectBooksAgree()
  })

  it('leaves what is disputed to its ruling', async () => {
    const fixture = await createFundedGoal(world, 'ruled-')
    await deliverForReview(fixture)
    const given = { goal_id: fixture.goal.id, step: 2, evidence: 'It is blank.', artifacts: [] }
    const { typedData } = await getDisputeTypedData(fixture.client.ctx, given)
    const signature = await fixture.client.account.signTypedData(typedData as never)
    const { dispute_id } = await fixture.client.send<{ dispute_id: string }>({ type: 'dispute.open', ...given, signature })
    await world.until('the dispute', async () => (await states(fixture))[1] === 'disputed')
    await stop(fixture)
    await world.until('the payment of the first step', async () => (await states(fixture))[0] === 'paid')
    expect(await states(fixture)).toEqual(['paid', 'disputed'])
    expect((await world.goal(fixture.goal.id)).state).toBe('settling')
    const operator = await world.person({ usdc: 0n, isOperator: true })
    await operator.send({ type: 'dispute.rule', dispute_id, payee_bps: 2_500, reason: 'A quarter of it is there.' })
    await ends(fixture, 'paid')
    expect(await states(fixture)).toEqual(['paid', 'split'])
    expect(await held(fixture)).toBe(mint - withFee(stepPrice) - withFee(stepPrice / 4n))
    await expectBooksAgree()
  })

  it('that its principal called failed pays what was finished, and sends back the rest', async () => {
    const fixture = await createFundedGoal(world, 'failed-')
    await sealTeamOf(fixture)
    await doStep(fixture, 1, fixture.first)
    await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'failed', parts: [{ text: 'No second text.' }] })
    expect((await world.goal(fixture.goal.id)).state).toBe('review')
    await stop(fixture)
    await ends(fixture, 'paid')
    expect(await states(fixture)).toEqual(['paid', 'refunded'])
    expect(await held(fixture)).toBe(mint - withFee(stepPrice))
  })

  it('is stopped too late once its money is in progress, or was paid', async () => {
    const fixture = await createFundedGoal(world, 'late-')
    await deliverForReview(fixture)
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the settlement to begin', async () => (await world.goal(fixture.goal.id)).state !== 'review')
    await expectProblem(stop(fixture), 'goal.wrong_state')
    await ends(fixture, 'paid')
    await expectProblem(stop(fixture), 'goal.wrong_state')
    expect(await countAudit(fixture, fixture.goal.id, 'goal.cancel')).toBe(0)
  })
})
