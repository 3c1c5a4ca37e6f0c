import { createHash } from 'node:crypto'
import { newMessageId } from '@parley/agents'
import { type EnvelopeDraft, randomSeed, signEnvelope, signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getTask, listArtifactsUnchecked, listTaskDurations } from '../../../server/tasks/index.ts'
import { listSteps } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, createFundedGoal, type GoalFixture, newTaskId, sealTeamOf, textUpload } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
const taskId = newTaskId()
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await sealTeamOf(fixture)
  await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: taskId, step: 1 })
})
afterAll(() => world[Symbol.asyncDispose]())

const complete = (agent: GoalFixture['first'], artifacts: unknown[] = [textUpload('The first text.')], more: object = {}) =>
  agent.send({ type: 'task.complete', task_id: taskId, artifacts, ...more })

describe('completeTask', () => {
  it('refuses another agent, people, and a task that is not there', async () => {
    await expectProblem(complete(fixture.second), 'task.not_assignee')
    await expectProblem(fixture.client.send({ type: 'task.complete', task_id: taskId, artifacts: [] }), 'permission.denied')
    await expectProblem(fixture.first.send({ type: 'task.complete', task_id: newTaskId(), artifacts: [] }), 'task.not_found')
  })
  it('refuses work that lacks what the charter promises, and leaves nothing behind', async () => {
    await expectProblem(complete(fixture.first, []), 'task.artifact_invalid')
    await expectProblem(complete(fixture.first, [textUpload('x', 'chart.svg')]), 'task.artifact_invalid')
    expect(await listArtifactsUnchecked(world.system, fixture.goal.id)).toEqual([])
    expect(await countAudit(fixture, fixture.goal.id, 'task.complete')).toBe(0)
  })
  it('refuses an envelope whose signer is not the agent', async () => {
    const signer = await signerFromSeed(randomSeed())
    const draft = {
      id: newMessageId(),
      room_id: fixture.goal.roomId,
      sender_id: fixture.first.did,
      state: 'execution',
      type: 'task_result',
      task_id: taskId,
      parts: [],
    } as unknown as EnvelopeDraft
    await expectProblem(
      complete(fixture.first, [textUpload('x')], { envelope: await signEnvelope(signer, draft) }),
      'envelope.signature_invalid',
    )
    const own = { ...draft, sender_id: signer.did } as EnvelopeDraft
    await expectProblem(
      complete(fixture.first, [textUpload('x')], { envelope: await signEnvelope(signer, own) }),
      'envelope.sender_mismatch',
    )
  })
  it('keeps the files by their hash, once however often it is repeated', async () => {
    const first = await complete(fixture.first)
    expect(first).toMatchObject({ can_submit: true })
    expect(await complete(fixture.first)).toMatchObject({ artifacts: first.artifacts })
    expect(await countAudit(fixture, fixture.goal.id, 'task.complete')).toBe(1)
    const sha256 = createHash('sha256').update('The first text.').digest('hex')
    expect(await listArtifactsUnchecked(world.system, fixture.goal.id)).toMatchObject([{ sha256, task_id: taskId, by: fixture.first.did }])
    expect(await getTask(world.system, taskId)).toMatchObject({ state: 'completed', acceptance: 'pending' })
    expect((await listSteps(world.system, fixture.goal.id))[0]?.state).toBe('done')
  })
  it('is measured: how long the agent took, and of no one who has completed nothing', async () => {
    const times = await listTaskDurations(world.system, [fixture.first.agentId, fixture.second.agentId])
    expect(times).toMatchObject([{ agentId: fixture.first.agentId, skillId: 'text.first', n: 1 }])
    expect(times[0]?.seconds).toBeGreaterThan(0)
  })
})
