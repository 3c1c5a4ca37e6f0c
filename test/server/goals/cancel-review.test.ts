import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../../server/delivery/index.ts'
import { getDisputes, getDisputeTerms, getHold, listPayouts, reconcile } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { balanceOf } from '../../support/money.ts'
import { countAudit, deliverStage, doStep, type Stage, sealStage, setStage, stepPrice } from '../../support/stage.ts'
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
const stop = (stage: Stage) => stage.client.send({ type: 'goal.cancel', goal_id: stage.goal.id, reason: 'That will do.' })
const ends = (stage: Stage, state: 'paid' | 'refunded') =>
  world.until('the settlement', async () => (await world.goal(stage.goal.id)).state === state)

async function expectBooksAgree(): Promise<void> {
  expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
}

describe('a goal that is stopped in review', () => {
  it('pays all that was finished, with and without a word, once, bound to the client’s message', async () => {
    const stage = await setStage(world, 'finished-')
    const [first] = await deliverStage(stage)
    const { answer } = await world.goal(stage.goal.id)
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id, task_ids: [first] })
    expect(await states(stage)).toEqual(['sealed', 'sealed'])
    expect(await stop(stage)).toEqual({ goal_id: stage.goal.id, state: 'settling' })
    await stop(stage)
    await ends(stage, 'paid')
    expect(await states(stage)).toEqual(['paid', 'paid'])
    expect(await held(stage)).toBe(mint - withFee(2n * stepPrice))
    const ended = await world.goal(stage.goal.id)
    expect(ended).toMatchObject({ outcome: 'stopped', answer })
    const [last] = await readLog(world.system, { roomId: stage.goal.roomId, after: (ended.conclusionSeq ?? 0) - 1, limit: 1 })
    expect(last?.body).toContain('That will do.')
    expect((await getHold(world.system, stage.goal.id)).conclusionHash).toBe(`0x${last?.hash}`)
    expect(await countAudit(stage, stage.goal.id, 'goal.cancel')).toBe(1)
    await expectProblem(
      stage.client.send({ type: 'task.return', goal_id: stage.goal.id, task_ids: [first], reason: 'No.' }),
      'task.wrong_state',
    )
    await expectBooksAgree()
  })

  it('sends back what was returned, once its payee had time to dispute', async () => {
    const stage = await setStage(world, 'returned-')
    const [, second] = await deliverStage(stage)
    await stage.client.send({ type: 'task.return', goal_id: stage.goal.id, task_ids: [second], reason: 'It is blank.' })
    await stop(stage)
    await world.until('the payment of the first step', async () => (await states(stage))[0] === 'paid')
    expect(await states(stage)).toEqual(['paid', 'sealed'])
    expect(await held(stage)).toBe(mint - stage.goal.budget)
    const disputeBy = (await getDisputes(world.system, stage.goal.id)).disputeBy ?? 0
    expect(disputeBy * 1_000).toBeGreaterThan(world.clock.now().getTime())
    world.clock.advance(disputeBy * 1_000 - world.clock.now().getTime() + 1_000)
    await ends(stage, 'paid')
    expect(await states(stage)).toEqual(['paid', 'refunded'])
    expect(await held(stage)).toBe(mint - withFee(stepPrice))
    await expectBooksAgree()
  })

  it('leaves what is disputed to its ruling', async () => {
    const stage = await setStage(world, 'ruled-')
    await deliverStage(stage)
    const given = { goal_id: stage.goal.id, step: 2, evidence: 'It is blank.', artifacts: [] }
    const { typedData } = await getDisputeTerms(stage.client.ctx, given)
    const signature = await stage.client.account.signTypedData(typedData as never)
    const { dispute_id } = await stage.client.send<{ dispute_id: string }>({ type: 'dispute.open', ...given, signature })
    await world.until('the dispute', async () => (await states(stage))[1] === 'disputed')
    await stop(stage)
    await world.until('the payment of the first step', async () => (await states(stage))[0] === 'paid')
    expect(await states(stage)).toEqual(['paid', 'disputed'])
    expect((await world.goal(stage.goal.id)).state).toBe('settling')
    const operator = await world.person({ usdc: 0n, isOperator: true })
    await operator.send({ type: 'dispute.rule', dispute_id, payee_bps: 2_500, reason: 'A quarter of it is there.' })
    await ends(stage, 'paid')
    expect(await states(stage)).toEqual(['paid', 'split'])
    expect(await held(stage)).toBe(mint - withFee(stepPrice) - withFee(stepPrice / 4n))
    await expectBooksAgree()
  })

  it('that its principal called failed pays what was finished, and sends back the rest', async () => {
    const stage = await setStage(world, 'failed-')
    await sealStage(stage)
    await doStep(stage, 1, stage.first)
    await stage.lead.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'failed', parts: [{ text: 'No second text.' }] })
    expect((await world.goal(stage.goal.id)).state).toBe('review')
    await stop(stage)
    await ends(stage, 'paid')
    expect(await states(stage)).toEqual(['paid', 'refunded'])
    expect(await held(stage)).toBe(mint - withFee(stepPrice))
  })

  it('is stopped too late once its money is on its way, or was paid', async () => {
    const stage = await setStage(world, 'late-')
    await deliverStage(stage)
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id })
    await world.until('the settlement to begin', async () => (await world.goal(stage.goal.id)).state !== 'review')
    await expectProblem(stop(stage), 'goal.wrong_state')
    await ends(stage, 'paid')
    await expectProblem(stop(stage), 'goal.wrong_state')
    expect(await countAudit(stage, stage.goal.id, 'goal.cancel')).toBe(0)
  })
})
