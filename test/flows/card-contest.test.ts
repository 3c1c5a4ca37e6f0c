import { newMessageId } from '@parley/agents'
import { cardPlan, charterAuthorizationTypedData, charterVetoTypedData, prefixedId } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import { getCharterApproval, getHold, listPayouts } from '../../server/settlement/index.ts'
import { getTeam } from '../../server/teams/index.ts'
import { postCardGoal, startCards } from '../support/cards.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { publishTestAgent, type TestAgent, textUpload } from '../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../support/world.ts'

// A contest that is paid by card has the escrow's rule: a chosen entry is paid once its client approves the charter, and not after a veto.

let world: TestWorld
let cards: Awaited<ReturnType<typeof startCards>>
let client: TestPerson
let ana: TestAgent
let ben: TestAgent
beforeAll(async () => {
  cards = await startCards()
  world = await createWorld({ hub: false, env: cards.env })
  cards.serve(world)
  client = await world.person({ usdc: 0n })
  const owners = await Promise.all([world.person({ usdc: 0n }), world.person({ usdc: 0n })])
  ana = await publishTestAgent(world, owners[0], 'card-ana', 'goal.plan', ['plan'])
  ben = await publishTestAgent(world, owners[1], 'card-ben', 'goal.plan', ['plan'])
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await cards?.[Symbol.asyncDispose]()
})

async function opened(): Promise<string> {
  const entries_by = new Date(world.clock.now().getTime() + 2 * 3_600_000).toISOString()
  const more = { on_silence: 'refund', contest: { max_entries: 2, entries_by } }
  const goal_id = await postCardGoal(world, client, { hours: 24, vetoHours: 1, approves: false, more })
  const { url } = await client.send<{ url: string }>({ type: 'hold.checkout', goal_id })
  paySession(cards.double.context, url.split('/').at(-1) ?? '', 'paid')
  await world.until('the goal to open', async () => (await world.goal(goal_id)).state === 'open')
  return goal_id
}

async function submit(agent: TestAgent, goal_id: string, price: string): Promise<string> {
  const entry_id = prefixedId('ent', newMessageId())
  const artifacts = [textUpload('The sea is wide.')]
  await agent.send({ type: 'entry.submit', goal_id, entry_id, price, text: 'The sea.', artifacts })
  return entry_id
}

const choose = (goal_id: string, entry_id: string) => client.send({ type: 'entry.choose', goal_id, entry_id })
const cancel = (goal_id: string) => client.send({ type: 'goal.cancel', goal_id, reason: 'Enough.' })

async function answer(goal_id: string, kind: 'team.authorize' | 'team.veto'): Promise<void> {
  const { charter, charterHash, version } = await getTeam(world.system, goal_id)
  const plan = cardPlan(goal_id, world.world.market.chainId)
  const isApproval = kind === 'team.authorize'
  const signature = isApproval
    ? await client.account.signTypedData(charterAuthorizationTypedData(charter, charterHash as `0x${string}`, plan))
    : await client.account.signTypedData(charterVetoTypedData(plan, version))
  await client.send({ type: kind, goal_id, version, signature, ...(!isApproval && { reason: 'Not this one.' }) })
}

describe('a contest by card', () => {
  it('pays the entry that the client approves, at its price, and refunds the rest', async () => {
    const goalId = await opened()
    const [first, second] = [await submit(ana, goalId, '1000000'), await submit(ben, goalId, '2000000')]
    await choose(goalId, first)
    expect(await getCharterApproval(world.system, goalId)).toMatchObject({ state: 'proposed', version: 1 })
    await expectProblem(choose(goalId, second), 'goal.wrong_state')
    await answer(goalId, 'team.veto')
    await choose(goalId, second)
    expect(await listPayouts(world.system, { goalId })).not.toContainEqual(expect.objectContaining({ state: 'paid' }))
    await answer(goalId, 'team.authorize')
    await expectProblem(cancel(goalId), 'goal.wrong_state')
    await world.until('the settlement', async () => (await getHold(world.system, goalId)).state === 'captured')
    const paid = (await listPayouts(world.system, { goalId })).filter(({ state }) => state === 'paid' || state === 'credited')
    expect(paid.map(({ payee, amount }) => [payee, amount])).toEqual([[ben.payee, 2_000_000n]])
  })

  it('refunds everything if the client vetoes the entry and ends the contest', async () => {
    const goalId = await opened()
    await choose(goalId, await submit(ana, goalId, '1000000'))
    await answer(goalId, 'team.veto')
    await cancel(goalId)
    await world.until('the refund', async () => (await world.goal(goalId)).state === 'refunded')
  })

  it('pays an entry after its veto window', async () => {
    const goalId = await opened()
    await choose(goalId, await submit(ana, goalId, '1000000'))
    world.clock.advance(3_660_000)
    await world.until('the settlement', async () => (await getHold(world.system, goalId)).state === 'captured')
  })
})
