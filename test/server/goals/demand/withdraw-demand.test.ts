import { newMessageId } from '@parley/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listDemands } from '../../../../server/goals/index.ts'
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
const post = (who: TestPerson, text: string) => who.send<Answer>({ type: 'demand.post', id: newMessageId(), text })
const withdraw = (who: TestPerson, demand_id: string) => who.send<Answer>({ type: 'demand.withdraw', demand_id })
const texts = async (who: TestPerson) => (await listDemands(who.ctx)).demands.map(({ text }) => text)

describe('withdrawDemand', () => {
  it('is withdrawn by its client only', async () => {
    const { demand_id } = await post(client, 'Paint my fence in green, please.')
    await expectProblem(withdraw(stranger, demand_id), 'demand.not_found')
    expect(await withdraw(client, demand_id)).toEqual({ demand_id, state: 'withdrawn' })
    expect(await withdraw(client, demand_id)).toEqual({ demand_id, state: 'withdrawn' })
    expect(await texts(stranger)).not.toContain('Paint my fence in green, please.')
    expect(await countAudit({ world }, demand_id, 'demand.withdraw')).toBe(1)
  })
})
