/** What the parties of a contest try beyond their part: the chosen agent, the client, and agents whose entries are slow to check. */
import { createHash } from 'node:crypto'
import { newMessageId } from '@parley/agents'
import { type Charter, charterAuthorizationTypedData, charterVetoTypedData, prefixedId } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endUnconcludedWork } from '../../../../server/goals/index.ts'
import { getCharterApproval, listPayouts } from '../../../../server/settlement/index.ts'
import { getTeam } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { planOf, textUpload, vetoTeamAs } from '../../../support/goal-fixture.ts'
import { openContests } from './contest-market.ts'

let market: Awaited<ReturnType<typeof openContests>>
beforeAll(async () => {
  market = await openContests()
})
afterAll(() => market?.world[Symbol.asyncDispose]())

describe('the chosen agent', () => {
  it('neither raises its price, nor assigns its step, nor ends the contest', async () => {
    const goal = await market.post()
    const { entry_id } = await market.submit(market.ana, goal)
    const second = await market.submit(market.ben, goal)
    await market.choose(goal, entry_id)
    const { charter } = await getTeam(market.world.system, goal.id)
    const [step] = charter.steps
    const dearer: Charter = { ...charter, version: 2, steps: [{ ...step, amount: '9000000' as never } as never] }
    await expectProblem(market.ana.send({ type: 'team.propose', goal_id: goal.id, charter: dearer }), 'goal.not_principal')
    await expectProblem(market.ana.send({ type: 'charter.submit', goal_id: goal.id, charter: dearer }), 'goal.not_principal')
    const task = { task_id: prefixedId('tsk', newMessageId()), step: 1, task_desc: 'Something else.', inputs: [] }
    await expectProblem(market.ana.send({ type: 'task.assign', goal_id: goal.id, ...task }), 'goal.not_principal')
    const ends = { type: 'goal.conclude', goal_id: goal.id, outcome: 'failed', parts: [{ text: 'No.' }] } as const
    await expectProblem(market.ana.send(ends), 'goal.wrong_state')
    // So after a veto the client still has the other entry.
    await vetoTeamAs(market.world, market.client, goal.id)
    await expectProblem(market.ana.send(ends), 'goal.wrong_state')
    await market.choose(goal, second.entry_id)
    await market.approve(goal)
    await market.ended(goal, 'paid')
    const paid = await listPayouts(market.world.system, { goalId: goal.id })
    expect(paid.map(({ payee, amount }) => [payee, amount])).toEqual([[market.ben.payee, 1_000_000n]])
  })
})

describe('a stolen login', () => {
  it('chooses an entry, but approves no charter and vetoes none: the client vetoes it and chooses another', async () => {
    const goal = await market.post()
    const [puppet, honest] = [await market.submit(market.cleo, goal), await market.submit(market.ben, goal)]
    const { version } = await market.choose(goal, puppet.entry_id)
    const plan = (await planOf(market.world, goal.id)) ?? expect.unreachable()
    const { charter, charterHash } = await getTeam(market.world.system, goal.id)
    const { account } = market.stranger
    const approval = await account.signTypedData(charterAuthorizationTypedData(charter, charterHash as `0x${string}`, plan))
    const veto = await account.signTypedData(charterVetoTypedData(plan, version))
    const named = { goal_id: goal.id, version }
    await expectProblem(market.client.send({ type: 'team.authorize', ...named, signature: approval }), 'team.signature_invalid')
    await expectProblem(market.client.send({ type: 'team.veto', ...named, reason: 'No.', signature: veto }), 'team.signature_invalid')
    await vetoTeamAs(market.world, market.client, goal.id)
    await market.choose(goal, honest.entry_id)
    await market.approve(goal)
    await market.ended(goal, 'paid')
    expect((await listPayouts(market.world.system, { goalId: goal.id })).map(({ payee }) => payee)).toEqual([market.ben.payee])
  })
})

describe('a check', () => {
  it('releases nothing that the client vetoes, and chooses no second entry', async () => {
    const sha256 = createHash('sha256').update('The sea is wide.').digest('hex')
    const goal = await market.post({ check: { kind: 'sha256', sha256 } })
    await market.submit(market.ana, goal)
    await market.submit(market.ben, goal)
    await market.world.until('the choice', async () => (await market.world.goal(goal.id)).state === 'underway', 40_000)
    await market.world.until(
      'the proposal',
      async () => (await getCharterApproval(market.world.system, goal.id)).state === 'proposed',
      60_000,
    )
    await vetoTeamAs(market.world, market.client, goal.id)
    await market.warp(3_700)
    const isPaid = async () => (await market.world.goal(goal.id)).state === 'paid'
    await expect(market.world.until('the payment', isPaid, 8_000)).rejects.toThrow('waited')
    await market.warp(23 * 3_600)
    await endUnconcludedWork(market.world.system, goal.id)
    await market.ended(goal, 'refunded')
    expect(await listPayouts(market.world.system, { goalId: goal.id })).not.toContainEqual(expect.objectContaining({ state: 'paid' }))
  })
})

describe('a check that lasts', () => {
  it('delays neither the job queue nor the entries of another client', async () => {
    // Each test stays below its limit, so all five run. The last condition fails them all.
    const tests = [1, 2, 3, 4, 5].map((n) => ({ name: `Test ${n}`, body: 'run()\nassert(false)' }))
    const long = { kind: 'tests' as const, tests }
    const slow = await Promise.all([1, 2, 3].map(() => market.post({ check: long, max: 3 })))
    const loop = { ...textUpload('function run() { const end = Date.now() + 1800; while (Date.now() < end); }'), name: 'a.txt' }
    for (const goal of slow)
      for (const agent of [market.ana, market.ben, market.cleo]) await market.submit(agent, goal, { artifacts: [loop] })
    const other = await market.world.person()
    const sha256 = createHash('sha256').update('The sea is wide.').digest('hex')
    const start = Date.now()
    // Its opening is a job, and so is the announcement.
    const quick = await market.world.postFundedGoal(other, {
      ...{ text: 'Write about the sea.', approves: false, deadlineMs: 24 * 3_600_000, vetoHours: 1 },
      more: { contest: { max_entries: 2, entries_by: market.hours(2), check: { kind: 'sha256', sha256 } }, on_silence: 'refund' },
    })
    expect(Date.now() - start).toBeLessThan(8_000)
    await market.submit(market.ana, quick)
    await market.world.until('the choice', async () => (await market.world.goal(quick.id)).state === 'underway', 40_000)
    // Nine entries take at least 81 s.
    const verdicts = await market.world.system.db.entry.count({ where: { goalId: { in: slow.map(({ id }) => id) }, isPassed: false } })
    expect(verdicts).toBeLessThan(6)
  }, 120_000)
})

describe('the client', () => {
  const cancel = (goal: { id: string }) => market.client.send({ type: 'goal.cancel', goal_id: goal.id, reason: 'I have what I need.' })

  it('can end the contest until it has approved an entry, and not afterwards', async () => {
    const [kept, dropped] = [await market.post(), await market.post()]
    for (const goal of [kept, dropped]) await market.choose(goal, (await market.submit(market.ana, goal)).entry_id)
    expect(await getCharterApproval(market.world.system, dropped.id)).toMatchObject({ version: 1 })
    await cancel(dropped)
    await market.approve(kept)
    await expectProblem(cancel(kept), 'goal.wrong_state')
    await market.ended(kept, 'paid')
    await market.warp(3_700)
    await market.ended(dropped, 'refunded')
  })

  it('chooses another entry after the rail has rejected the charter of one', async () => {
    const goal = await market.post({ vetoHours: 0 })
    const [first, second] = [await market.submit(market.ana, goal), await market.submit(market.ben, goal)]
    await market.choose(goal, first.entry_id)
    await expectProblem(market.choose(goal, second.entry_id), 'goal.wrong_state')
    await market.world.system.db.hold.update({ where: { goalId: goal.id }, data: { failure: 'The rail rejects this payee.' } })
    await market.choose(goal, second.entry_id)
    await market.approve(goal)
    await market.ended(goal, 'paid')
    expect((await listPayouts(market.world.system, { goalId: goal.id })).map(({ payee }) => payee)).toEqual([market.ben.payee])
  })
})
