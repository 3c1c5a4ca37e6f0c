import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callChain } from '../../../../server/embedded/chain/anvil.ts'
import { getTopUpTerms } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit } from '../../../support/goal-fixture.ts'
import {
  answeredCall,
  booksOf,
  type ChannelWorld,
  channelOf,
  createChannelWorld,
  drive,
  driveUntilDeath,
  logsOf,
  newSalt,
  openedChannel,
  price,
} from '../channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

/** A top-up command for `amount`, signed by the payer. */
async function signedTopUp(id: string, amount = 5_000_000n, salt: string = newSalt()) {
  const wanted = { channel_id: id as never, amount: amount.toString() as never, salt }
  const { typedData, validBefore } = await getTopUpTerms(place.client.ctx, wanted)
  const signature = await place.client.account.signTypedData(typedData as never)
  return { type: 'channel.top_up' as const, ...wanted, valid_before: validBefore, signature }
}

/** The payer sends tokens to another address, without the server. */
async function spend(from: Address, amount: bigint): Promise<void> {
  const { rpcUrl, token, keys } = place.world.chain
  const to = privateKeyToAccount(keys[9] as Hex).address
  await callChain(rpcUrl, 'anvil_setBalance', [from, '0xde0b6b3a7640000'])
  await callChain(rpcUrl, 'anvil_impersonateAccount', [from])
  await callChain(rpcUrl, 'eth_sendTransaction', [
    { from, to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }) },
  ])
}

describe('topUpChannel', () => {
  it('refuses others, another sum or salt, too little or too much, an old signature, and a channel that closes', async () => {
    const { agent, client, publisher } = place
    const id = await openedChannel(place)
    const command = await signedTopUp(id)
    await expectProblem(publisher.send(command), 'permission.denied')
    await expectProblem(agent.send(command), 'permission.denied')
    await expectProblem(getTopUpTerms(publisher.ctx, command), 'permission.denied')
    for (const change of [{ amount: '5000001' }, { salt: newSalt() }, { valid_before: 1_000 }])
      await expectProblem(client.send({ ...command, ...change }), 'channel.signature_invalid')
    await expectProblem(client.send(await signedTopUp(id, 499_999n)), 'channel.deposit_invalid')
    await expectProblem(client.send(await signedTopUp(id, 10_000_000_000n)), 'hold.insufficient_funds')
    await client.send({ type: 'channel.close', channel_id: id })
    await expectProblem(client.send(command), 'channel.wrong_state')
    await drive(place)
    expect(await logsOf(place, id)).toEqual(['ChannelOpened', 'CloseRequested'])
  })

  it('adds once the chain has shown it, while calls continue, and repeats its answer', async () => {
    const { client, world } = place
    const id = await openedChannel(place)
    const before = await place.balance(client.account.address)
    const command = await signedTopUp(id)
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'open' })
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'open' })
    await expectProblem(client.send(await signedTopUp(id)), 'channel.wrong_state')
    expect(await channelOf(place, id)).toMatchObject({ deposit: 20_000_000n, topUp: { amount: 5_000_000n, failure: null } })
    await answeredCall(place, id)
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'open', deposit: 25_000_000n, earned: price, topUp: null })
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'open' })
    await drive(place)
    expect(before - (await place.balance(client.account.address))).toBe(5_000_000n)
    expect(await logsOf(place, id)).toEqual(['ChannelOpened', 'ToppedUp'])
    expect(await countAudit({ world }, `channel:${id}`, 'channel.top_up')).toBe(1)
    expect((await booksOf(place)).faults).toEqual([])
  })

  it.each(['prepared', 'mined'])('adds exactly once where the process dies at %s', async (point) => {
    const id = await openedChannel(place)
    await place.client.send(await signedTopUp(id))
    await driveUntilDeath(place, point)
    await drive(place)
    expect(await logsOf(place, id)).toEqual(['ChannelOpened', 'ToppedUp'])
    expect((await channelOf(place, id)).deposit).toBe(25_000_000n)
    expect((await booksOf(place)).faults).toEqual([])
  })

  it('gives the reason why it did not arrive if the money was spent meanwhile, and the channel stays as it was', async () => {
    const { client } = place
    const id = await openedChannel(place)
    const all = await place.balance(client.account.address)
    await client.send(await signedTopUp(id, all))
    await spend(client.account.address, all - 2_000_000n)
    await drive(place)
    const channel = await channelOf(place, id)
    expect(channel).toMatchObject({ state: 'open', deposit: 20_000_000n })
    expect(channel.topUp?.failure).toMatch(/is too low/)
    await client.send(await signedTopUp(id, 1_000_000n))
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ deposit: 21_000_000n, topUp: null })
    expect((await booksOf(place)).faults).toEqual([])
  })
})
