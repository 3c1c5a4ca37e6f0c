import { charterBinding, charterHash } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../server/conversations/index.ts'
import { getCharterApproval, getHold, getQuotedCharter, listPayouts, reconcile } from '../../server/settlement/index.ts'
import { issueCompletionReceipts } from '../../server/tasks/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { startBuiltinAgents, type TestAgents } from '../support/builtin-agents.ts'
import { balanceOf } from '../support/test-money.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// A quoted goal: the client sees plan and price, signs once, and the money, the team and the payments follow. Built-in agents do the work.

const question = 'What is 15% of 240, please?'

let world: TestWorld
let builtin: TestAgents
let client: TestPerson
beforeAll(async () => {
  world = await createWorld()
  builtin = await startBuiltinAgents(world, ['principal', 'calculator'])
  client = await world.person()
})
afterAll(async () => {
  await builtin?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

const post = (more: object = {}) => world.postFundedGoal(client, { text: question, criteria: ['It is right.'], isQuoted: true, ...more })
const kindsIn = async (roomId: string) =>
  (await readMessages(world.system, { roomId, after: 0, limit: 500 })).flatMap(({ parts }) => parts.map(({ data }) => data?.kind ?? ''))

describe('a quoted goal', () => {
  it('is paid from one signature, by exactly the quoted team', async () => {
    const before = await balanceOf(world.chain, client.account.address)
    const goal = await post()
    const quoted = await getQuotedCharter(world.system, goal.id)
    if (!quoted) throw new Error('the goal has no quoted charter')
    // The escrow has the charter since the funding, before anyone was asked.
    const { planId } = await getHold(world.system, goal.id)
    expect(await world.system.ports.rail.plan(planId ?? '0x')).toMatchObject({ charter: 'authorized', version: 0 })
    expect(await getCharterApproval(world.system, goal.id)).toMatchObject({ state: 'approved', version: 0 })

    await world.until('the delivery', async () => (await world.goal(goal.id)).state === 'review')
    const team = await getTeam(world.system, goal.id)
    expect(team.charterHash).toBe(await charterHash(quoted.charter))
    expect(team.charter).toEqual(quoted.charter)
    const kinds = await kindsIn(goal.roomId)
    expect(kinds).toEqual(expect.arrayContaining(['charter', 'charter.accept', 'charter.recorded', 'task']))
    expect(kinds).not.toContain('charter.authorized')
    // Its workers hold what they need to be paid if client and server fall silent.
    await issueCompletionReceipts(world.system, goal.id)
    expect(await world.system.db.taskReceipt.count({ where: { goalId: goal.id, version: 0 } })).toBeGreaterThan(0)
    expect(await world.system.db.stepSubmission.count({ where: { goalId: goal.id, version: 0 } })).toBeGreaterThan(0)

    await client.send({ type: 'task.accept', goal_id: goal.id })
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
    const payouts = await listPayouts(world.system, { goalId: goal.id })
    expect(payouts.map(({ step, payee, amount, state }) => ({ step, payee, amount, state }))).toEqual(
      quoted.charter.steps.map(({ step, payee, amount }) => ({ step, payee, amount: BigInt(amount), state: 'paid' })),
    )
    const price = payouts.reduce((sum, { amount }) => sum + amount, 0n)
    expect(await balanceOf(world.chain, client.account.address)).toBe(before - price - (price * 250n) / 10_000n)

    // Two transactions in all: one funds, one pays. The goal is paid by the chain's log; the transaction is posted in the cycle after it.
    const sent = async () =>
      (await world.system.db.chainTransaction.findMany({ where: { goalId: goal.id }, orderBy: { createdAt: 'asc' } })).map(
        ({ purpose, state }) => [purpose, state],
      )
    await world.until('the posted transactions', async () => (await sent()).every(([, state]) => state === 'posted'))
    expect(await sent()).toEqual([
      ['fund', 'posted'],
      ['settle', 'posted'],
    ])
    const { terms } = await world.system.db.hold
      .findUniqueOrThrow({ where: { goalId: goal.id } })
      .then(({ termsCharter }) => ({ terms: termsCharter }))
    expect(terms).toBe(charterBinding(quoted.charter, quoted.charterHash))
  })

  it('goes back to the client whole, and states what it can do, if a quoted agent is gone at the start', async () => {
    const before = await balanceOf(world.chain, client.account.address)
    const goal = await post({ beforeFunding: () => builtin.kill('calculator') })
    await world.until('the refund', async () => (await world.goal(goal.id)).state === 'refunded', 120_000)
    expect(await balanceOf(world.chain, client.account.address)).toBe(before)
    const messages = await readMessages(world.system, { roomId: goal.roomId, after: 0, limit: 500 })
    const roomText = messages.flatMap(({ parts }) => parts.map(({ text }) => text ?? '')).join('\n')
    expect(roomText).toMatch(/did not answer the invitation.*You funded this team with the goal, so I can’t hire another agent/s)
    expect((await listPayouts(world.system, { goalId: goal.id })).every(({ state }) => state === 'refunded')).toBe(true)
    builtin.start('calculator')
  })

  it('leaves books that agree', async () => {
    const books = await reconcile(world.system)
    expect([books.onlyLedger, books.onlyChain, books.differing]).toEqual([[], [], []])
    expect(books.heldOnChain).toBe(books.heldInLedger)
  })
})
