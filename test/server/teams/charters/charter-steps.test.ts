import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unchangedStepFaults } from '../../../../server/teams/charters/charter-steps.ts'
import { listSteps, moveStep } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { doStep, type Stage, sealStage, setStage } from '../../../support/stage.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  await sealStage(stage)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('moveStep', () => {
  it('follows the table, and only from the version it was decided on', async () => {
    const [step] = await listSteps(world.system, stage.goal.id)
    if (!step) throw new Error('no step')
    await expectProblem(moveStep(world.system, { goalId: stage.goal.id, step, state: 'planned' }), 'team.wrong_state')
    await expectProblem(
      moveStep(world.system, { goalId: stage.goal.id, step: { ...step, version: 7 }, state: 'assigned' }),
      'version.conflict',
    )
  })
})

describe('unchangedStepFaults', () => {
  it('holds on to what is done: its agent, its payee and its amount', async () => {
    await doStep(stage, 1, stage.first)
    const steps = await listSteps(world.system, stage.goal.id)
    const charter = stage.charter({ version: 2 })
    expect(unchangedStepFaults(steps, charter)).toEqual([])
    const dearer = { ...charter, steps: charter.steps.map((step) => ({ ...step, amount: '2' })) }
    expect(unchangedStepFaults(steps, dearer)).toEqual([expect.stringContaining('Step 1 is done')])
    const others = { ...charter, steps: charter.steps.map((step) => ({ ...step, agent_id: stage.second.agentId as never })) }
    expect(unchangedStepFaults(steps, others)).toHaveLength(1)
  })
})
