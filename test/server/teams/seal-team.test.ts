import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSealingPackage, getHold } from '../../../server/settlement/index.ts'
import { getTeam, listSteps } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { agreeTeam, countAudit, type Stage, setStage } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const seal = (agent: Stage['lead']) => agent.send({ type: 'team.seal', goal_id: stage.goal.id })

describe('sealTeam', () => {
  it('refuses without a team, from a member, and before everybody has signed', async () => {
    await expectProblem(seal(stage.lead), 'team.not_found')
    await stage.lead.send({ type: 'team.propose', goal_id: stage.goal.id, charter: stage.charter() })
    await expectProblem(seal(stage.lead), 'team.incomplete')
    await expectProblem(seal(stage.first), 'goal.not_principal')
    expect(await countAudit(stage, stage.goal.id, 'team.seal')).toBe(0)
  })
  it('seals once, writes the steps, and the very charter that was signed is in force once the client approves it', async () => {
    const hash = await agreeTeam(stage)
    await seal(stage.lead)
    await seal(stage.lead)
    expect(await countAudit(stage, stage.goal.id, 'team.seal')).toBe(1)
    expect((await listSteps(world.system, stage.goal.id)).map((step) => [step.step, step.state])).toEqual([
      [1, 'planned'],
      [2, 'planned'],
    ])
    await world.until('the record', async () => (await getTeam(world.system, stage.goal.id)).recordedAt)
    expect(await getHold(world.system, stage.goal.id)).toMatchObject({ charterVersion: 1, charterHash: hash, sealedTx: null })
    expect(await findSealingPackage(world.system, stage.goal.id, 1)).toMatchObject({ member_signatures: [{ signer: stage.first.payee }] })
    expect((await world.goal(stage.goal.id)).state).toBe('underway')
  })
})
