import { createPublicClient, http, parseTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadHold } from '../../../../server/settlement/holds/hold-store.ts'
import { reconcile } from '../../../../server/settlement/index.ts'
import { getTeam } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import {
  acceptByAll,
  countAudit,
  createFundedGoal,
  doStep,
  type GoalFixture,
  newTaskId,
  publishTestAgent,
  sealTeamOf,
  stepPrice,
  type TestAgent,
} from '../../../support/goal-fixture.ts'
import { walletWithGas } from '../../../support/submit-on-chain.ts'
import { balanceOf } from '../../../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => vi.restoreAllMocks())

const openClient = () => createPublicClient({ transport: http(world.chain.rpcUrl) })

/** The chain mines the seals that come next and takes their effect back, each for want of a little gas. */
function starveSeals(): void {
  const { rail } = world.system.ports
  const encode = rail.encode.bind(rail)
  vi.spyOn(rail, 'simulate').mockResolvedValue(null)
  vi.spyOn(rail, 'encode').mockImplementation(async (call) => {
    const encoded = await encode(call)
    if (call.kind !== 'seal') return encoded
    const { to, data } = encoded
    const enough = await openClient().estimateGas({ account: rail.sender as `0x${string}`, to, data })
    return { ...encoded, gas: enough - 9_000n }
  })
}

/** A team at work under its first charter; the second, which gives step 2 to another agent, was mined and reverted. */
async function setScene(name: string): Promise<{ fixture: GoalFixture; owner: TestPerson; rival: TestAgent; raw: `0x${string}` }> {
  const fixture = await createFundedGoal(world, `${name}-`)
  await sealTeamOf(fixture)
  const owner = await world.person({ usdc: 0n })
  const rival = await publishTestAgent(world, owner, `${name}-rival`, 'text.second')
  const goal_id = fixture.goal.id
  const charter = fixture.charter({ version: 2 })
  const hands = { agent_id: rival.agentId as never, sender_id: rival.did as never, payee: rival.payee }
  const steps = charter.steps.map((step) => (step.step === 2 ? { ...step, ...hands } : step))
  const put = { ...charter, steps }
  await fixture.lead.send({ type: 'team.propose', goal_id, charter: put })
  await acceptByAll(world, put, fixture.lead)
  starveSeals()
  await fixture.lead.send({ type: 'team.seal', goal_id })
  await world.until('the charter to be taken back', async () => {
    world.clock.advance(1_000)
    return (await countAudit(fixture, goal_id, 'team.revert')) === 1
  })
  vi.restoreAllMocks()
  const sent = await world.system.db.signedTransaction.findMany({ where: { transaction: { key: { startsWith: `seal:${goal_id}:2` } } } })
  const [first] = sent
  if (!first) throw new Error('nothing was sent')
  expect((await openClient().getTransactionReceipt({ hash: first.hash as `0x${string}` })).status).toBe('reverted')
  expect(await getTeam(world.system, goal_id)).toMatchObject({ version: 1, recordedAt: expect.any(Date) })
  return { fixture, owner, rival, raw: first.raw as `0x${string}` }
}

/** Anyone brings the same call once more, with gas enough; how the chain took it. */
async function replay(raw: `0x${string}`, stranger: TestPerson): Promise<string> {
  const { to, data } = parseTransaction(raw)
  const wallet = await walletWithGas(world, stranger)
  const hash = await wallet.sendTransaction({ to: to ?? null, data: data ?? '0x', gas: 1_000_000n })
  return (await openClient().waitForTransactionReceipt({ hash })).status
}

const assign = (fixture: GoalFixture, step: number) =>
  fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: newTaskId(), step })
const sealedVersion = async ({ goal }: GoalFixture) =>
  ((await loadHold(world.system, goal.id)) as { charter?: { version: number } }).charter?.version

// Three transactions are mined and taken back in each, with pauses between them.
describe('requireUnchangeableStepPay', { timeout: 900_000 }, () => {
  it('hands out nothing for which a seal that was mined and reverted could pay another agent, and a replay gains nothing', async () => {
    const { fixture, owner, rival, raw } = await setScene('replayed')
    const task = await doStep(fixture, 1, fixture.first)
    expect(task).toMatch(/^tsk_/)
    await expectProblem(assign(fixture, 2), 'team.contested')
    expect(await replay(raw, owner)).toBe('success')
    await world.until('the log to be read', async () => (await sealedVersion(fixture)) === 2)
    await expectProblem(assign(fixture, 2), 'team.contested')
    // The principal gives up; what was done is paid as agreed, and what no one did goes back.
    await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'failed', parts: [{ text: 'So far.' }] })
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect(await balanceOf(world.chain, rival.payee as `0x${string}`)).toBe(0n)
    expect(await balanceOf(world.chain, fixture.first.payee as `0x${string}`)).toBe(stepPrice)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [] })
  })

  it('continues once a later version is recorded, which makes the replay void', async () => {
    const { fixture, owner, rival, raw } = await setScene('renewed')
    const goal_id = fixture.goal.id
    await expectProblem(assign(fixture, 2), 'task.blocked')
    await doStep(fixture, 1, fixture.first)
    await expectProblem(assign(fixture, 2), 'team.contested')
    const put = fixture.charter({ version: 3 })
    await fixture.lead.send({ type: 'team.propose', goal_id, charter: put })
    await acceptByAll(world, put, fixture.lead)
    await fixture.lead.send({ type: 'team.seal', goal_id })
    await world.until('the charter on chain', async () => (await sealedVersion(fixture)) === 3)
    expect(await replay(raw, owner)).toBe('reverted')
    await world.until('the team to hear of it', async () => (await getTeam(world.system, goal_id)).recordedAt)
    await doStep(fixture, 2, fixture.second)
    await fixture.lead.send({ type: 'goal.conclude', goal_id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    await fixture.client.send({ type: 'task.accept', goal_id })
    await world.until('the payment', async () => (await world.goal(goal_id)).state === 'paid')
    expect(await balanceOf(world.chain, rival.payee as `0x${string}`)).toBe(0n)
    expect(await balanceOf(world.chain, fixture.second.payee as `0x${string}`)).toBe(2n * stepPrice)
  })

  it('lets no one conclude over work whose pay was changed behind it', async () => {
    const { fixture, raw, owner } = await setScene('late')
    await doStep(fixture, 1, fixture.first)
    // A step that was done without being asked about: as if it had been handed out before.
    await world.system.db.step.updateMany({ where: { goalId: fixture.goal.id, step: 2 }, data: { state: 'done' } })
    const conclude = () =>
      fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    await expectProblem(conclude(), 'team.contested')
    expect(await replay(raw, owner)).toBe('success')
    await world.until('the log to be read', async () => (await sealedVersion(fixture)) === 2)
    await expectProblem(conclude(), 'team.contested')
    expect((await world.goal(fixture.goal.id)).state).toBe('underway')
  })
})
