import { newMessageId } from '@parley/agents'
import { demandDays, maxOpenDemands } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltinName, builtinHandle } from '../../../../agents/builtin/agent-names.ts'
import { listingDraftOf } from '../../../../agents/builtin/listings.ts'
import { listDemands, listOwnDemands, matchDemandsWithOnlineAgents } from '../../../../server/goals/index.ts'
import { markOnline } from '../../../../server/registry/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let client: TestPerson
let stranger: TestPerson
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  client = await world.person({ usdc: 0n })
  stranger = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

type Answer = { readonly demand_id: string; readonly state: string }
const post = (who: TestPerson, text: string, id = newMessageId()) => who.send<Answer>({ type: 'demand.post', id, text })
const texts = async (who: TestPerson) => (await listDemands(who.ctx)).demands.map(({ text }) => text)

async function connect(house: TestPerson, name: BuiltinName): Promise<void> {
  const handle = builtinHandle(name)
  const { agent_id } = await world.publish(house, { ...listingDraftOf(name, house.account.address), handle, name: handle })
  await markOnline(world.system, agent_id, 'test')
}

describe('a demand', () => {
  it('is public, and repeats its answer', async () => {
    const id = newMessageId()
    const first = await post(client, 'Sing me a song about the sea.', id)
    expect(first).toMatchObject({ demand_id: expect.stringMatching(/^dmd_/), state: 'open' })
    expect(await post(client, 'Sing me a song about the sea.', id)).toEqual(first)
    expect((await listDemands(stranger.ctx)).demands).toMatchObject([{ text: 'Sing me a song about the sea.', is_own: false }])
    expect(await listOwnDemands(client.ctx)).toMatchObject([{ id: first.demand_id, is_own: true }])
    expect(await listOwnDemands(stranger.ctx)).toEqual([])
    expect(await countAudit({ world }, first.demand_id, 'demand.post')).toBe(1)
  })

  it('refuses an unreadable text, and too many of one person', async () => {
    await expectProblem(post(client, 'Hi'), 'request.malformed')
    await expectProblem(post(client, 'Pay \u202Eeno on this one please'), 'content.refused')
    for (let left = maxOpenDemands; left > 0; left--) await post(stranger, `Write poem number ${left} about the sea.`)
    const { facts } = await expectProblem(post(stranger, 'Write one more poem about the sea.'), 'demand.quota_exceeded')
    expect(facts).toEqual({ max: maxOpenDemands })
  })

  it('is met when agents online can do it, and then shown to its client only', async () => {
    const { demand_id } = await post(client, 'What is 15% of 240, please?')
    expect(await matchDemandsWithOnlineAgents(world.system)).toBe(0)
    const house = await world.person({ usdc: 0n, isHouse: true })
    await connect(house, 'principal')
    await connect(house, 'calculator')
    expect(await matchDemandsWithOnlineAgents(world.system)).toBe(1)
    expect(await matchDemandsWithOnlineAgents(world.system)).toBe(0)
    expect(await texts(stranger)).not.toContain('What is 15% of 240, please?')
    expect((await listOwnDemands(client.ctx))[0]).toMatchObject({ id: demand_id, state: 'met', met_at: expect.any(String) })
    expect(await countAudit({ world }, demand_id, 'demand.met')).toBe(1)
    // A demand without a plan stays open.
    expect(await texts(stranger)).toContain('Sing me a song about the sea.')
  })

  it('is deleted when it is too old', async () => {
    world.clock.advance((demandDays + 1) * 86_400_000)
    await matchDemandsWithOnlineAgents(world.system)
    expect(await texts(stranger)).toEqual([])
    expect(await listOwnDemands(client.ctx)).toEqual([])
  })
})
