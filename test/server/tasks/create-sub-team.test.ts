import { cancelSteps, charterHash } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMembers } from '../../../server/conversations/index.ts'
import { setAccountReady } from '../../../server/embedded/stripe-fake/accounts.ts'
import { paySession } from '../../../server/embedded/stripe-fake/checkout-session.ts'
import { getHold, listPayouts, reconcile } from '../../../server/settlement/index.ts'
import { expireTaskLease, getTask, listTasks } from '../../../server/tasks/index.ts'
import { findSubTeam, getTeam, listSteps } from '../../../server/teams/index.ts'
import { openPayoutAccountOf, postCardGoal, startCards } from '../../support/cards.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import {
  acceptByAll,
  countAudit,
  createFundedGoal,
  type GoalFixture,
  inboxData,
  publishTestAgent,
  sealTeamOf,
  stepPrice,
  type TestAgent,
} from '../../support/goal-fixture.ts'
import { assignStep, buildHiringCharter, completeTask, hire, openSubTeamRoom } from '../../support/sub-team.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
let task: string
let third: TestAgent
let fourth: TestAgent
let fifth: TestAgent
let cards: Awaited<ReturnType<typeof startCards>>
const cost = 250_000n

beforeAll(async () => {
  cards = await startCards()
  world = await createWorld({ hub: false, env: cards.env })
  cards.serve(world)
  fixture = await createFundedGoal(world)
  // Each with a wallet of its own, so that the chain distinguishes them.
  const publishAgent = async (handle: string) =>
    publishTestAgent(world, await world.person({ usdc: 0n }), handle, `text.${handle}`, undefined, { price: cost })
  third = await publishAgent('third')
  fourth = await publishAgent('fourth')
  fifth = await publishAgent('fifth')
  await sealTeamOf(fixture)
  task = await assignStep(fixture, fixture.lead, 1)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await cards[Symbol.asyncDispose]()
})

const stepsOf = async (of: GoalFixture) =>
  (await listSteps(world.system, of.goal.id)).map(({ step, state, amount, canceled }) => [step, state, amount, canceled])
const pay = (agent: TestAgent) => balanceOf(world.chain, agent.payee as `0x${string}`)

/** Concludes, accepts, and waits until everyone has been paid. */
async function payAll(of: GoalFixture): Promise<void> {
  await of.lead.send({ type: 'goal.conclude', goal_id: of.goal.id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
  await of.client.send({ type: 'task.accept', goal_id: of.goal.id })
  await world.until('the payment', async () => (await world.goal(of.goal.id)).state === 'paid')
}
const openBooks = async () => {
  const { onlyLedger, onlyChain, differing } = await reconcile(world.system)
  return [...onlyLedger, ...onlyChain, ...differing]
}

describe('createSubTeam', () => {
  let room: { room_id: string; step: number }

  it('refuses people, agents of another task, and a task that is not there', async () => {
    await expectProblem(fixture.client.send({ type: 'sub_team.create', task_id: task }), 'permission.denied')
    await expectProblem(openSubTeamRoom(fixture.second, task), 'task.not_assignee')
    await expectProblem(openSubTeamRoom(fixture.lead, task), 'task.not_assignee')
    await expectProblem(openSubTeamRoom(fixture.first, 'tsk_00000000000000000000000000000000'), 'task.not_found')
    expect(await countAudit(fixture, fixture.goal.id, 'sub_team.create')).toBe(0)
  })

  it('opens one room for a task, with who leads and the client in it, however often it is asked', async () => {
    room = await openSubTeamRoom(fixture.first, task)
    expect(await openSubTeamRoom(fixture.first, task)).toEqual(room)
    expect(await countAudit(fixture, fixture.goal.id, 'sub_team.create')).toBe(1)
    expect((await listMembers(world.system, room.room_id)).map(({ memberId, role }) => [memberId, role]).sort()).toEqual(
      [
        [fixture.client.did, 'client'],
        [fixture.first.did, 'principal'],
      ].sort(),
    )
  })

  it('lets no one but its lead hire, pay more than the step has, touch another’s step, or go round in a circle', async () => {
    const hired = [{ agent: third, skillId: 'text.third', amount: cost }]
    const charter = await buildHiringCharter(fixture, room, hired)
    const propose = (agent: TestAgent, put = charter) =>
      agent.send({ type: 'team.propose', goal_id: fixture.goal.id, room_id: room.room_id, charter: put })
    await expectProblem(propose(fixture.lead), 'room.not_member')
    await expectProblem(propose(third), 'room.not_member')
    const changed = (change: (step: (typeof charter.steps)[0]) => object) => ({
      ...charter,
      steps: charter.steps.map((step) => ({ ...step, ...change(step) })),
    })
    await expectProblem(
      propose(
        fixture.first,
        changed((step) => (step.step === 1 ? { amount: stepPrice.toString() } : {})),
      ),
      'team.charter_invalid',
    )
    await expectProblem(
      propose(
        fixture.first,
        changed((step) => (step.step === 2 ? { amount: '1' } : {})),
      ),
      'team.charter_invalid',
    )
    await expectProblem(propose(fixture.first, { ...charter, version: 3 }), 'team.charter_invalid')
    const round = (agent: TestAgent, skillId: string) => buildHiringCharter(fixture, room, [{ agent, skillId, amount: cost }])
    await expectProblem(propose(fixture.first, await round(fixture.lead, 'goal.plan')), 'sub_team.refused')
    await expectProblem(propose(fixture.first, await round(fixture.first, 'text.first')), 'sub_team.refused')
    expect((await findSubTeam(world.system, room.room_id))?.proposal).toBeNull()
  })

  it('asks all whom it pays, changes nothing until it is sealed, and goes to the chain before anyone works', async () => {
    const hired = [
      { agent: third, skillId: 'text.third', amount: cost },
      { agent: fourth, skillId: 'text.fourth', amount: cost },
    ]
    const charter = await buildHiringCharter(fixture, room, hired)
    const own = { goal_id: fixture.goal.id, room_id: room.room_id }
    await fixture.first.send({ type: 'team.propose', ...own, charter })
    expect(
      (await findSubTeam(world.system, room.room_id))?.members
        .filter((one) => one.answer === 'invited')
        .map((one) => one.agentId)
        .sort(),
    ).toEqual([third.agentId, fourth.agentId, fixture.second.agentId].sort())
    expect((await getTeam(world.system, fixture.goal.id)).version).toBe(1)
    await expectProblem(fixture.first.send({ type: 'team.seal', ...own }), 'team.incomplete')
    await expectProblem(
      fifth.send({ type: 'team.accept', goal_id: fixture.goal.id, charter_hash: await charterHash(charter) }),
      'team.not_member',
    )
    await third.send({ type: 'team.decline', ...own, reason: 'Not today.' })
    await expectProblem(fixture.first.send({ type: 'team.seal', ...own }), 'team.incomplete')
    await third.send({ type: 'team.accept', goal_id: fixture.goal.id, charter_hash: await charterHash(charter) })
    await fourth.send({ type: 'team.accept', goal_id: fixture.goal.id, charter_hash: await charterHash(charter) })
    // The escrow asks every payee of the charter, also those that keep all their steps.
    await expectProblem(fixture.first.send({ type: 'team.seal', ...own }), 'team.incomplete')
    await fixture.second.send({ type: 'team.accept', goal_id: fixture.goal.id, charter_hash: await charterHash(charter) })
    await expectProblem(third.send({ type: 'team.seal', ...own }), 'goal.not_principal')
    await fixture.first.send({ type: 'team.seal', ...own })
    await fixture.first.send({ type: 'team.seal', ...own })
    expect(await countAudit(fixture, fixture.goal.id, 'team.seal')).toBe(2)
    await world.until('the record', async () => (await findSubTeam(world.system, room.room_id))?.recordedAt)
    expect(await stepsOf(fixture)).toEqual([
      [1, 'assigned', stepPrice - 2n * cost, false],
      [2, 'planned', stepPrice, false],
      [3, 'planned', cost, false],
      [4, 'planned', cost, false],
    ])
  })

  it('is led by its own lead only, also against the goal’s principal', async () => {
    await expectProblem(assignStep(fixture, fixture.lead, 3), 'room.not_member')
    await expectProblem(assignStep(fixture, third, 3), 'goal.not_principal')
    const { charter } = await getTeam(world.system, fixture.goal.id)
    const without = (change: (step: (typeof charter.steps)[0]) => object) =>
      fixture.lead.send({
        type: 'team.propose',
        goal_id: fixture.goal.id,
        charter: { ...charter, version: 3, steps: charter.steps.map((step) => ({ ...step, ...change(step) })) },
      })
    await expectProblem(
      without((step) => (step.step === 3 ? { amount: '1' } : {})),
      'team.charter_invalid',
    )
    await expectProblem(
      without((step) => (step.step === 1 ? { amount: stepPrice.toString() } : {})),
      'team.charter_invalid',
    )
  })

  it('goes a level deeper, waits for what is open below, and pays everyone in the capture of the goal', async () => {
    const deep = await assignStep(fixture, fixture.first, 3)
    const below = await openSubTeamRoom(third, deep)
    await expectProblem(
      third.send({
        type: 'team.propose',
        goal_id: fixture.goal.id,
        room_id: below.room_id,
        charter: await buildHiringCharter(fixture, below, [{ agent: fixture.first, skillId: 'text.first', amount: 1n }]),
      }),
      'sub_team.refused',
    )
    const [six = 0] = await hire(fixture, third, below, [{ agent: fifth, skillId: 'text.fifth', amount: 100_000n }])
    const deepest = await assignStep(fixture, third, six)
    await expectProblem(completeTask(third, deep), 'task.blocked')
    await expectProblem(completeTask(fixture.first, task), 'task.blocked')
    await completeTask(fifth, deepest)
    await completeTask(third, deep)
    await assignStep(fixture, fixture.first, 4, fourth)
    await completeTask(fixture.first, task)
    expect((await findSubTeam(world.system, room.room_id))?.outcome).toBe('completed')
    await expectProblem(
      fixture.first.send({
        type: 'team.propose',
        goal_id: fixture.goal.id,
        room_id: room.room_id,
        charter: await buildHiringCharter(fixture, room, []),
      }),
      'team.wrong_state',
    )
    await assignStep(fixture, fixture.lead, 2, fixture.second)
    await payAll(fixture)

    expect([await pay(third), await pay(fourth), await pay(fifth)]).toEqual([cost - 100_000n, cost, 100_000n])
    const payouts = (await listPayouts(world.system, { goalId: fixture.goal.id })).filter((one) => one.state === 'paid')
    const hold = await getHold(world.system, fixture.goal.id)
    expect(payouts.reduce((sum, one) => sum + one.amount, 0n)).toBe(2n * stepPrice)
    expect(new Set(payouts.map((one) => one.tx)).size).toBe(1)
    const fee = (2n * stepPrice * BigInt(hold.feeBps)) / 10_000n
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n - 2n * stepPrice - fee)
    expect(await openBooks()).toEqual([])
    // Who hired has worked with what came of it, and may judge it.
    expect(
      (await inboxData(fixture, fixture.first.agentId))
        .filter((one) => one.kind === 'feedback.invite')
        .map((one) => one.agent_id)
        .sort(),
    ).toEqual([third.agentId, fourth.agentId].sort())
  })

  it('leaves no orphan where the hirer fails: what was done is kept and paid, the rest is free again', async () => {
    const other = await createFundedGoal(world, 'failing-')
    await sealTeamOf(other)
    const lost = await assignStep(other, other.lead, 1)
    const team = await openSubTeamRoom(other.first, lost)
    await hire(other, other.first, team, [
      { agent: third, skillId: 'text.third', amount: cost },
      { agent: fourth, skillId: 'text.fourth', amount: cost },
    ])
    await assignStep(other, other.first, 3, third)
    const open = await assignStep(other, other.first, 4)
    await other.first.send({ type: 'task.fail', task_id: lost, reason: 'I can’t do it.' })
    expect((await getTask(world.system, open)).state).toBe('canceled')
    await expectProblem(completeTask(fourth, open), 'task.lease_expired')
    await expectProblem(assignStep(other, other.first, 4), 'task.wrong_state')
    expect(await stepsOf(other)).toEqual([
      [1, 'planned', stepPrice - 2n * cost, false],
      [2, 'planned', stepPrice, false],
      [3, 'done', cost, false],
      [4, 'planned', cost, true],
    ])
    await assignStep(other, other.lead, 1, other.first)
    await assignStep(other, other.lead, 2, other.second)
    const before = await pay(third)
    await payAll(other)
    expect((await pay(third)) - before).toBe(cost)
    const states = (await listPayouts(world.system, { goalId: other.goal.id }))
      .filter((one) => one.state !== 'replaced')
      .map((one) => [one.step, one.state])
    expect(states.sort()).toEqual([
      [1, 'paid'],
      [2, 'paid'],
      [3, 'paid'],
      [4, 'refunded'],
    ])
  })

  it('ends all the way down when its hirer falls silent: late words count for nothing, and the money continues to who takes the step', async () => {
    const other = await createFundedGoal(world, 'silent-')
    await sealTeamOf(other)
    const lost = await assignStep(other, other.lead, 1)
    const team = await openSubTeamRoom(other.first, lost)
    await hire(other, other.first, team, [
      { agent: third, skillId: 'text.third', amount: cost },
      { agent: fourth, skillId: 'text.fourth', amount: cost },
    ])
    await assignStep(other, other.first, 3, third)
    const inner = await assignStep(other, other.first, 4)
    const below = await openSubTeamRoom(fourth, inner)
    await hire(other, fourth, below, [{ agent: fifth, skillId: 'text.fifth', amount: 1_000n }])
    const deepest = await assignStep(other, fourth, 5)
    await world.system.db.task.update({ where: { id: lost }, data: { leaseUntil: new Date(0) } })
    await expireTaskLease(world.system, lost)
    await expireTaskLease(world.system, lost)
    for (const [agent, late] of [
      [other.first, lost],
      [fourth, inner],
      [fifth, deepest],
    ] as const)
      await expectProblem(completeTask(agent, late), 'task.lease_expired')
    expect([(await findSubTeam(world.system, team.room_id))?.outcome, (await findSubTeam(world.system, below.room_id))?.outcome]).toEqual([
      'failed',
      'canceled',
    ])
    expect(await stepsOf(other)).toEqual([
      [1, 'planned', stepPrice - 2n * cost, false],
      [2, 'planned', stepPrice, false],
      [3, 'done', cost, false],
      [4, 'planned', cost - 1_000n, true],
      [5, 'planned', 1_000n, true],
    ])
    // Another agent takes the step, with the money of what was dropped below it.
    const spare = await publishTestAgent(world, await world.person({ usdc: 0n }), 'silent-spare', 'text.first')
    const by = { agent_id: spare.agentId as never, sender_id: spare.did as never, payee: spare.payee }
    const dropped = cancelSteps((await getTeam(world.system, other.goal.id)).charter, [4, 5], by)
    const charter = { ...dropped, steps: dropped.steps.map((step) => (step.step === 1 ? { ...step, ...by } : step)) }
    expect(charter.steps[0]?.amount).toBe((stepPrice - cost).toString())
    await other.lead.send({ type: 'team.propose', goal_id: other.goal.id, charter })
    await acceptByAll(world, charter, other.lead)
    await other.lead.send({ type: 'team.seal', goal_id: other.goal.id })
    await world.until('the record', async () => (await getTeam(world.system, other.goal.id)).recordedAt)
    await assignStep(other, other.lead, 1, spare)
    await assignStep(other, other.lead, 2, other.second)
    const before = await pay(third)
    await payAll(other)
    expect([(await pay(third)) - before, await pay(spare)]).toEqual([cost, stepPrice - cost])
    expect(await openBooks()).toEqual([])
  })

  it('asks a client who confirms each step for none of a team within, and goes by its word on the others', async () => {
    const asked = await createFundedGoal(world, 'asked-', (client) =>
      world.postFundedGoal(client, { text: 'Write two short texts, please.', planner: 'copilot' }),
    )
    const hash = await charterHash(asked.charter())
    const word = { goal_id: asked.goal.id, charter_hash: hash }
    await asked.lead.send({ type: 'charter.submit', goal_id: asked.goal.id, charter: asked.charter(), reason: 'These two.' })
    await asked.client.send({ type: 'charter.confirm', ...word, steps: [1] })
    await sealTeamOf(asked)
    const outer = await assignStep(asked, asked.lead, 1)
    const team = await openSubTeamRoom(asked.first, outer)
    await hire(asked, asked.first, team, [{ agent: third, skillId: 'text.third', amount: cost }])
    await assignStep(asked, asked.first, 3, third)
    await completeTask(asked.first, outer)
    await expectProblem(assignStep(asked, asked.lead, 2), 'charter.not_confirmed')
    // The client has read the charter that it was asked to approve. The sub-team has changed only the step that pays it.
    await asked.client.send({ type: 'charter.confirm', ...word, steps: [2] })
    await assignStep(asked, asked.lead, 2, asked.second)
    const before = await pay(third)
    await payAll(asked)
    expect((await pay(third)) - before).toBe(cost)
  })

  it('is paid by card as on chain: the hirer’s and the hired’s shares of one payment', async () => {
    const carded = await createFundedGoal(world, 'carded-', async (client) => {
      const goal_id = await postCardGoal(world, client)
      const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
      paySession(cards.double.context, url.split('/').at(-1) ?? '', 'paid')
      await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
      return world.goal(goal_id)
    })
    const hiredOwner = await world.person({ usdc: 0n })
    const hired = await publishTestAgent(world, hiredOwner, 'carded-hired', 'text.hired', undefined, { price: cost })
    const accounts = new Map<string, string>()
    for (const owner of [carded.publisher, hiredOwner]) {
      await openPayoutAccountOf(owner)
      const { accountId } = await world.system.db.payoutAccount.findUniqueOrThrow({ where: { ownerId: owner.did } })
      setAccountReady(cards.double.context, accountId ?? '', true)
      accounts.set(owner.did, accountId ?? '')
    }
    await world.until('the payout accounts', async () => (await world.system.db.payoutAccount.count({ where: { state: 'ready' } })) === 2)
    await sealTeamOf(carded)
    const outer = await assignStep(carded, carded.lead, 1)
    const team = await openSubTeamRoom(carded.first, outer)
    await hire(carded, carded.first, team, [{ agent: hired, skillId: 'text.hired', amount: cost }])
    await assignStep(carded, carded.first, 3, hired)
    await completeTask(carded.first, outer)
    await assignStep(carded, carded.lead, 2, carded.second)
    await payAll(carded)
    expect(
      (await listPayouts(world.system, { goalId: carded.goal.id })).filter((one) => one.state === 'paid').map((one) => one.amount),
    ).toEqual([stepPrice - cost, stepPrice, cost])
    // In cents: 2 USDC less the hired's quarter to one account, the quarter to the other.
    const shares = cards.double.context.state.transfers.map(({ destination, amount }) => [destination, amount])
    expect(new Map(shares as [string, number][])).toEqual(
      new Map([
        [accounts.get(carded.publisher.did), 175],
        [accounts.get(hiredOwner.did), 25],
      ]),
    )
  })

  it('ends all the way down when the client stops the goal', async () => {
    const other = await createFundedGoal(world, 'stopped-')
    await sealTeamOf(other)
    const outer = await assignStep(other, other.lead, 1)
    const team = await openSubTeamRoom(other.first, outer)
    const [number = 0] = await hire(other, other.first, team, [{ agent: third, skillId: 'text.third', amount: cost }])
    const inner = await assignStep(other, other.first, number)
    const below = await openSubTeamRoom(third, inner)
    const [last = 0] = await hire(other, third, below, [{ agent: fifth, skillId: 'text.fifth', amount: 1_000n }])
    await assignStep(other, third, last)
    await other.client.send({ type: 'goal.cancel', goal_id: other.goal.id })
    expect((await listTasks(world.system, other.goal.id)).map((one) => one.state)).toEqual(['canceled', 'canceled', 'canceled'])
    expect([(await findSubTeam(world.system, team.room_id))?.outcome, (await findSubTeam(world.system, below.room_id))?.outcome]).toEqual([
      'canceled',
      'canceled',
    ])
    await world.until('the money back', async () => (await world.goal(other.goal.id)).state === 'refunded')
    expect(await openBooks()).toEqual([])
  })
})
