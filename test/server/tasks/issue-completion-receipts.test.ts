import { outputsHash, submissionTypedData, TaskReceipt } from '@parley/protocol'
import { recoverTypedDataAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planIdOf } from '../../../contracts/abi/index.ts'
import { getHold } from '../../../server/settlement/index.ts'
import { getTask, issueCompletionReceipts, listArtifactsUnchecked } from '../../../server/tasks/index.ts'
import { acceptByAll, countAudit, createFundedGoal, doStep, type GoalFixture, inboxData, sealTeamOf } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
let taskId: string
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await sealTeamOf(fixture)
  taskId = await doStep(fixture, 1, fixture.first)
})
afterAll(() => world[Symbol.asyncDispose]())

async function receipts(agentId: string): Promise<TaskReceipt[]> {
  return (await inboxData(fixture, agentId)).filter((data) => data.kind === 'task.receipt').map((data) => TaskReceipt.parse(data))
}

describe('issueCompletionReceipts', () => {
  it('hands the worker a receipt that the evaluator signed, over its files and its plan', async () => {
    const [receipt] = await world.until('the receipt', async () => {
      const found = await receipts(fixture.first.agentId)
      return found.length > 0 && found
    })
    if (!receipt) throw new Error('no receipt')
    const hold = await getHold(world.system, fixture.goal.id)
    const signer = await recoverTypedDataAddress({ ...submissionTypedData(receipt), signature: receipt.signature as `0x${string}` })
    expect(signer.toLowerCase()).toBe(world.world.market.evaluator)
    const task = await getTask(world.system, taskId)
    expect(receipt).toMatchObject({
      task_id: taskId,
      step: 1,
      version: 1,
      bits: '1',
      plan: { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId },
      outputs_hash: await outputsHash((await listArtifactsUnchecked(world.system, fixture.goal.id)).map((file) => file.sha256)),
      received_at: Math.floor(('endedAt' in task ? task.endedAt.getTime() : 0) / 1_000),
    })
    // Its holder can name the plan by the terms in it.
    const terms = Object.fromEntries(
      Object.entries(receipt.terms).map(([field, value]) => [field, field === 'total' || field === 'salt' ? BigInt(String(value)) : value]),
    )
    expect(planIdOf({ chainId: world.chain.chainId, escrow: world.chain.escrow }, terms as never).toLowerCase()).toBe(hold.planId)
  })

  it('gives it once, however often it is asked, and to no one for what is not done', async () => {
    await Promise.all([issueCompletionReceipts(world.system, fixture.goal.id), issueCompletionReceipts(world.system, fixture.goal.id)])
    expect(await receipts(fixture.first.agentId)).toHaveLength(1)
    expect(await receipts(fixture.second.agentId)).toEqual([])
    expect(await countAudit(fixture, fixture.goal.id, 'task.acknowledge')).toBe(1)
  })

  it('gives a new one under the next version of the charter, for what stays done', async () => {
    const { first } = fixture
    const charter = fixture.charter({ version: 2 })
    await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter })
    await acceptByAll(world, charter, fixture.lead)
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    const found = await world.until('the second receipt', async () => {
      const all = await receipts(first.agentId)
      return all.length > 1 && all
    })
    expect(found.map((one) => [one.version, one.task_id])).toEqual([
      [1, taskId],
      [2, taskId],
    ])
  })
})
