import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEntries, performDueContestAction } from '../../../../server/goals/index.ts'
import { getCharterApproval, listPayouts, reconcile } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, publishTestAgent, vetoTeamAs } from '../../../support/goal-fixture.ts'
import { balanceOf } from '../../../support/test-money.ts'
import { newEntryId, openContests } from './contest-market.ts'

let market: Awaited<ReturnType<typeof openContests>>
beforeAll(async () => {
  market = await openContests()
})
afterAll(() => market?.world[Symbol.asyncDispose]())

/** The entries that the page of the goal offers its client. */
const choosable = async (goalId: string) =>
  (await listEntries(market.client.ctx, goalId)).filter(({ can_choose }) => can_choose).map(({ id }) => id)

describe('a choice', () => {
  it('is the client’s, pays its entry only, once it is approved, and gives the others the reason', async () => {
    const goal = await market.post()
    const before = await balanceOf(market.world.chain, market.client.account.address)
    const [first, second] = [await market.submit(market.ana, goal), await market.submit(market.ben, goal, { price: '2000000' })]
    await expectProblem(market.choose(goal, second.entry_id, market.stranger), 'goal.not_client')
    await expectProblem(market.choose(goal, newEntryId()), 'entry.not_found')
    const other = await market.post()
    await expectProblem(market.choose(other, first.entry_id), 'entry.not_found')
    const chosen = await market.choose(goal, second.entry_id, market.client, { reason: 'It is shorter.' })
    expect(await market.choose(goal, second.entry_id, market.client, { reason: 'It is shorter.' })).toEqual(chosen)
    await expectProblem(market.choose(goal, first.entry_id), 'goal.wrong_state')
    await expectProblem(market.submit(market.cleo, goal), 'goal.wrong_state')
    expect(await market.inboxOf(market.ana, 'entry.decided')).toContainEqual(
      expect.objectContaining({ entry_id: first.entry_id, state: 'declined', reason: 'It is shorter.' }),
    )
    expect(await market.inboxOf(market.ben, 'entry.decided')).toContainEqual(
      expect.objectContaining({ entry_id: second.entry_id, state: 'chosen' }),
    )
    // Nothing is paid without the approval.
    expect(await getCharterApproval(market.world.system, goal.id)).toMatchObject({ version: 1 })
    expect(await listPayouts(market.world.system, { goalId: goal.id })).toEqual([])
    await market.approve(goal)
    await market.ended(goal, 'paid')
    const payouts = await listPayouts(market.world.system, { goalId: goal.id })
    expect(payouts.map(({ payee, amount, state }) => [payee, amount, state])).toEqual([[market.ben.payee, 2_000_000n, 'paid']])
    expect(await balanceOf(market.world.chain, market.client.account.address)).toBe(before - 2_050_000n)
    const { answer, outcome } = await market.world.goal(goal.id)
    expect([outcome, JSON.stringify(answer)]).toEqual(['delivered', expect.stringContaining('The sea.')])
    expect(await countAudit(market, goal.id, 'entry.choose')).toBe(1)
  })

  it('is offered to the client only, and again after the rail has rejected the charter', async () => {
    const goal = await market.post()
    const [first, second] = [await market.submit(market.ana, goal), await market.submit(market.ben, goal)]
    expect(await choosable(goal.id)).toEqual([first.entry_id, second.entry_id])
    expect((await listEntries(market.owners[0].ctx, goal.id)).map(({ can_choose }) => can_choose)).toEqual([false])
    await market.choose(goal, first.entry_id)
    expect(await choosable(goal.id)).toEqual([])
    await market.world.until('the charter', () => market.world.system.db.holdCharter.findFirst({ where: { goalId: goal.id } }))
    await market.world.system.db.hold.update({ where: { goalId: goal.id }, data: { failure: 'A payee cannot receive the token.' } })
    expect(await choosable(goal.id)).toEqual([second.entry_id])
    await market.choose(goal, second.entry_id)
    expect(await choosable(goal.id)).toEqual([])
  })

  it('is paid after the veto window if the client does not answer', async () => {
    const goal = await market.post()
    const { entry_id } = await market.submit(market.ana, goal)
    await market.choose(goal, entry_id)
    await market.world.until(
      'the proposal',
      async () => (await getCharterApproval(market.world.system, goal.id)).state === 'proposed',
      60_000,
    )
    expect((await market.world.goal(goal.id)).state).toBe('underway')
    await market.warp(3_700)
    await market.ended(goal, 'paid')
  })

  it('can be another one after a veto', async () => {
    const goal = await market.post({ vetoHours: 0 })
    const [first, second] = [await market.submit(market.ana, goal), await market.submit(market.ben, goal)]
    const { version } = await market.choose(goal, first.entry_id)
    await vetoTeamAs(market.world, market.client, goal.id)
    expect(await choosable(goal.id)).toEqual([second.entry_id])
    const next = await market.choose(goal, second.entry_id)
    expect(next.version).toBe(version + 1)
    expect(await choosable(goal.id)).toEqual([])
    await market.approve(goal)
    await market.ended(goal, 'paid')
    expect((await listPayouts(market.world.system, { goalId: goal.id })).map(({ payee }) => payee)).toEqual([market.ben.payee])
    expect((await listEntries(market.client.ctx, goal.id)).map(({ state, reason }) => [state, reason])).toEqual([
      ['declined', 'Its charter was vetoed or rejected.'],
      ['chosen', null],
    ])
  })
})

describe('silence', () => {
  it('refunds a contest without an entry when entries close', async () => {
    const goal = await market.post()
    await performDueContestAction(market.world.system, goal.id)
    expect((await market.world.goal(goal.id)).state).toBe('open')
    await market.warp(2 * 3_600 + 1)
    await performDueContestAction(market.world.system, goal.id)
    await market.ended(goal, 'refunded')
  })

  it('refunds where the terms say so, and gives the agents the reason', async () => {
    const goal = await market.post()
    const { entry_id } = await market.submit(market.ana, goal)
    await market.warp(24 * 3_600)
    await performDueContestAction(market.world.system, goal.id)
    await market.ended(goal, 'refunded')
    expect(await market.inboxOf(market.ana, 'entry.decided')).toContainEqual(
      expect.objectContaining({ entry_id, state: 'declined', reason: 'The client chose no entry in time.' }),
    )
  })

  it('chooses the earliest entry where it pays, which is paid after the veto window', async () => {
    const goal = await market.post({ onSilence: 'pay' })
    const [first] = [await market.submit(market.ana, goal), await market.submit(market.ben, goal)]
    await market.warp(22.8 * 3_600)
    await performDueContestAction(market.world.system, goal.id)
    expect((await listEntries(market.client.ctx, goal.id)).find(({ state }) => state === 'chosen')?.id).toBe(first.entry_id)
    await market.world.until(
      'the proposal',
      async () => (await getCharterApproval(market.world.system, goal.id)).state === 'proposed',
      60_000,
    )
    await market.warp(3_700)
    await market.ended(goal, 'paid')
  })

  it('skips an entry whose listing was withdrawn', async () => {
    const goal = await market.post({ onSilence: 'pay' })
    const owner = await market.world.person({ usdc: 0n })
    const gone = await publishTestAgent(market.world, owner, `gone-${Date.now()}`, 'goal.plan', ['plan'])
    await market.submit(gone, goal)
    const { entry_id } = await market.submit(market.ben, goal)
    await owner.send({ type: 'listing.withdraw', agent_id: gone.agentId })
    await market.warp(22.8 * 3_600)
    await performDueContestAction(market.world.system, goal.id)
    expect((await listEntries(market.client.ctx, goal.id)).find(({ state }) => state === 'chosen')?.id).toBe(entry_id)
  })

  it('leaves books that agree', async () => {
    // Contests of other cases end meanwhile.
    const books = await market.world.until('the books to agree', async () => {
      const found = await reconcile(market.world.system)
      return found.heldOnChain === found.heldInLedger && found
    })
    expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
  })
})
