import { cardPlan, charterAuthorizationTypedData, charterVetoTypedData } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import { getCharterApproval, getHold } from '../../server/settlement/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { postCardGoal, startCards } from '../support/cards.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { acceptByAll, agreeTeam, createFundedGoal, doStep, type GoalFixture, newTaskId } from '../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// A goal paid by card has the escrow's rule. Only a team that the client approved, or did not veto in its window, works and is paid.

const day = 86_400
let world: TestWorld
let cards: Awaited<ReturnType<typeof startCards>>
// Paid before the clock moves, which Stripe's stand-in does not follow.
let slow: GoalFixture
let vetoed: GoalFixture
beforeAll(async () => {
  cards = await startCards()
  world = await createWorld({ hub: false, env: cards.env })
  cards.serve(world)
  slow = await stageOf('slow-', 24)
  vetoed = await stageOf('vetoed-', 24)
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await cards?.[Symbol.asyncDispose]()
})

const stageOf = (prefix: string, vetoHours: number) =>
  createFundedGoal(world, prefix, async (client) => {
    const goal_id = await postCardGoal(world, client, { hours: 96, vetoHours, approves: false })
    const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
    paySession(cards.double.context, url.split('/').at(-1) ?? '', 'paid')
    await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
    return world.goal(goal_id)
  })

const approval = (fixture: GoalFixture) => getCharterApproval(world.system, fixture.goal.id)
const plan = (fixture: GoalFixture) => cardPlan(fixture.goal.id, world.world.market.chainId)
const assign = (fixture: GoalFixture) => fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: newTaskId(), step: 1 })
const recorded = (fixture: GoalFixture) =>
  world.until('the charter in force', async () => (await getTeam(world.system, fixture.goal.id)).recordedAt)

async function sealed(fixture: GoalFixture): Promise<void> {
  await agreeTeam(fixture)
  await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
  await world.until('the charter', async () => (await approval(fixture)).version > 0)
}

async function approve(fixture: GoalFixture, by: Pick<TestPerson, 'account'> = fixture.client): Promise<void> {
  const { charter, charterHash, version } = await getTeam(world.system, fixture.goal.id)
  const signature = await by.account.signTypedData(charterAuthorizationTypedData(charter, charterHash as `0x${string}`, plan(fixture)))
  await fixture.client.send({ type: 'team.authorize', goal_id: fixture.goal.id, version, signature })
}

async function veto(fixture: GoalFixture, version = 1): Promise<void> {
  const signature = await fixture.client.account.signTypedData(charterVetoTypedData(plan(fixture), version))
  await fixture.client.send({ type: 'team.veto', goal_id: fixture.goal.id, version, reason: 'Not these.', signature })
}

describe('a team of a goal that is paid by card', () => {
  it('begins once its client has approved it, by a signature of its own', async () => {
    const fixture = await stageOf('approved-', 0)
    await sealed(fixture)
    expect(await approval(fixture)).toMatchObject({ state: 'open', version: 1, payableFrom: null })
    expect(await getHold(world.system, fixture.goal.id)).toMatchObject({ charterVersion: 0 })
    await expectProblem(assign(fixture), 'task.blocked')
    await expectProblem(approve(fixture, fixture.publisher), 'team.signature_invalid')
    await approve(fixture)
    await recorded(fixture)
    expect(await approval(fixture)).toMatchObject({ state: 'approved' })
    await expectProblem(veto(fixture), 'team.wrong_state')
    await doStep(fixture, 1, fixture.first)
  })

  it('begins when the veto window is over, and cannot be vetoed then', async () => {
    const fixture = slow
    await sealed(fixture)
    const { state, payableFrom } = await approval(fixture)
    expect(state).toBe('proposed')
    expect((payableFrom ?? 0) - Math.floor(world.clock.now().getTime() / 1_000)).toBeGreaterThan(day - 120)
    await expectProblem(assign(fixture), 'task.blocked')
    world.clock.advance((day + 60) * 1_000)
    await recorded(fixture)
    expect(await approval(fixture)).toMatchObject({ state: 'in_force' })
    await expectProblem(veto(fixture), 'team.wrong_state')
  })

  it('is paid nothing once the client has vetoed it; the next team needs its approval, and all goes back without one', async () => {
    const fixture = vetoed
    await sealed(fixture)
    await veto(fixture)
    expect(await approval(fixture)).toMatchObject({ state: 'vetoed' })
    const next = fixture.charter({ version: 2 })
    await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: next })
    await acceptByAll(world, next, fixture.lead)
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    world.clock.advance((day + 60) * 1_000)
    expect(await approval(fixture)).toMatchObject({ state: 'open', version: 2 })
    await expectProblem(assign(fixture), 'task.blocked')
    await fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id, reason: 'Enough.' })
    await world.until('the refund', async () => (await world.goal(fixture.goal.id)).state === 'refunded')
    expect(cards.double.context.state.transfers).toEqual([])
  })
})
