import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleGoal } from '../../../server/goals/index.ts'
import { getDisputes, getDisputeTerms, listPayouts, reconcile } from '../../../server/settlement/index.ts'
import { balanceOf } from '../../support/money.ts'
import { countAudit, deliverStage, type Stage, setStage, stepPrice } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const mint = 1_000_000_000n
const withFee = (amount: bigint) => amount + (amount * 250n) / 10_000n
const held = (stage: Stage) => balanceOf(world.chain, stage.client.account.address)
const states = async (stage: Stage) => (await listPayouts(world.system, { goalId: stage.goal.id })).map(({ state }) => state)

/** The second step is returned and the first accepted; the first is paid. Answers until when the second can be disputed. */
async function returnSecond(stage: Stage): Promise<number> {
  const [first, second] = await deliverStage(stage)
  await stage.client.send({ type: 'task.return', goal_id: stage.goal.id, task_ids: [second], reason: 'It is blank.' })
  await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id, task_ids: [first] })
  await world.until('the payment of the first step', async () => (await states(stage))[0] === 'paid')
  return (await getDisputes(world.system, stage.goal.id)).disputeBy ?? 0
}

async function windowsTold(stage: Stage) {
  const rows = await world.system.db.message.findMany({ where: { roomId: stage.goal.roomId }, orderBy: { seq: 'asc' } })
  const parts = rows.flatMap((row) => (JSON.parse(row.body) as { parts?: { data?: { kind?: string } }[] }).parts ?? [])
  return parts.flatMap(({ data }) => (data?.kind === 'dispute.window' ? [data] : []))
}

async function expectBooksAgree(): Promise<void> {
  expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
}

describe('settleGoal', () => {
  it('sends a returned step’s money back when nobody has disputed in the time that the room announced', async () => {
    const stage = await setStage(world, 'window-')
    const disputeBy = await returnSecond(stage)
    expect(Math.abs(disputeBy * 1_000 - world.clock.now().getTime() - 3_600_000)).toBeLessThan(120_000)
    const told = { steps: [2], dispute_by: new Date(disputeBy * 1_000).toISOString() }
    expect(await windowsTold(stage)).toMatchObject([told])
    await settleGoal(world.system, stage.goal.id)
    expect(await windowsTold(stage)).toHaveLength(1)
    expect(await countAudit(stage, stage.goal.id, 'goal.settle')).toBe(1)
    expect((await world.goal(stage.goal.id)).state).toBe('settling')
    expect(await states(stage)).toEqual(['paid', 'sealed'])
    expect(await held(stage)).toBe(mint - stage.goal.budget)

    world.clock.advance(disputeBy * 1_000 - world.clock.now().getTime() + 1_000)
    await world.until('the end', async () => (await world.goal(stage.goal.id)).state === 'paid')
    expect(await states(stage)).toEqual(['paid', 'refunded'])
    expect(await held(stage)).toBe(mint - withFee(stepPrice))
    await expectBooksAgree()
  })

  it('leaves a returned step that its payee disputes in time to the arbitrator', async () => {
    const stage = await setStage(world, 'contest-')
    await returnSecond(stage)
    const given = { goal_id: stage.goal.id, step: 2, evidence: 'It says what was asked for.', artifacts: [] }
    const { typedData } = await getDisputeTerms(stage.publisher.ctx, given)
    const signature = await stage.publisher.account.signTypedData(typedData as never)
    const { dispute_id } = await stage.publisher.send<{ dispute_id: string }>({ type: 'dispute.open', ...given, signature })
    await world.until('the dispute', async () => (await states(stage))[1] === 'disputed')
    const operator = await world.person({ usdc: 0n, isOperator: true })
    await operator.send({ type: 'dispute.rule', dispute_id, payee_bps: 6_000, reason: 'Most of it is there.' })
    // Nothing is left to dispute, so nobody waits for the hour.
    await world.until('the end', async () => (await world.goal(stage.goal.id)).state === 'paid')
    expect(await states(stage)).toEqual(['paid', 'split'])
    expect(await held(stage)).toBe(mint - withFee(stepPrice) - withFee((stepPrice * 6_000n) / 10_000n))
    await expectBooksAgree()
  })

  it('gives all of it back, later, where everything was returned', async () => {
    const stage = await setStage(world, 'nothing-')
    const all = await deliverStage(stage)
    await stage.client.send({ type: 'task.return', goal_id: stage.goal.id, task_ids: all, reason: 'None of it is usable.' })
    await world.until('the settlement to begin', async () => (await world.goal(stage.goal.id)).state === 'settling')
    expect(await windowsTold(stage)).toMatchObject([{ steps: [1, 2] }])
    expect(await states(stage)).toEqual(['sealed', 'sealed'])
    world.clock.advance(3_601_000)
    await world.until('the refund', async () => (await world.goal(stage.goal.id)).state === 'refunded')
    expect(await held(stage)).toBe(mint)
  })
})
