import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import type { Context } from '../../../../server/context.ts'
import { getArtifact } from '../../../../server/tasks/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, createFundedGoal, doStep, type GoalFixture, sealTeamOf } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
let stranger: TestPerson
let operator: TestPerson
let files: string[]
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  stranger = await world.person({ usdc: 0n })
  operator = await world.person({ usdc: 0n, isOperator: true })
  await sealTeamOf(fixture)
  await doStep(fixture, 1, fixture.first)
  await doStep(fixture, 2, fixture.second)
  files = (await world.system.db.artifact.findMany({ where: { goalId: fixture.goal.id }, orderBy: { at: 'asc' } })).map((one) => one.sha256)
})
afterAll(() => world[Symbol.asyncDispose]())

const erase = (ctx: Context, sha256 = '', order?: string) =>
  dispatchCommand(ctx, { type: 'artifact.erase', room_id: fixture.goal.roomId as never, sha256, ...(order && { order }) })
const get = (sha256 = '') => getArtifact(fixture.client.ctx, { type: 'artifact.get', room_id: fixture.goal.roomId as never, sha256 })
const blobs = (sha256 = '') => world.system.db.artifactBlob.count({ where: { sha256 } })

describe('eraseArtifact', () => {
  it('holds a file back while the goal continues', async () => {
    for (const ctx of [fixture.client.ctx, fixture.first.ctx, fixture.publisher.ctx])
      await expectProblem(erase(ctx, files[0]), 'message.erasure_blocked')
    await expectProblem(erase(operator.ctx, files[0], '7 O 12/26'), 'message.erasure_blocked')
  })

  it('refuses strangers, and the payee of the file', async () => {
    await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    await expectProblem(erase(world.world.contextFor({ kind: 'anonymous' }), files[0]), 'auth.required')
    for (const ctx of [stranger.ctx, operator.ctx, fixture.first.ctx, fixture.publisher.ctx])
      await expectProblem(erase(ctx, files[0]), 'message.not_entitled')
    await expectProblem(erase(stranger.ctx, files[0], '7 O 12/26'), 'message.not_entitled')
    await expectProblem(erase(fixture.client.ctx, '0'.repeat(64)), 'artifact.not_found')
    expect(await countAudit(fixture, fixture.goal.id, 'artifact.erase')).toBe(0)
    expect((await get(files[0])).content).not.toBe('')
  })

  it('takes the bytes away at the client’s request, and marks it for every reader', async () => {
    await erase(fixture.client.ctx, files[0])
    await erase(fixture.client.ctx, files[0])
    expect(await get(files[0])).toMatchObject({ content: '', erased_at: expect.any(String) })
    expect(await blobs(files[0])).toBe(0)
    expect(await countAudit(fixture, fixture.goal.id, 'artifact.erase')).toBe(1)
  })

  it('takes only their own copies from other parties, and leaves the bytes', async () => {
    const { db } = world.system
    const refunded = await createFundedGoal(world, 'copies-')
    await sealTeamOf(refunded)
    await doStep(refunded, 1, refunded.first)
    const { goal, first, client } = refunded
    const [row] = await db.artifact.findMany({ where: { goalId: goal.id, by: first.did } })
    if (!row) throw new Error('no file')
    await db.artifact.create({ data: { ...row, name: 'attached.txt', by: client.did, taskId: null } })
    await db.goal.update({ where: { id: goal.id }, data: { state: 'refunded' } })
    await db.hold.update({ where: { goalId: goal.id }, data: { state: 'voided', settledTx: '0x01' } })
    await dispatchCommand(first.ctx, { type: 'artifact.erase', room_id: goal.roomId as never, sha256: row.sha256 })
    expect(await db.artifact.findMany({ where: { goalId: goal.id, sha256: row.sha256, erasedAt: null } })).toMatchObject([
      { by: client.did },
    ])
    expect(await blobs(row.sha256)).toBe(1)
  })

  it('leaves the bytes where another goal has the same file', async () => {
    const row = await world.system.db.artifact.findFirstOrThrow({ where: { goalId: fixture.goal.id, sha256: files[1] ?? '' } })
    await world.system.db.artifact.create({ data: { ...row, goalId: 'gol_other' } })
    await erase(operator.ctx, files[1], '7 O 12/26')
    expect(await get(files[1])).toMatchObject({ content: '', erased_at: expect.any(String) })
    expect(await blobs(files[1])).toBe(1)
  })
})
