import { cardPlan, charterAuthorizationTypedData, charterVetoTypedData } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import { getApproval, getHold } from '../../server/settlement/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { postCardGoal, startCards } from '../support/cards.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { acceptByAll, agreeTeam, doStep, newTaskId, type Stage, setStage } from '../support/stage.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// A goal paid by card has the escrow's rule: only a team that the client approved, or did not veto in its window, works and is paid.

const day = 86_400
let world: TestWorld
let cards: Awaited<ReturnType<typeof startCards>>
// Paid before the clock moves, which Stripe's stand-in does not follow.
let slow: Stage
let vetoed: Stage
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
  setStage(world, prefix, async (client) => {
    const goal_id = await postCardGoal(world, client, { hours: 96, vetoHours, approves: false })
    const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
    paySession(cards.double.world, url.split('/').at(-1) ?? '', 'paid')
    await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
    return world.goal(goal_id)
  })

const approval = (stage: Stage) => getApproval(world.system, stage.goal.id)
const plan = (stage: Stage) => cardPlan(stage.goal.id, world.world.market.chainId)
const assign = (stage: Stage) => stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: newTaskId(), step: 1 })
const recorded = (stage: Stage) => world.until('the charter in force', async () => (await getTeam(world.system, stage.goal.id)).recordedAt)

async function sealed(stage: Stage): Promise<void> {
  await agreeTeam(stage)
  await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
  await world.until('the charter', async () => (await approval(stage)).version > 0)
}

async function approve(stage: Stage, by: Pick<TestPerson, 'account'> = stage.client): Promise<void> {
  const { charter, charterHash, version } = await getTeam(world.system, stage.goal.id)
  const signature = await by.account.signTypedData(charterAuthorizationTypedData(charter, charterHash as `0x${string}`, plan(stage)))
  await stage.client.send({ type: 'team.authorize', goal_id: stage.goal.id, version, signature })
}

async function veto(stage: Stage, version = 1): Promise<void> {
  const signature = await stage.client.account.signTypedData(charterVetoTypedData(plan(stage), version))
  await stage.client.send({ type: 'team.veto', goal_id: stage.goal.id, version, reason: 'Not these.', signature })
}

describe('a team of a goal that is paid by card', () => {
  it('begins once its client has approved it, by a signature of its own', async () => {
    const stage = await stageOf('approved-', 0)
    await sealed(stage)
    expect(await approval(stage)).toMatchObject({ state: 'open', version: 1, payableFrom: null })
    expect(await getHold(world.system, stage.goal.id)).toMatchObject({ charterVersion: 0 })
    await expectProblem(assign(stage), 'task.blocked')
    await expectProblem(approve(stage, stage.publisher), 'team.signature_invalid')
    await approve(stage)
    await recorded(stage)
    expect(await approval(stage)).toMatchObject({ state: 'approved' })
    await expectProblem(veto(stage), 'team.wrong_state')
    await doStep(stage, 1, stage.first)
  })

  it('begins when the veto window is over, and cannot be vetoed then', async () => {
    const stage = slow
    await sealed(stage)
    const { state, payableFrom } = await approval(stage)
    expect(state).toBe('proposed')
    expect((payableFrom ?? 0) - Math.floor(world.clock.now().getTime() / 1_000)).toBeGreaterThan(day - 120)
    await expectProblem(assign(stage), 'task.blocked')
    world.clock.advance((day + 60) * 1_000)
    await recorded(stage)
    expect(await approval(stage)).toMatchObject({ state: 'in_force' })
    await expectProblem(veto(stage), 'team.wrong_state')
  })

  it('is paid nothing once the client has vetoed it; the next team needs its approval, and all goes back without one', async () => {
    const stage = vetoed
    await sealed(stage)
    await veto(stage)
    expect(await approval(stage)).toMatchObject({ state: 'vetoed' })
    const next = stage.charter({ version: 2 })
    await stage.lead.send({ type: 'team.propose', goal_id: stage.goal.id, charter: next })
    await acceptByAll(world, next, stage.lead)
    await stage.lead.send({ type: 'team.seal', goal_id: stage.goal.id })
    world.clock.advance((day + 60) * 1_000)
    expect(await approval(stage)).toMatchObject({ state: 'open', version: 2 })
    await expectProblem(assign(stage), 'task.blocked')
    await stage.client.send({ type: 'goal.cancel', goal_id: stage.goal.id, reason: 'Enough.' })
    await world.until('the refund', async () => (await world.goal(stage.goal.id)).state === 'refunded')
    expect(cards.double.world.state.transfers).toEqual([])
  })
})
