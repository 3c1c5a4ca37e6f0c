import { cancelSteps } from '@parley/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { listMembers, readMessages } from '../../../server/conversations/index.ts'
import { loadHold } from '../../../server/settlement/holds/hold-store.ts'
import { listPayouts, reconcile } from '../../../server/settlement/index.ts'
import { findSubTeam, getTeam, listSteps, putCharterInForce, revertToCharterInForce } from '../../../server/teams/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import {
  acceptByAll,
  agreeTeam,
  countAudit,
  createFundedGoal,
  type GoalFixture,
  newTaskId,
  publishTestAgent,
  sealTeamOf,
  stepPrice,
  type TestAgent,
  vetoTeamAs,
} from '../../support/goal-fixture.ts'
import { assignStep, buildHiringCharter, completeTask, hire, openSubTeamRoom } from '../../support/sub-team.ts'
import { submitOnChain } from '../../support/submit-on-chain.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await sealTeamOf(fixture)
})
afterAll(() => world[Symbol.asyncDispose]())

const noticesIn = async (roomId: string, kind: string) =>
  (await readMessages(world.system, { roomId, after: 0, limit: 200 })).filter((one) => one.parts.some((part) => part.data?.kind === kind))

describe('recordTeam', () => {
  it('notifies the room once for repeated reads of the chain, and takes no version but the sealed one', async () => {
    const { recordedAt } = await getTeam(world.system, fixture.goal.id)
    await putCharterInForce(world.system, { goalId: fixture.goal.id, version: 1, planId: '0x', tx: '0x', agreed: true, sealing: null })
    await putCharterInForce(world.system, { goalId: fixture.goal.id, version: 9, planId: '0x', tx: '0x', agreed: true, sealing: null })
    expect((await getTeam(world.system, fixture.goal.id)).recordedAt).toEqual(recordedAt)
    expect((await getTeam(world.system, fixture.goal.id)).agreed).toBe(true)
    const notices = await noticesIn(fixture.goal.roomId, 'charter.recorded')
    expect(notices).toHaveLength(1)
    expect(notices[0]?.parts[0]?.text).toContain('The client has approved the team')
    expect(notices[0]).toMatchObject({ sender_id: world.world.market.serverDid, payment: { kind: 'charter.recorded' } })
  })
})

describe('revertToCharterInForce', () => {
  const cost = 250_000n
  let owner: TestPerson
  let helper: TestAgent
  let other: TestAgent
  let task: string
  let room: { room_id: string; step: number }
  beforeAll(async () => {
    owner = await world.person({ usdc: 0n })
    helper = await publishTestAgent(world, owner, 'helper', 'text.helper', undefined, { price: cost })
    other = await publishTestAgent(world, await world.person({ usdc: 0n }), 'other', 'text.other', undefined, { price: cost })
    task = await assignStep(fixture, fixture.lead, 1)
    room = await openSubTeamRoom(fixture.first, task)
  })
  afterEach(() => vi.restoreAllMocks())

  /** The escrow refuses what comes next, once, for a reason that no later state of the chain heals. */
  const refuseNext = () =>
    vi.spyOn(world.system.ports.rail, 'simulate').mockResolvedValueOnce({ refused: 'The escrow does not like it.', isFinal: true })
  const propose = (agent: TestAgent, roomId: string, charter: Awaited<ReturnType<typeof buildHiringCharter>>) =>
    agent.send({ type: 'team.propose', goal_id: fixture.goal.id, room_id: roomId, charter })
  async function sealRefused(hired: TestAgent, skillId: string): Promise<void> {
    const before = await countAudit(fixture, fixture.goal.id, 'team.revert')
    const charter = await buildHiringCharter(fixture, room, [{ agent: hired, skillId, amount: cost }])
    await propose(fixture.first, room.room_id, charter)
    await acceptByAll(world, charter, fixture.first)
    await fixture.first.send({ type: 'team.seal', goal_id: fixture.goal.id, room_id: room.room_id })
    await world.until('the charter to be taken back', async () => (await countAudit(fixture, fixture.goal.id, 'team.revert')) > before)
  }
  const stepsNow = async () =>
    (await listSteps(world.system, fixture.goal.id)).map(({ step, state, amount, recorded }) => [step, state, amount, recorded])
  const inRoom = async (agent: TestAgent) =>
    (await listMembers(world.system, room.room_id)).some((one) => one.memberId === agent.did && one.leftAt === null)

  it('does nothing where nothing was refused', async () => {
    await revertToCharterInForce(world.system, fixture.goal.id)
    await revertToCharterInForce(world.system, 'gol_00000000000000000000000000000000')
    expect(await countAudit(fixture, fixture.goal.id, 'team.revert')).toBe(0)
  })

  it('puts the charter before it back in force, with its steps and members, and gives the hiring agent the reason', async () => {
    refuseNext()
    await sealRefused(helper, 'text.helper')
    await revertToCharterInForce(world.system, fixture.goal.id)
    expect(await countAudit(fixture, fixture.goal.id, 'team.revert')).toBe(1)
    expect(await getTeam(world.system, fixture.goal.id)).toMatchObject({ version: 1, state: 'sealed', recordedAt: expect.any(Date) })
    expect(await stepsNow()).toEqual([
      [1, 'assigned', stepPrice, true],
      [2, 'planned', stepPrice, true],
    ])
    expect(await findSubTeam(world.system, room.room_id)).toMatchObject({ state: 'forming', proposal: null, members: [] })
    expect(await inRoom(helper)).toBe(false)
    for (const roomId of [fixture.goal.roomId, room.room_id]) {
      const [notice, ...more] = await noticesIn(roomId, 'charter.withdrawn')
      expect(more).toEqual([])
      expect(notice?.parts[0]?.text).toBe(
        'Version 2 of the charter is not recorded: The escrow does not like it. Version 1 stays in force.',
      )
      expect(notice?.parts[1]?.data).toMatchObject({ version: 2, in_force: { charter: { version: 1 } } })
    }
  })

  it('lets hiring continue under the next number, and the chain takes it', async () => {
    const hired = [{ agent: helper, skillId: 'text.helper', amount: cost }]
    const charter = await buildHiringCharter(fixture, room, hired)
    expect(charter.version).toBe(3)
    await expectProblem(propose(fixture.first, room.room_id, { ...charter, version: 2 }), 'team.charter_invalid')
    expect(await hire(fixture, fixture.first, room, hired)).toEqual([3])
    expect(await getTeam(world.system, fixture.goal.id)).toMatchObject({ version: 3 })
    expect((await loadHold(world.system, fixture.goal.id)) as unknown).toMatchObject({ charter: { version: 3 }, failure: null })
  })

  it('keeps a team that was hired before at work where the chain itself refuses to let it grow', async () => {
    const inner = await assignStep(fixture, fixture.first, 3, helper)
    expect(inner).toMatch(/^tsk_/)
    // A payee has handed in on chain: from then on the escrow takes no other charter.
    await submitOnChain(world, owner, { goalId: fixture.goal.id, bits: 0b100n })
    await sealRefused(other, 'text.other')
    expect((await noticesIn(room.room_id, 'charter.withdrawn')).at(-1)?.parts[0]?.text).toContain('A step is already submitted on chain')
    expect(await findSubTeam(world.system, room.room_id)).toMatchObject({
      state: 'sealed',
      proposal: { version: 3 },
      recordedAt: expect.any(Date),
    })
    expect([await inRoom(helper), await inRoom(other)]).toEqual([true, false])
    expect((await stepsNow()).map(([step, state]) => [step, state])).toEqual([
      [1, 'assigned'],
      [2, 'planned'],
      [3, 'done'],
    ])
  })

  it('brings back whom the principal’s own refused charter had let go, and pays everyone by the one in force', async () => {
    const { charter } = await getTeam(world.system, fixture.goal.id)
    const spare = await publishTestAgent(world, owner, 'spare', 'text.second')
    const hands = { agent_id: spare.agentId as never, sender_id: spare.did as never, payee: spare.payee }
    const steps = charter.steps.map((step) => (step.step === 2 ? { ...step, ...hands } : step))
    const put = { ...cancelSteps(charter, [], hands), version: 5, steps }
    await fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: put })
    await acceptByAll(world, put, fixture.lead)
    const seated = async () =>
      (await listMembers(world.system, fixture.goal.roomId)).filter((one) => one.leftAt === null).map((one) => one.memberId)
    expect(await seated()).not.toContain(fixture.second.did)
    await fixture.lead.send({ type: 'team.seal', goal_id: fixture.goal.id })
    await world.until('the charter to be taken back', async () => (await countAudit(fixture, fixture.goal.id, 'team.revert')) === 3)
    expect(await seated()).toContain(fixture.second.did)
    expect(await seated()).not.toContain(spare.did)

    await completeTask(fixture.first, task)
    const last = newTaskId()
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: last, step: 2 })
    await completeTask(fixture.second, last)
    await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: 'Done.' }] })
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect(
      (await listPayouts(world.system, { goalId: fixture.goal.id }))
        .filter((one) => one.state === 'paid')
        .map((one) => [one.step, one.amount]),
    ).toEqual([
      [1, stepPrice - cost],
      [2, stepPrice],
      [3, cost],
    ])
    expect(await balanceOf(world.chain, helper.payee as `0x${string}`)).toBe(cost)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [] })
  })

  it('announces in the room once that the client vetoed a first charter, and the principal proposes another', async () => {
    const open = (client: TestPerson) =>
      world.postFundedGoal(client, { text: 'Write two short texts, please.', approves: false, vetoHours: 0 })
    const fresh = await createFundedGoal(world, 'fresh-', open)
    await agreeTeam(fresh)
    await fresh.lead.send({ type: 'team.seal', goal_id: fresh.goal.id })
    await vetoTeamAs(world, fresh.client, fresh.goal.id)
    await world.until('the notice', async () => (await noticesIn(fresh.goal.roomId, 'charter.withdrawn')).length > 0)
    await revertToCharterInForce(world.system, fresh.goal.id)
    const [notice, ...more] = await noticesIn(fresh.goal.roomId, 'charter.withdrawn')
    expect([notice?.parts[1]?.data?.in_force, more]).toEqual([null, []])
    const next = fresh.charter({ version: 2 })
    await fresh.lead.send({ type: 'team.propose', goal_id: fresh.goal.id, charter: next })
    expect((await getTeam(world.system, fresh.goal.id)).version).toBe(2)
  })
})
