import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCalls } from '../../../server/calls/index.ts'
import { getChannel, listChannels } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { publishTestAgent } from '../../support/goal-fixture.ts'
import { answeredCall, type ChannelWorld, createChannelWorld, openedChannel, question } from '../settlement/channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

describe('getCall', () => {
  it('is for the client and its agent that asked, the agent and its owner, and operators; vouchers are for the payee alone', async () => {
    const { client, publisher, agent, world } = place
    const id = await openedChannel(place)
    const call_id = await answeredCall(place, id)
    const asked = await question(place, id, { amount: 4_000_000n })
    const [stranger, operator] = [await world.person({ usdc: 0n }), await world.person({ usdc: 0n, isOperator: true })]
    const [mine, other] = [
      await publishTestAgent(world, client, 'own-agent', 'text.mine'),
      await publishTestAgent(world, stranger, 'other-agent', 'text.other'),
    ]
    const get = { type: 'call.get' as const, call_id }
    for (const who of [client, agent, publisher, operator])
      expect((await who.send<{ call: object }>(get)).call).toMatchObject({ call_id, state: 'answered' })
    // An agent of the client reads only the calls that it asked itself.
    for (const who of [stranger, other, mine]) await expectProblem(who.send(get), 'permission.denied')
    await mine.send(asked)
    expect((await mine.send<{ call: object }>({ ...get, call_id: asked.call_id })).call).toMatchObject({ state: 'requested' })
    const sibling = await publishTestAgent(world, client, 'sibling-agent', 'text.sibling')
    await expectProblem(sibling.send({ ...get, call_id: asked.call_id }), 'permission.denied')
    for (const who of [mine, sibling]) await expectProblem(getChannel(who.ctx, id), 'permission.denied')
    await expectProblem(client.send({ ...get, sha256: '0'.repeat(64) }), 'call.not_found')

    await expectProblem(getChannel(stranger.ctx, id), 'permission.denied')
    await expectProblem(listCalls(stranger.ctx, id), 'permission.denied')
    expect((await getChannel(client.ctx, id)).voucher).toBeNull()
    expect((await getChannel(publisher.ctx, id)).voucher).toMatchObject({ amount: 2_000_000n })
    expect((await listChannels(client.ctx, 'client')).map((one) => [one.id, one.voucher])).toEqual([[id, null]])
    expect((await listChannels(publisher.ctx, 'publisher')).map((one) => one.id)).toEqual([id])
    expect(await listChannels(stranger.ctx, 'client')).toEqual([])
    expect((await listCalls(publisher.ctx, id)).map((one) => one.call_id)).toEqual([asked.call_id, call_id])
  })
})
