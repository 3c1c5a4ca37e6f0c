import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import { endUnconcludedWork } from '../../server/goals/index.ts'
import { getHold, listPayouts } from '../../server/settlement/index.ts'
import { postCardGoal, startCards } from '../support/cards.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { createFundedGoal, doStep, type GoalFixture, sealTeamOf } from '../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

// A goal paid by card whose terms refund what a silent client leaves open: its members sign that, and what the client accepts is paid.

let world: TestWorld
let cards: Awaited<ReturnType<typeof startCards>>
let fixture: GoalFixture
beforeAll(async () => {
  cards = await startCards()
  world = await createWorld({ hub: false, env: cards.env })
  cards.serve(world)
  fixture = await createFundedGoal(world, '', async (client) => {
    const goal_id = await postCardGoal(world, client, { more: { on_silence: 'refund' } })
    const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
    paySession(cards.double.context, url.split('/').at(-1) ?? '', 'paid')
    await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
    return world.goal(goal_id)
  })
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await cards?.[Symbol.asyncDispose]()
})

describe('a card goal whose terms refund on silence', () => {
  it('has a charter that says so, and no other', async () => {
    expect(await getHold(world.system, fixture.goal.id)).toMatchObject({ rail: 'stripe', onSilence: 'refund' })
    await expectProblem(
      fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: fixture.charter() }),
      'team.charter_invalid',
    )
  })

  it('pays what the client has accepted, also if its principal never concludes', async () => {
    await sealTeamOf({ ...fixture, charter: (changes) => fixture.charter({ on_review_timeout: 'refund_unless_checked', ...changes }) })
    const taskId = await doStep(fixture, 1, fixture.first)
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [taskId] })
    const { workBy } = await getHold(world.system, fixture.goal.id)
    world.clock.advance(workBy * 1_000 - world.clock.now().getTime())
    await endUnconcludedWork(world.system, fixture.goal.id)
    await world.until('the settlement', async () => (await getHold(world.system, fixture.goal.id)).state === 'captured')
    const paid = (await listPayouts(world.system, { goalId: fixture.goal.id })).map(({ state }) => state)
    expect(paid).toEqual([expect.stringMatching(/^(paid|credited)$/), 'refunded'])
  })
})
