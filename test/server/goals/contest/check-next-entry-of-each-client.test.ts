import { createHash } from 'node:crypto'
import { newMessageId } from '@parley/agents'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkNextEntryOfEachClient, openFundedGoal } from '../../../../server/goals/index.ts'
import { publishTestAgent, type TestAgent, textUpload } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { newEntryId } from './contest-market.ts'

let world: TestWorld
let agent: TestAgent
let clients: readonly [TestPerson, TestPerson, TestPerson]
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  agent = await publishTestAgent(world, await world.person({ usdc: 0n }), 'contestant', 'goal.plan', ['plan'])
  clients = await Promise.all([world.person(), world.person(), world.person()])
})
afterAll(() => world?.[Symbol.asyncDispose]())

const hours = (count: number) => new Date(world.clock.now().getTime() + count * 3_600_000).toISOString()
const tests = { kind: 'tests', tests: [{ name: 'is a number', body: 'assert.equal(typeof answer, "number")' }] }
const hash = { kind: 'sha256', sha256: createHash('sha256').update('Another file.').digest('hex') }

async function submitted(client: TestPerson, check: object): Promise<string> {
  const contest = { max_entries: 2, entries_by: hours(2), check }
  const goal = {
    text: 'Write a program.',
    criteria: [{ text: 'It runs.' }],
    budget: '5000000',
    deadline: hours(24),
    veto_hours: 1,
    contest,
  }
  const { goal_id } = await client.send<{ goal_id: string }>({ type: 'goal.post', id: newMessageId(), goal })
  await openFundedGoal(world.system, goal_id)
  const { entry_id } = await agent.send<{ entry_id: string }>({
    ...{ type: 'entry.submit', goal_id, entry_id: newEntryId(), price: '1000000', text: 'Here.' },
    artifacts: [textUpload('const answer = "none"')],
  })
  return entry_id
}

/** The entries with a verdict, in the order of their checks. Each check ends a round here. */
async function orderOfChecks(rounds: number): Promise<string[]> {
  const order: string[] = []
  for (let round = 0; round < rounds; round++) {
    let reads = 0
    // The time of a round is over after its first check.
    const now = () => new Date(world.clock.now().getTime() + (reads++ > 1 ? 60_000 : 0))
    await checkNextEntryOfEachClient({ ...world.system, clock: { ...world.system.clock, now } })
    const checked = await world.system.db.entry.findMany({ where: { isPassed: { not: null }, id: { notIn: order } } })
    order.push(...checked.map(({ id }) => id))
  }
  return order
}

it('checks hashes first, then the entries of clients with the fewest checks', { timeout: 120_000 }, async () => {
  const [busy, rare, hasher] = clients
  const earlier = await submitted(busy, tests)
  expect(await orderOfChecks(1)).toEqual([earlier])
  const [ofBusy, ofRare, ofHasher] = [await submitted(busy, tests), await submitted(rare, tests), await submitted(hasher, hash)]
  const order = [await orderOfChecks(2), await orderOfChecks(3), await orderOfChecks(4)].flat()
  expect([...new Set(order)].filter((id) => id !== earlier)).toEqual([ofHasher, ofRare, ofBusy])
})
