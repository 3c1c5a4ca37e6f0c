import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import type { Context } from '../../../../server/context.ts'
import { getArtifact } from '../../../../server/tasks/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, doStep, type Stage, sealStage, setStage } from '../../../support/stage.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let stage: Stage
let stranger: TestPerson
let operator: TestPerson
let files: string[]
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  stranger = await world.person({ usdc: 0n })
  operator = await world.person({ usdc: 0n, isOperator: true })
  await sealStage(stage)
  await doStep(stage, 1, stage.first)
  await doStep(stage, 2, stage.second)
  files = (await world.system.db.artifact.findMany({ where: { goalId: stage.goal.id }, orderBy: { at: 'asc' } })).map((one) => one.sha256)
})
afterAll(() => world[Symbol.asyncDispose]())

const erase = (ctx: Context, sha256 = '', order?: string) =>
  dispatchCommand(ctx, { type: 'artifact.erase', room_id: stage.goal.roomId as never, sha256, ...(order && { order }) })
const get = (sha256 = '') => getArtifact(stage.client.ctx, { type: 'artifact.get', room_id: stage.goal.roomId as never, sha256 })
const blobs = (sha256 = '') => world.system.db.artifactBlob.count({ where: { sha256 } })

describe('eraseArtifact', () => {
  it('holds a file back while the goal goes on', async () => {
    for (const ctx of [stage.client.ctx, stage.first.ctx, stage.publisher.ctx])
      await expectProblem(erase(ctx, files[0]), 'message.erasure_blocked')
    await expectProblem(erase(operator.ctx, files[0], '7 O 12/26'), 'message.erasure_blocked')
  })

  it('refuses strangers, and the payee of the file', async () => {
    await stage.lead.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id })
    await world.until('the payment', async () => (await world.goal(stage.goal.id)).state === 'paid')
    await expectProblem(erase(world.world.contextFor({ kind: 'anonymous' }), files[0]), 'auth.required')
    for (const ctx of [stranger.ctx, operator.ctx, stage.first.ctx, stage.publisher.ctx])
      await expectProblem(erase(ctx, files[0]), 'message.not_entitled')
    await expectProblem(erase(stranger.ctx, files[0], '7 O 12/26'), 'message.not_entitled')
    await expectProblem(erase(stage.client.ctx, '0'.repeat(64)), 'artifact.not_found')
    expect(await countAudit(stage, stage.goal.id, 'artifact.erase')).toBe(0)
    expect((await get(files[0])).content).not.toBe('')
  })

  it('takes the bytes away at the client’s word, and says so to every reader', async () => {
    await erase(stage.client.ctx, files[0])
    await erase(stage.client.ctx, files[0])
    expect(await get(files[0])).toMatchObject({ content: '', erased_at: expect.any(String) })
    expect(await blobs(files[0])).toBe(0)
    expect(await countAudit(stage, stage.goal.id, 'artifact.erase')).toBe(1)
  })

  it('leaves the bytes where another goal has the same file', async () => {
    const row = await world.system.db.artifact.findFirstOrThrow({ where: { goalId: stage.goal.id, sha256: files[1] ?? '' } })
    await world.system.db.artifact.create({ data: { ...row, goalId: 'gol_other' } })
    await erase(operator.ctx, files[1], '7 O 12/26')
    expect(await get(files[1])).toMatchObject({ content: '', erased_at: expect.any(String) })
    expect(await blobs(files[1])).toBe(1)
  })
})
