import { type Charter, charterHash, charterTypedData } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../server/conversations/index.ts'
import { getEscrowTerms, getHold, getSettlementProof, listPayouts, reconcile } from '../../server/settlement/index.ts'
import { expireTaskLease } from '../../server/tasks/index.ts'
import { getTeam, listSteps } from '../../server/teams/index.ts'
import { expectProblem } from '../support/expect-problem.ts'
import {
  createFundedGoal,
  doStep,
  type GoalFixture,
  newTaskId,
  publishTestAgent,
  stepPrice,
  type TestAgent,
} from '../support/goal-fixture.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// All have signed on chain, and then one never answers again: the others continue without it, by their own signatures.

let world: TestWorld
let fixture: GoalFixture
let plan: NonNullable<Charter['plan']>
/** Each agent with the wallet that it is paid into. */
let silent: TestAgent
let spare: TestAgent
let owners: Map<TestAgent, TestPerson>
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  const [one, other] = [await world.person({ usdc: 0n }), await world.person({ usdc: 0n })]
  silent = await publishTestAgent(world, one, 'silent', 'text.second')
  spare = await publishTestAgent(world, other, 'spare', 'text.second')
  owners = new Map([
    [fixture.first, fixture.publisher],
    [silent, one],
    [spare, other],
  ])
  const { chainId, escrow, planId } = await getHold(world.system, fixture.goal.id)
  plan = { chain_id: chainId ?? 0, escrow: escrow ?? '', plan_id: planId ?? '' }
})
afterAll(() => world?.[Symbol.asyncDispose]())

function charterWith(agent: TestAgent, version: number): Charter {
  const [first, second] = fixture.charter().steps
  if (!first || !second) throw new Error('the stage has two steps')
  const taken = { ...second, agent_id: agent.agentId as never, sender_id: agent.did as never, payee: agent.payee }
  return fixture.charter({ plan, version, steps: [first, taken] })
}

const propose = (charter: Charter) => fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter })

async function accept(agent: TestAgent, charter: Charter, isSigned = true): Promise<void> {
  const charter_hash = await charterHash(charter)
  const account = owners.get(agent)?.account
  const signature = await account?.signTypedData(charterTypedData(charter, charter_hash, plan))
  const member_signature = { signer: agent.payee, signature }
  await agent.send({
    type: 'team.accept',
    goal_id: fixture.goal.id,
    charter_hash,
    ...(isSigned ? { member_signature } : { unsigned: true }),
  })
}

async function seal(version: number): Promise<void> {
  await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
  await world.until(`version ${version} on chain`, async () => {
    const team = await getTeam(world.system, fixture.goal.id)
    return team.version === version && team.recordedAt
  })
}

const payouts = async () =>
  (
    await world.system.db.payout.findMany({ where: { goalId: fixture.goal.id }, orderBy: [{ charterVersion: 'asc' }, { step: 'asc' }] })
  ).map(({ charterVersion, step, agentId, state }) => ({ charterVersion, step, agentId, state }))

describe('a member of an agreed charter that goes silent', () => {
  it('is bound to its step, as all others are', async () => {
    const charter = charterWith(silent, 1)
    await propose(charter)
    await accept(fixture.first, charter)
    await accept(silent, charter)
    await seal(1)
    // The client has approved it: it binds without being on chain yet.
    expect(await getHold(world.system, fixture.goal.id)).toMatchObject({ charterVersion: 1, sealedTx: null })
    // Both sides have signed that a silent member may be replaced.
    expect(Number((await getEscrowTerms(world.system, fixture.goal.id)).onSilence) & 2).toBe(2)
  })

  it('loses its step with its lease, and what others did stays done', async () => {
    await doStep(fixture, 1, fixture.first)
    const task_id = newTaskId()
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id, step: 2 })
    const early = charterWith(spare, 2)
    await expectProblem(propose(early), 'team.charter_invalid')
    await world.system.db.task.update({ where: { id: task_id }, data: { leaseUntil: new Date(0) } })
    await expireTaskLease(world.system, task_id)
    expect((await listSteps(world.system, fixture.goal.id)).map(({ state }) => state)).toEqual(['done', 'planned'])
  })

  it('is not asked when the others agree on another in its place, and they are asked, each of them', async () => {
    const charter = charterWith(spare, 2)
    await propose(charter)
    await expectProblem(accept(silent, charter), 'team.not_member')
    await accept(spare, charter)
    // Its step is done, and its signature is needed nevertheless: the charter is its promise.
    await expectProblem(fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id }), 'team.incomplete')
    await accept(fixture.first, charter)
    await seal(2)
    expect(await getSettlementProof(world.system, fixture.goal.id)).toMatchObject({
      charterVersion: 2,
      charterHash: await charterHash(charter),
      charterAuthorized: true,
    })
    const seals = await world.system.db.chainLog.findMany({
      where: { planId: plan.plan_id, name: 'PlanSealed' },
      orderBy: { block: 'asc' },
    })
    // The one that replaces another is brought on chain at once.
    expect(seals.map(({ args }) => args as object)).toMatchObject([{ version: 2, payableFrom: 0 }])
    const messages = await readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 200 })
    const recorded = messages.flatMap((one) => one.parts.flatMap(({ data }) => (data?.kind === 'charter.recorded' ? [data] : [])))
    expect(recorded).toMatchObject([
      { version: 1, agreed: true },
      { version: 2, agreed: true },
    ])
  })

  it('is not paid, and everyone else is, once', async () => {
    await doStep(fixture, 2, spare)
    await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect(await payouts()).toEqual([
      { charterVersion: 1, step: 1, agentId: fixture.first.agentId, state: 'replaced' },
      { charterVersion: 1, step: 2, agentId: silent.agentId, state: 'replaced' },
      { charterVersion: 2, step: 1, agentId: fixture.first.agentId, state: 'paid' },
      { charterVersion: 2, step: 2, agentId: spare.agentId, state: 'paid' },
    ])
    expect(await listPayouts(world.system, { agentId: silent.agentId })).toEqual([])
    const received = await Promise.all([fixture.first, silent, spare].map((agent) => balanceOf(world.chain, agent.payee as `0x${string}`)))
    expect(received).toEqual([stepPrice, 0n, stepPrice])
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })
})
