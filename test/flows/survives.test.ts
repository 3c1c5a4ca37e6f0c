import { describe, expect, it } from 'vitest'
import { markOnline } from '../../server/registry/index.ts'
import { listPayouts, reconcile } from '../../server/settlement/index.ts'
import { expireTaskLease, listTasks } from '../../server/tasks/index.ts'
import { listSteps } from '../../server/teams/index.ts'
import { startBuiltinAgents } from '../support/builtin-agents.ts'
import { publishTestAgent } from '../support/goal-fixture.ts'
import { startHubProcess } from '../support/start-hub-process.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// If any process dies, the goal still ends paid or refunded, once.

const brief = {
  text: 'I want to know the annual revenue of Apple from 2015 to 2020. Please generate a figure in text format, and a trend analysis report',
  criteria: ['The report covers every year from 2015 to 2020.'],
}

async function expectPaidOnce(world: TestWorld, client: TestPerson, goalId: string): Promise<void> {
  const payouts = await listPayouts(world.system, { goalId })
  expect(payouts.map((payout) => payout.state)).toEqual(payouts.map(() => 'paid'))
  const paid = payouts.reduce((sum, payout) => sum + payout.amount, 0n)
  expect(await balanceOf(world.chain, client.account.address)).toBe(1_000_000_000n - paid - (paid * 250n) / 10_000n)
  for (const [payee, owed] of Map.groupBy(payouts, (payout) => payout.payee)) {
    expect(await balanceOf(world.chain, payee)).toBe(owed.reduce((sum, payout) => sum + payout.amount, 0n))
  }
  const books = await reconcile(world.system)
  expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
}

describe('the hub', () => {
  it('is killed at every stage of a goal, and everyone is paid once', async () => {
    await using world = await createWorld({ hub: false, jobs: false })
    await using hub = await startHubProcess(world)
    const reached = { ...world, hubUrl: hub.url } as TestWorld
    await using _agents = await startBuiltinAgents(reached)
    const client = await world.person()
    const goal = await world.postFundedGoal(client, brief)
    const stages: [string, () => Promise<unknown>][] = [
      ['claimed', async () => (await world.goal(goal.id)).principalId],
      ['sealed', async () => (await world.goal(goal.id)).state !== 'open'],
      ['assigned', async () => (await listTasks(world.system, goal.id)).length > 0],
      ['half done', async () => (await listTasks(world.system, goal.id)).filter((task) => task.state === 'completed').length >= 2],
      ['delivered', async () => (await world.goal(goal.id)).state === 'review'],
    ]
    for (const [what, isReached] of stages) {
      await world.until(what, isReached)
      await hub.kill()
      await hub.start()
    }
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await world.until('the settlement to begin', async () => (await world.goal(goal.id)).state !== 'review')
    await hub.kill()
    await hub.start()
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
    await expectPaidOnce(world, client, goal.id)
  })
})

describe('an agent', () => {
  it('dies in the middle of its step: the step is offered to another, and no one is paid twice', async () => {
    await using world = await createWorld()
    await using builtin = await startBuiltinAgents(world, ['principal', 'data', 'plotter', 'writer', 'reviewer'])
    const client = await world.person()
    // Cheaper than the built-in analyst, so it is chosen; it takes the task and never answers again.
    const mute = await publishTestAgent(world, builtin.publisher, 'mute-analyst', 'trend.analyse', ['analysis.trend'], {
      inputs: ['table.series'],
      price: 100_000n,
    })
    await markOnline(world.system, mute.agentId, 'mute')
    const goal = await world.postFundedGoal(client, brief)
    const invite = await world.until('the invitation', () =>
      world.system.db.teamMember.findFirst({ where: { goalId: goal.id, agentId: mute.agentId } }),
    )
    expect(invite.answer).toBe('invited')
    const team = await world.system.db.team.findUniqueOrThrow({ where: { goalId: goal.id } })
    await mute.send({ type: 'team.accept', goal_id: goal.id, charter_hash: team.charterHash })
    const task = await world.until('the task', () => world.system.db.task.findFirst({ where: { goalId: goal.id, agentId: mute.agentId } }))

    // The built-in analyst is published only now, and the lease of the silent one ends.
    await using _analyst = await startBuiltinAgents(world, ['analyst'])
    await world.system.db.task.update({ where: { id: task.id }, data: { leaseUntil: new Date(0) } })
    await expireTaskLease(world.system, task.id)
    await world.until('the delivery', async () => (await world.goal(goal.id)).state === 'review')
    const step = (await listSteps(world.system, goal.id)).find((one) => one.skillId === 'trend.analyse')
    expect(step?.agentId).not.toBe(mute.agentId)
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
    await expectPaidOnce(world, client, goal.id)
    expect((await listPayouts(world.system, { agentId: mute.agentId })).filter((payout) => payout.goalId === goal.id)).toEqual([])
  })

  it('is killed and comes back: it receives what it missed, and the goal continues', async () => {
    await using world = await createWorld()
    await using builtin = await startBuiltinAgents(world)
    const client = await world.person()
    const goal = await world.postFundedGoal(client, brief)
    await world.until('the claim', async () => (await world.goal(goal.id)).principalId)
    await builtin.kill('principal')
    await builtin.kill('writer')
    builtin.start('principal')
    builtin.start('writer')
    await world.until('the first task', async () => (await listTasks(world.system, goal.id)).length > 0)
    await builtin.kill('principal')
    await builtin.kill('writer')
    builtin.start('principal')
    builtin.start('writer')
    await world.until('the delivery', async () => (await world.goal(goal.id)).state === 'review')
    await client.send({ type: 'task.accept', goal_id: goal.id })
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
    await expectPaidOnce(world, client, goal.id)
  })
})
