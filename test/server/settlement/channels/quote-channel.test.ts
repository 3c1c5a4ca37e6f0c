import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChannelQuote } from '../../../../server/settlement/index.ts'
import { quoteChannel } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { type ChannelWorld, createChannelWorld, termsOf } from '../channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

describe('quoteChannel', () => {
  it('names the payer, the publisher and the server as the one who brings claims, and writes nothing down', async () => {
    const { client, publisher, key, world } = place
    const terms = termsOf(place)
    const quote = await client.send<ChannelQuote>({ type: 'channel.quote', ...terms })
    expect(quote.config).toEqual({
      payer: client.account.address.toLowerCase(),
      payerAuthorizer: key.address.toLowerCase(),
      receiver: publisher.account.address.toLowerCase(),
      receiverAuthorizer: world.system.ports.rail.sender,
      token: world.world.market.token,
      withdrawDelay: 86_400,
      salt: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(quote.typed_data.message).toMatchObject({ nonce: quote.channel_id, value: terms.deposit, to: world.world.market.channels })
    expect(JSON.parse(JSON.stringify(quote))).toEqual(quote)
    expect(quote.balance).toBe('1000000000')
    expect(await world.system.db.channel.count()).toBe(0)
  })

  it('takes the owner for the payer where an agent asks, and makes another channel each time', async () => {
    const terms = termsOf(place)
    const quote = await place.agent.send<ChannelQuote>({ type: 'channel.quote', ...terms })
    expect(quote.config.payer).toBe(place.publisher.account.address.toLowerCase())
    expect((await place.agent.send<ChannelQuote>({ type: 'channel.quote', ...terms })).channel_id).not.toBe(quote.channel_id)
  })

  it('refuses deposits out of bounds, unknown agents, and all of it where there is no contract', async () => {
    const { client, world } = place
    const ask = (change: object) => client.send({ type: 'channel.quote', ...termsOf(place), ...change })
    await expectProblem(ask({ deposit: '499999' }), 'channel.deposit_invalid')
    await expectProblem(ask({ deposit: '10000000001' }), 'channel.deposit_invalid')
    await expectProblem(ask({ agent_id: `agt_${'0'.repeat(32)}` }), 'listing.not_found')
    const without = { ...client.ctx, market: { ...world.world.market, channels: null } }
    await expectProblem(quoteChannel(without, { type: 'channel.quote', ...termsOf(place) } as never), 'channel.not_offered')
  })
})
