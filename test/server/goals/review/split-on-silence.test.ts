import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyClientSilenceOutcome, remindClientOfReview } from '../../../../server/goals/index.ts'
import { getHold, listPayouts, reconcile } from '../../../../server/settlement/index.ts'
import { listTasks } from '../../../../server/tasks/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createFundedGoal, doStep, type GoalFixture, inboxData, sealTeamOf } from '../../../support/goal-fixture.ts'
import { balanceOf } from '../../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

// What a silent client leaves open is paid in half where the terms split it: by the evaluator's call, and nothing else is.

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

async function deliver(prefix: string, criteria = ['It reads well.']) {
  const brief = { text: 'Write two short texts, please.', criteria, reviewHours: 4, more: { on_silence: 'split' } }
  const made = await createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, brief))
  const fixture: GoalFixture = { ...made, charter: (changes) => made.charter({ on_review_timeout: 'split_unless_checked', ...changes }) }
  await sealTeamOf(fixture)
  const taskIds = [await doStep(fixture, 1, fixture.first), await doStep(fixture, 2, fixture.second)]
  await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: 'Both are done.' }] })
  return { made, fixture, taskIds }
}

async function letReviewEnd(goalId: string): Promise<void> {
  world.clock.advance(4 * 3_600_000)
  await applyClientSilenceOutcome(world.system, goalId)
  await world.until('the payment', async () => (await world.goal(goalId)).state === 'paid')
}

describe('a goal whose terms split what no one decides', () => {
  it('has members who sign that, and takes no other charter', async () => {
    const { made, fixture } = await deliver('signed-')
    expect(await getHold(world.system, fixture.goal.id)).toMatchObject({ onSilence: 'split' })
    const other = made.charter({ version: 2 })
    await expectProblem(fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: other }), 'team.charter_invalid')
  })

  it('pays half of both steps, refunds the rest, and says so before and after', async () => {
    const { fixture } = await deliver('both-')
    const { goal, client } = fixture
    const before = await balanceOf(world.chain, client.account.address)
    world.clock.advance(2 * 3_600_000)
    await remindClientOfReview(world.system, goal.id)
    await letReviewEnd(goal.id)
    const payouts = await listPayouts(world.system, { goalId: goal.id })
    expect(payouts.map(({ state }) => state)).toEqual(['split', 'split'])
    for (const { amount, paidAmount, payee } of payouts) {
      expect(paidAmount).toBe(amount / 2n)
      expect(await balanceOf(world.chain, payee)).toBeGreaterThanOrEqual(amount / 2n)
    }
    const halves = payouts.reduce((sum, { amount }) => sum + amount / 2n, 0n)
    const { total, feeBps } = await getHold(world.system, goal.id)
    const fees = payouts.reduce((sum, { amount }) => sum + ((amount / 2n) * BigInt(feeBps)) / 10_000n, 0n)
    expect((await balanceOf(world.chain, client.account.address)) - before).toBe(total - halves - fees)
    // The agents read what they were paid, and not the price.
    for (const [index, agent] of [fixture.first, fixture.second].entries()) {
      const messages = (await inboxData(fixture, agent.agentId)).filter(({ kind }) => kind === 'payout')
      expect(messages.map(({ amount }) => amount)).toEqual([String((payouts[index]?.amount ?? 0n) / 2n)])
    }
    const tasks = await listTasks(world.system, goal.id)
    expect(tasks.map((task) => task.state === 'completed' && task.acceptance)).toEqual(['split', 'split'])
    const log = await world.system.db.message.findMany({ where: { roomId: goal.roomId } })
    const texts = JSON.stringify(log.map(({ body }) => body))
    expect(texts).toContain('half of the delivered work is paid')
    expect(texts).toContain('half of the price of each of 2 steps is paid')
    // Each half is a fact of its own in the ledger, so that no later event can post it again.
    const posted = await world.system.db.ledgerTransfer.findMany({ where: { goalId: goal.id }, select: { key: true } })
    expect(posted.map(({ key }) => key)).toEqual(expect.arrayContaining([`split:${goal.id}:1`, `split:${goal.id}:2`]))
    const books = await reconcile(world.system)
    expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
  })

  it('pays whole what the client accepted, and half of the other step', async () => {
    const { fixture, taskIds } = await deliver('mixed-')
    const { goal, client } = fixture
    await client.send({ type: 'task.accept', goal_id: goal.id, task_ids: [taskIds[0]] })
    await letReviewEnd(goal.id)
    const payouts = await listPayouts(world.system, { goalId: goal.id })
    expect(payouts.map(({ state }) => state)).toEqual(['paid', 'split'])
    expect(payouts.map(({ amount, paidAmount }) => Number(paidAmount) / Number(amount))).toEqual([1, 0.5])
    const books = await reconcile(world.system)
    expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
  })

  it('pays whole what rules found complete', async () => {
    const { fixture } = await deliver('met-', ['At least 2 words'])
    await world.until('the checks', async () => (await world.goal(fixture.goal.id)).checks !== null)
    expect((await world.goal(fixture.goal.id)).checks?.isVerified).toBe(true)
    await letReviewEnd(fixture.goal.id)
    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state }) => state)).toEqual(['paid', 'paid'])
  })

  it('is no contest, which pays one entry whole or none', async () => {
    const client = await world.person()
    const contest = { max_entries: 2, entries_by: new Date(world.clock.now().getTime() + 3_600_000).toISOString() }
    const posting = world.postFundedGoal(client, { text: 'Write a text, please.', more: { on_silence: 'split', contest } })
    await expect(posting).rejects.toThrow(/pays one entry whole or none/)
  })
})
