import { randomBytes } from 'node:crypto'
import { uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import { issueQuote } from '../../server/goals/index.ts'
import { getCharterApproval, getHold, getQuotedCharter, listPayouts } from '../../server/settlement/index.ts'
import { startCards } from '../support/cards.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { deliverQuoted, publishQuotedTeam, type QuotedTeam } from '../support/quoted-team.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// A quoted goal that is paid by card: the payment is the client's only approval, and the server pays exactly the quoted team.

let world: TestWorld
let cards: Awaited<ReturnType<typeof startCards>>
let fixture: QuotedTeam
let client: TestPerson
beforeAll(async () => {
  cards = await startCards()
  world = await createWorld({ hub: false, env: cards.env })
  cards.serve(world)
  const publisher = await world.person({ usdc: 0n })
  fixture = await publishQuotedTeam(world, { principal: publisher, calculator: publisher })
  client = await world.person({ usdc: 0n })
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await cards?.[Symbol.asyncDispose]()
})

async function fundedByCard(): Promise<string> {
  const text = 'What is 15% of 240, please?'
  const quote = await issueQuote(client.ctx, { text, criteria: [], files: [] })
  const deadline = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
  const goal = { text, criteria: [{ text: 'It is right.' }], budget: '1130000', deadline, review_hours: 1, rail: 'stripe' }
  const { goal_id } = await client.send<{ goal_id: string }>({ type: 'goal.post', id: uuidv7(Date.now(), randomBytes(10)), goal, quote })
  // Nothing is approved before the payment.
  expect(await getCharterApproval(world.system, goal_id)).toMatchObject({ state: 'none' })
  const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
  paySession(cards.double.context, url.split('/').at(-1) ?? '', 'paid')
  await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
  return goal_id
}

describe('a quoted goal by card', () => {
  it('is approved by the payment, and pays the quoted team and no other', async () => {
    const goalId = await fundedByCard()
    expect(await getCharterApproval(world.system, goalId)).toMatchObject({ state: 'approved', version: 0 })
    const quoted = await getQuotedCharter(world.system, goalId)
    if (!quoted) throw new Error('the goal has no quoted charter')

    await fixture.lead.send({ type: 'goal.claim', goal_id: goalId })
    const [first, ...rest] = quoted.charter.steps
    for (const changed of [{ payee: `0x${'b2'.repeat(20)}` }, { amount: '999' }]) {
      const charter = { ...quoted.charter, steps: [{ ...first, ...changed }, ...rest] }
      await expectProblem(fixture.lead.send({ type: 'team.propose', goal_id: goalId, charter, unsigned: true }), 'team.charter_invalid')
    }
    const next = { ...quoted.charter, version: 1 }
    await expectProblem(fixture.lead.send({ type: 'team.propose', goal_id: goalId, charter: next, unsigned: true }), 'team.charter_invalid')

    await deliverQuoted(world, fixture, goalId)
    await client.send({ type: 'task.accept', goal_id: goalId })
    await world.until('the settlement', async () => (await getHold(world.system, goalId)).state === 'captured')
    const paid = await listPayouts(world.system, { goalId })
    expect(paid.map(({ step, amount }) => [step, amount])).toEqual(quoted.charter.steps.map(({ step, amount }) => [step, BigInt(amount)]))
    expect(paid.every(({ state }) => state === 'paid' || state === 'credited')).toBe(true)
    expect(await world.system.db.charterAuthorization.count({ where: { goalId } })).toBe(0)
  })

  it('is refunded if the client stops it before the team has formed', async () => {
    const goalId = await fundedByCard()
    await client.send({ type: 'goal.cancel', goal_id: goalId, reason: 'Not needed.' })
    await world.until('the refund', async () => (await getHold(world.system, goalId)).state === 'voided')
    expect((await listPayouts(world.system, { goalId })).every(({ state }) => state === 'refunded')).toBe(true)
  })
})
