import { newMessageId } from '@parley/agents'
import { randomSeed, type SignedQuote, signerFromSeed, signQuote } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltinName, builtinHandle } from '../../../../agents/builtin/agent-names.ts'
import { listingDraftOf } from '../../../../agents/builtin/listings.ts'
import { issueQuote } from '../../../../server/goals/index.ts'
import { markOnline } from '../../../../server/registry/index.ts'
import { getHold, getQuotedCharter } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let client: TestPerson
let other: TestPerson
const ids = new Map<string, string>()

async function list(owner: TestPerson, name: BuiltinName, handle = builtinHandle(name)): Promise<void> {
  const { agent_id } = await world.publish(owner, { ...listingDraftOf(name, owner.account.address), handle, name: handle })
  ids.set(handle, agent_id)
}
const connect = (handle: string) => markOnline(world.system, ids.get(handle) ?? '', 'test')

beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  client = await world.person({ usdc: 0n })
  other = await world.person({ usdc: 0n })
  const house = await world.person({ usdc: 0n, isHouse: true })
  await list(house, 'principal')
  await list(house, 'calculator')
  await list(other, 'principal', 'other-planner')
})
afterAll(() => world?.[Symbol.asyncDispose]())

const text = 'What is 15% of 240, please?'
const impossible = 'Sing me a song about the sea'
const post = (changes: object = {}, more: object = {}) =>
  client.send<{ goal_id: string }>({
    type: 'goal.post',
    id: newMessageId(),
    goal: {
      ...{ text, criteria: [{ text: 'It is right.' }], budget: '2000000' },
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      ...changes,
    },
    ...more,
  })
const quote = (changes: object = {}) => issueQuote(client.ctx, { text, criteria: [], files: [], ...changes })

describe('goal.post', () => {
  it('is an open bounty while no planner is online', async () => {
    expect((await post({ text: impossible })).goal_id).toMatch(/^gol_/)
    expect(await quote()).toMatchObject({ outcome: 'unavailable' })
  })

  it('needs a plan where only the built-in planner can take the goal', async () => {
    await connect('house-principal')
    const missing = await expectProblem(post(), 'goal.plan_missing')
    expect(missing.facts).toMatchObject({ reason: expect.any(String) })
    await connect('house-calculator')
    expect((await post()).goal_id).toMatch(/^gol_/)
    await expectProblem(post({ text: impossible }), 'goal.plan_missing')
  })

  it('states what the planner would ask', async () => {
    const { facts, message } = await expectProblem(post({ text: 'Plot the revenue as a chart, please' }), 'goal.plan_missing')
    expect(message).toContain(String(facts.question ?? facts.reason))
  })

  it('refuses a budget below the plan, with the budget that is enough', async () => {
    const { min_budget } = await quote()
    const low = String(BigInt(min_budget ?? '0') - 1n)
    if (BigInt(low) < 100_000n) return
    expect((await expectProblem(post({ budget: low }), 'goal.plan_missing')).facts).toEqual({ min_budget })
    expect((await post({ budget: min_budget })).goal_id).toMatch(/^gol_/)
  })

  it('refuses a mode in which no one online plans', async () => {
    const { facts } = await expectProblem(post({ planner: 'model' }), 'goal.planner_invalid')
    expect(facts).toEqual({ mode: 'model', available: 'deterministic,copilot' })
  })

  it('reads attached files', async () => {
    const file = {
      ...{ name: 'a.csv', media_type: 'text/csv', artifact_type: 'table.csv' },
      content: Buffer.from('name,amount\nx,1\n').toString('base64'),
    }
    // The agent that reads tables is not online.
    await expectProblem(post({ text: 'What is the total amount?' }, { attachments: [file] }), 'goal.plan_missing')
  })

  it('is quoted with priced suggestions, of which one becomes a goal that keeps what was written first', async () => {
    const first = 'test scores 14 17 9 20, teacher wants mean median and range'
    const { outcome, suggestions = [] } = await quote({ text: first })
    expect(outcome).toBe('unavailable')
    const [reading] = suggestions
    expect(reading).toMatchObject({
      text: 'What are the mean, median and range of 14, 17, 9, 20?',
      steps: [{ handle: 'house-calculator' }, { skill_id: 'goal.plan' }],
      left_out_words: ['test', 'scores', 'teacher', 'wants'],
    })
    expect(BigInt(reading?.min_budget ?? 0)).toBe(BigInt(reading?.total ?? 0) + BigInt(reading?.fee ?? 0))
    await expectProblem(post({ text: first }), 'goal.plan_missing')
    const { goal_id } = await post({ text: reading?.text, original_text: first, budget: reading?.min_budget })
    const stored = await world.system.db.goal.findUniqueOrThrow({ where: { id: goal_id } })
    expect([stored.text, stored.originalText]).toEqual([reading?.text, first])
  })

  it('with a quote holds the plan to it', async () => {
    const valid = await quote()
    expect(valid).toMatchObject({ outcome: 'planned', steps: [{ handle: 'house-calculator' }, { skill_id: 'goal.plan' }] })
    expect((await post({ budget: valid.min_budget }, { quote: valid })).goal_id).toMatch(/^gol_/)
    const refusals: [SignedQuote, object, RegExp][] = [
      [valid, { text: 'What is 15% of 241, please?' }, /another text/],
      [{ ...valid, min_budget: '1' as never }, {}, /signature/],
      [await signQuote(await signerFromSeed(randomSeed()), valid as never), {}, /issued by/],
      [await quote({ text: impossible }), { text: impossible }, /no plan to post/],
      [valid, { values: [{ type: 'order.parcels', data: {} }] }, /other values/],
    ]
    for (const [given, changes, reason] of refusals) {
      const { message } = await expectProblem(post(changes, { quote: given }), 'goal.quote_invalid')
      expect(message).toMatch(reason)
    }
    const dearer = { ...valid, steps: valid.steps?.map((step) => ({ ...step, price: '1' as never })) }
    const signed = await signQuote(world.world.contextFor({ kind: 'anonymous' }).ports.signer, dearer as never)
    expect((await expectProblem(post({}, { quote: signed }), 'goal.quote_invalid')).message).toMatch(/price has changed/)
  })

  it('with a quote funds the quoted team with the terms, and without one it is an open bounty', async () => {
    const valid = await quote()
    const { goal_id } = await post({ budget: valid.min_budget, authorizer: `0x${'a1'.repeat(20)}` }, { quote: valid })
    const found = await getQuotedCharter(world.system, goal_id)
    const paid = found?.charter.steps.map(({ agent_id, payee, amount }) => ({ agent_id, payee, price: amount }))
    expect(paid).toEqual(valid.steps?.map(({ agent_id, payee, price }) => ({ agent_id, payee, price })))
    const hold = await getHold(world.system, goal_id)
    expect(hold).toMatchObject({ isQuoted: true, total: BigInt(valid.min_budget ?? 0) })
    // Only the planner of the quote can lead this team.
    const { planners } = await world.goal(goal_id)
    expect(planners).toEqual([ids.get('house-principal')])
    for (const open of [await post(), await post({ planner: 'copilot' }, { quote: valid })])
      expect(await getHold(world.system, open.goal_id)).toMatchObject({ isQuoted: false })
  })

  it('refuses a quote that names another payee, and one whose planner the goal does not admit', async () => {
    const valid = await quote()
    const { signer } = world.world.contextFor({ kind: 'anonymous' }).ports
    const elsewhere = { ...valid, steps: valid.steps?.map((step) => ({ ...step, payee: `0x${'b2'.repeat(20)}` })) }
    const signed = await signQuote(signer, elsewhere as never)
    expect((await expectProblem(post({}, { quote: signed }), 'goal.quote_invalid')).message).toMatch(/price has changed/)
    const others = await expectProblem(post({ planners: [ids.get('other-planner')] }, { quote: valid }), 'goal.quote_invalid')
    expect(others.message).toMatch(/does not admit its planner/)
  })

  it('is an open bounty where another planner may take the goal, and only there', async () => {
    await connect('other-planner')
    expect((await post({ text: impossible })).goal_id).toMatch(/^gol_/)
    await expectProblem(post({ text: impossible, visibility: 'private' }), 'goal.plan_missing')
    await expectProblem(post({ text: impossible, planners: [ids.get('house-principal')] }), 'goal.plan_missing')
    expect((await post({ text: impossible, planners: [ids.get('other-planner')] })).goal_id).toMatch(/^gol_/)
  })
  it('refuses a quote after five minutes', async () => {
    const valid = await quote()
    world.clock.advance(300_000)
    expect((await expectProblem(post({}, { quote: valid }), 'goal.quote_invalid')).message).toMatch(/expired/)
  })
})
