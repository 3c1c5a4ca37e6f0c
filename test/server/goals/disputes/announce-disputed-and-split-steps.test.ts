import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announceDisputedAndSplitSteps, endUnconcludedWork } from '../../../../server/goals/index.ts'
import { readPersonInbox } from '../../../../server/notifications/index.ts'
import { scheduleSealNow } from '../../../../server/settlement/holds/schedule-sealing.ts'
import {
  type DisputeTypedData,
  getDisputeTypedData,
  getEscrowTerms,
  getHold,
  getSettlementOfferTypedData,
  listPayouts,
  reconcile,
} from '../../../../server/settlement/index.ts'
import { listTasks } from '../../../../server/tasks/index.ts'
import { listSteps } from '../../../../server/teams/index.ts'
import { readEarnings } from '../../../../server/trpc/views/read-earnings.ts'
import { readGoalPage } from '../../../../server/trpc/views/read-goal-page.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createFundedGoal, deliverForReview, doStep, type GoalFixture, sealTeamOf } from '../../../support/goal-fixture.ts'
import { submitOnChain } from '../../../support/submit-on-chain.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const signed = (person: TestPerson, { typedData }: Pick<DisputeTypedData, 'typedData'>) => person.account.signTypedData(typedData as never)

async function dispute(fixture: GoalFixture, person: TestPerson, step: number): Promise<string> {
  const given = { goal_id: fixture.goal.id, step, evidence: 'It is blank.', artifacts: [] }
  const signature = await signed(person, await getDisputeTypedData(person.ctx, given))
  const { dispute_id } = await person.send<{ dispute_id: string }>({ type: 'dispute.open', ...given, signature })
  await world.until('the dispute on chain', async () => (await notices(fixture, 'dispute.opened')).length > 0)
  return dispute_id
}

async function notices(fixture: GoalFixture, kind: string): Promise<{ [field: string]: unknown }[]> {
  const rows = await world.system.db.message.findMany({ where: { roomId: fixture.goal.roomId }, orderBy: { seq: 'asc' } })
  return rows
    .flatMap((row) => (JSON.parse(row.body) as { parts?: { data?: { kind?: string } }[] }).parts ?? [])
    .flatMap((part) => (part.data?.kind === kind ? [part.data as { [field: string]: unknown }] : []))
}

describe('announceDisputedAndSplitSteps', () => {
  it('notifies the room once, lets the rest be settled, and ends the goal with the ruling', async () => {
    const fixture = await createFundedGoal(world, 'odds-')
    await deliverForReview(fixture)
    const id = await dispute(fixture, fixture.client, 2)
    expect((await readEarnings(fixture.publisher.ctx, fixture.publisher.ctx.actor as never)).disputed).toBe(1_000_000n)
    const [first, second] = await listSteps(world.system, fixture.goal.id)
    const byId = (type: 'task.accept' | 'task.return') =>
      fixture.client.send({ type, goal_id: fixture.goal.id, task_ids: [second?.taskId], reason: 'No.' })
    await expectProblem(byId('task.accept'), 'task.disputed')
    await expectProblem(byId('task.return'), 'task.disputed')
    const all = await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    expect(all).toEqual({ accepted: [first?.taskId], disputed: [second?.taskId] })
    await world.until(
      'the rest to be paid',
      async () => (await listPayouts(world.system, { goalId: fixture.goal.id }))[0]?.state === 'paid',
    )
    expect((await world.goal(fixture.goal.id)).state).toBe('settling')
    expect(await notices(fixture, 'dispute.opened')).toMatchObject([
      { dispute_id: id, step: 2, by: fixture.client.account.address.toLowerCase() },
    ])

    const operator = await world.person({ usdc: 0n, isOperator: true })
    await operator.send({ type: 'dispute.rule', dispute_id: id, payee_bps: 2_500, reason: 'A quarter of it is there.' })
    await world.until('the goal to be over', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    await world.until('the room to hear of it', async () => (await notices(fixture, 'dispute.ruled')).length > 0)
    const before = await world.system.db.message.count()
    await announceDisputedAndSplitSteps(world.system, fixture.goal.id)
    expect(await world.system.db.message.count()).toBe(before)

    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state, paidAmount }) => [state, paidAmount])).toEqual([
      ['paid', 1_000_000n],
      ['split', 250_000n],
    ])
    expect((await listSteps(world.system, fixture.goal.id)).map((step) => step.state)).toEqual(['paid', 'paid'])
    expect((await listTasks(world.system, fixture.goal.id)).map((task) => 'acceptance' in task && task.acceptance)).toEqual([
      'accepted',
      'pending',
    ])
    expect(await readEarnings(fixture.publisher.ctx, fixture.publisher.ctx.actor as never)).toMatchObject({
      agreed: 0n,
      inReview: 0n,
      disputed: 0n,
      paid: 1_250_000n,
      cards: { unclaimed: 0n },
      listings: expect.arrayContaining([expect.objectContaining({ handle: 'odds-second', paid: 250_000n })]),
    })
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })

  it('has a step paid that its client accepted before it disputed it, without an operator, also where silence refunds', async () => {
    const brief = { text: 'Write two short texts, please.', reviewHours: 4, more: { on_silence: 'refund' } }
    const made = await createFundedGoal(world, 'regret-', (client) => world.postFundedGoal(client, brief))
    const fixture: GoalFixture = { ...made, charter: (changes) => made.charter({ on_review_timeout: 'refund_unless_checked', ...changes }) }
    const [first] = await deliverForReview(fixture)
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [first] })
    await dispute(fixture, fixture.client, 1)
    await world.until('the ruling', async () => (await notices(fixture, 'dispute.ruled')).length > 0)
    expect(await notices(fixture, 'dispute.ruled')).toMatchObject([{ step: 1, payee_bps: 10_000 }])
    const row = await world.system.db.dispute.findFirstOrThrow({ where: { goalId: fixture.goal.id } })
    expect(row).toMatchObject({ ruledBy: 'system:disputes', reason: expect.stringContaining('accepted') })
    // What it has not accepted still waits for an operator.
    await dispute(fixture, fixture.client, 2)
    await world.until('the second dispute', async () => (await notices(fixture, 'dispute.opened')).length > 1)
    expect(
      (await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ step, state, paidAmount }) => [step, state, paidAmount]),
    ).toEqual([
      [1, 'paid', 1_000_000n],
      [2, 'disputed', null],
    ])
  })

  it('ends a goal whose parties agree on all that was open', async () => {
    const fixture = await createFundedGoal(world, 'agree-')
    await sealTeamOf(fixture)
    await doStep(fixture, 1, fixture.first)
    const deadline = Math.floor(world.clock.now().getTime() / 1_000) + 600
    const given = { goal_id: fixture.goal.id, step: 1, payee_bps: 5_000, deadline }
    const made = await fixture.publisher.send<{ settlement_offer_id: string }>({
      type: 'settlement_offer.make',
      ...given,
      signature: await signed(fixture.publisher, await getSettlementOfferTypedData(fixture.publisher.ctx, given)),
    })
    const terms = await getSettlementOfferTypedData(fixture.client.ctx, made)
    await fixture.client.send({ type: 'settlement_offer.accept', ...made, signature: await signed(fixture.client, terms) })
    await world.until('the split', async () => (await notices(fixture, 'settlement_offer.accepted')).length > 0)
    expect(await notices(fixture, 'settlement_offer.accepted')).toMatchObject([{ step: 1, payee_bps: 5_000 }])
    await fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id })
    await world.until('the goal to be over', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect((await getHold(world.system, fixture.goal.id)).state).toBe('captured')
    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state }) => state)).toEqual(['split', 'refunded'])
  })

  it('notifies the room and the client once of a step that its payee submits to the escrow without work, until a dispute stops it', async () => {
    const fixture = await createFundedGoal(world, 'early-')
    await sealTeamOf(fixture)
    const { client, goal } = fixture
    const sealed = { name: 'PlanSealed', planId: (await getHold(world.system, goal.id)).planId }
    await scheduleSealNow(world.system, goal.id)
    await world.until('the charter on chain', async () => (await world.system.db.chainLog.count({ where: sealed })) > 0)
    await submitOnChain(world, fixture.publisher, { goalId: goal.id, bits: 0b10n })
    await world.until('the announcement', async () => (await notices(fixture, 'step.submitted')).length > 0)
    const terms = await getEscrowTerms(world.system, goal.id)
    const [workBy, reviewBy] = [Number(terms.workBy), Number(terms.reviewBy)]
    expect(await notices(fixture, 'step.submitted')).toMatchObject([
      { step: 2, payee: fixture.second.payee, outcome: 'pay', payable_at: new Date(reviewBy * 1_000).toISOString() },
    ])
    await announceDisputedAndSplitSteps(world.system, goal.id)
    expect(await notices(fixture, 'step.submitted')).toHaveLength(1)
    expect(await readPersonInbox(client.ctx)).toEqual([])

    world.clock.advance(workBy * 1_000 - world.clock.now().getTime())
    await endUnconcludedWork(world.system, goal.id)
    await world.until('the settlement', async () => (await world.goal(goal.id)).state === 'settling')
    const { conclusionSeq } = await world.goal(goal.id)
    const conclusion = await world.system.db.message.findFirstOrThrow({ where: { roomId: goal.roomId, seq: conclusionSeq ?? 0 } })
    expect(conclusion.body).toContain('except steps that were submitted to the escrow')
    expect(await readPersonInbox(client.ctx)).toMatchObject([
      { kind: 'submission', id: goal.id, until: new Date(reviewBy * 1_000).toISOString() },
    ])
    const { submitted } = await readGoalPage(client.ctx, goal.id)
    expect(submitted).toEqual({ steps: [2], payableAt: new Date(reviewBy * 1_000), outcome: 'pay' })

    await dispute(fixture, client, 2)
    expect(await readPersonInbox(client.ctx)).toEqual([])
    expect((await readGoalPage(client.ctx, goal.id)).submitted).toBeNull()
  })
})
