import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unchangedStepFaults } from '../../../../server/teams/charters/step-store.ts'
import { listSteps, moveStep } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createFundedGoal, doStep, type GoalFixture, sealTeamOf } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await sealTeamOf(fixture)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('moveStep', () => {
  it('follows the table, and only from the version it was decided on', async () => {
    const [step] = await listSteps(world.system, fixture.goal.id)
    if (!step) throw new Error('no step')
    await expectProblem(moveStep(world.system, { goalId: fixture.goal.id, step, state: 'planned' }), 'team.wrong_state')
    await expectProblem(
      moveStep(world.system, { goalId: fixture.goal.id, step: { ...step, version: 7 }, state: 'assigned' }),
      'version.conflict',
    )
  })
})

describe('unchangedStepFaults', () => {
  it('holds on to what is done: its agent, its payee and its amount', async () => {
    await doStep(fixture, 1, fixture.first)
    const steps = await listSteps(world.system, fixture.goal.id)
    const charter = fixture.charter({ version: 2 })
    expect(unchangedStepFaults(steps, charter)).toEqual([])
    const dearer = { ...charter, steps: charter.steps.map((step) => ({ ...step, amount: '2' })) }
    expect(unchangedStepFaults(steps, dearer)).toEqual([expect.stringContaining('Step 1 is done')])
    const others = { ...charter, steps: charter.steps.map((step) => ({ ...step, agent_id: fixture.second.agentId as never })) }
    expect(unchangedStepFaults(steps, others)).toHaveLength(1)
  })
})
