import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { voucherChannelsAbi } from '../../../../contracts/abi/index.ts'
import { callChain } from '../../../../server/embedded/chain/anvil.ts'
import { runSettlementCycle } from '../../../../server/settlement/index.ts'
import { submitDueChannelActions } from '../../../../server/settlement/submit/submit-channel-action.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, publishTestAgent, textUpload } from '../../../support/goal-fixture.ts'
import {
  answeredCall,
  booksOf,
  type ChannelWorld,
  channelOf,
  createChannelWorld,
  drive,
  driveUntilDeath,
  logsOf,
  openedChannel,
  price,
  question,
  signedTerms,
} from '../channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

/** The payer calls the contract directly, without the server. */
async function asPayer(place: ChannelWorld, id: string, functionName: 'requestClose' | 'withdraw'): Promise<void> {
  const { chain, world } = place.world
  const { config } = await channelOf(place, id)
  await callChain(chain.rpcUrl, 'anvil_setBalance', [config.payer, '0xde0b6b3a7640000'])
  await callChain(chain.rpcUrl, 'anvil_impersonateAccount', [config.payer])
  const data = encodeFunctionData({ abi: voucherChannelsAbi, functionName, args: [config] })
  const hash = await callChain(chain.rpcUrl, 'eth_sendTransaction', [
    { from: config.payer, to: world.market.channels, data, gas: '0x7a120' },
  ])
  const { receipt } = place.world.system.ports.rail
  expect((await place.world.until('the receipt', () => receipt(hash as Hex))).succeeded).toBe(true)
}

/** Advances the chain by the withdraw delay. Afterwards signatures made with the server's clock have expired. */
async function noticeRuns(place: ChannelWorld): Promise<void> {
  await place.world.chain.warp(86_400)
  await drive(place)
}

describe('a log of a channel that a node withheld', () => {
  it('is read again where the contract has the channel closed', async () => {
    await using place = await createChannelWorld()
    const { world } = place
    const id = await openedChannel(place)
    await asPayer(place, id, 'requestClose')
    await drive(place)
    expect((await channelOf(place, id)).state).toBe('closing')
    await world.chain.warp(86_400)
    await asPayer(place, id, 'withdraw')
    const { system } = world
    const rail = { ...system.ports.rail, readEvents: async () => [] }
    // Fetches only the newest block, so that nothing is reindexed yet.
    const unread = {
      ...rail,
      channel: (channelId: Hex, block?: number) => (block ? Promise.reject(new Error('pruned')) : rail.channel(channelId)),
    }
    for (let round = 0; round < 3; round++) {
      await callChain(world.chain.rpcUrl, 'evm_mine', [])
      await runSettlementCycle({ ...system, ports: { ...system.ports, rail: unread } })
    }
    expect((await channelOf(place, id)).state).toBe('closing')
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'closed', refunded: 20_000_000n })
    expect((await booksOf(place)).faults).toEqual([])
  })
})

describe('closeChannel', () => {
  it('refuses everyone but the client', async () => {
    const id = await openedChannel(place)
    await expectProblem(place.publisher.send({ type: 'channel.close', channel_id: id }), 'permission.denied')
    await expectProblem(place.agent.send({ type: 'channel.close', channel_id: id }), 'permission.denied')
    expect((await channelOf(place, id)).state).toBe('open')
  })

  it('is for the agent that opened the channel, and for no other agent of its owner', async () => {
    const opener = await publishTestAgent(place.world, place.client, 'opener', 'text.opener')
    const sibling = await publishTestAgent(place.world, place.client, 'sibling', 'text.sibling')
    const { quote, command } = await signedTerms(place)
    await opener.send(command)
    await drive(place)
    const close = { type: 'channel.close', channel_id: quote.channel_id } as const
    await expectProblem(sibling.send(close), 'permission.denied')
    expect((await channelOf(place, quote.channel_id)).state).toBe('open')
    expect(await opener.send(close)).toEqual({ channel_id: quote.channel_id, state: 'closing' })
    const own = await openedChannel(place)
    for (const agent of [opener, sibling]) await expectProblem(agent.send({ ...close, channel_id: own }), 'permission.denied')
  })

  it('sends what is earned to the publisher at once and the rest back after the notice, and repeats its answer', async () => {
    await using place = await createChannelWorld()
    const { client, publisher, world } = place
    const id = await openedChannel(place)
    await answeredCall(place, id)
    const before = await Promise.all([client, publisher].map((one) => place.balance(one.account.address)))
    const command = { type: 'channel.close' as const, channel_id: id }
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'closing' })
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'closing' })
    await expectProblem(client.send(await question(place, id, { amount: 2n * price })), 'channel.wrong_state')
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'closing', claimed: price })
    await noticeRuns(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'closed', claimed: price, refunded: 20_000_000n - price })
    const after = await Promise.all([client, publisher].map((one) => place.balance(one.account.address)))
    expect(after.map((sum, index) => sum - (before[index] ?? 0n))).toEqual([20_000_000n - price, price])
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'closed' })
    expect(await countAudit({ world }, `channel:${id}`, 'channel.close')).toBe(1)
    expect((await booksOf(place)).faults).toEqual([])
  })

  it('waits for the call that is open, whose answer is still paid', async () => {
    const id = await openedChannel(place)
    const open = await question(place, id)
    await place.client.send(open)
    await place.client.send({ type: 'channel.close', channel_id: id })
    await drive(place)
    expect((await channelOf(place, id)).state).toBe('closing')
    await place.agent.send({ type: 'call.answer', call_id: open.call_id, artifacts: [textUpload('HELLO')] })
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'closing', claimed: price })
  })

  it.each(['nonce_allocated', 'prepared', 'sent', 'mined', 'range_recorded'])(
    'claims and gives notice exactly once where the process dies at %s',
    async (point) => {
      const id = await openedChannel(place)
      await answeredCall(place, id)
      await place.client.send({ type: 'channel.close', channel_id: id })
      if (point === 'known') await driveUntilDeath(place, 'sent')
      else await driveUntilDeath(place, point)
      await drive(place)
      expect(await logsOf(place, id)).toEqual(['ChannelOpened', 'Claimed', 'CloseRequested'])
      expect((await booksOf(place)).faults).toEqual([])
    },
  )

  it('sends the rest back exactly once where the process dies after it was sent', async () => {
    await using place = await createChannelWorld()
    const id = await openedChannel(place)
    await place.client.send({ type: 'channel.close', channel_id: id })
    await drive(place)
    await place.world.chain.warp(86_400)
    await driveUntilDeath(place, 'sent')
    await drive(place)
    expect(await logsOf(place, id)).toEqual(['ChannelOpened', 'CloseRequested', 'ChannelClosed'])
    expect((await booksOf(place)).faults).toEqual([])
  })
})

describe("the payer's notice", () => {
  it('makes the server claim long before the payer could withdraw, and close when the notice has run', async () => {
    await using place = await createChannelWorld()
    const before = await place.balance(place.publisher.account.address)
    const id = await openedChannel(place)
    await answeredCall(place, id)
    await asPayer(place, id, 'requestClose')
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'closing', claimed: price })
    expect((await channelOf(place, id)).withdrawableAt).toBeGreaterThan(Date.now() / 1_000 + 80_000)
    await noticeRuns(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'closed', claimed: price, refunded: 20_000_000n - price })
    expect((await place.balance(place.publisher.account.address)) - before).toBe(price)
    expect(await logsOf(place, id)).toEqual(['ChannelOpened', 'CloseRequested', 'Claimed', 'ChannelClosed'])
  })

  it('is carried out by the first cycle after it has run, though hundreds of channels wait for more to claim', async () => {
    await using place = await createChannelWorld()
    const { db } = place.world.system
    const id = await openedChannel(place)
    const { authorization: _signed, topUp: _none, ...row } = await db.channel.findUniqueOrThrow({ where: { id } })
    const word = (n: number): Hex => `0x${String(n).padStart(64, '0')}`
    const waiting = Array.from({ length: 400 }, (_, n) => ({ ...row, id: word(n), salt: word(n), earned: 1n, voucher: '0x00' }))
    await db.channel.createMany({ data: waiting })
    await place.client.send({ type: 'channel.close', channel_id: id })
    await drive(place)
    await place.world.chain.warp(86_400)
    await submitDueChannelActions(place.world.system)
    const last = await db.chainTransaction.findFirstOrThrow({ where: { channelId: id }, orderBy: { createdAt: 'desc' } })
    expect(last.key).toBe(`withdraw:${id}`)
  })

  it('gives the payer everything back where the server stays away, and the books follow', async () => {
    await using place = await createChannelWorld()
    const id = await openedChannel(place)
    await asPayer(place, id, 'requestClose')
    await place.world.chain.warp(86_400)
    await asPayer(place, id, 'withdraw')
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'closed', claimed: 0n, refunded: 20_000_000n })
    expect((await booksOf(place)).faults).toEqual([])
  })

  it('is closed by time alone where no one uses it any more, and what was refused is asked again an hour later', async () => {
    await using place = await createChannelWorld()
    const { system } = place.world
    const idle = await openedChannel(place)
    const refused = await openedChannel(place)
    const used = await openedChannel(place)
    await answeredCall(place, refused)
    const updatedAt = (days: number) => new Date(system.clock.now().getTime() - days * 86_400_000)
    const where = (id: string) => ({ where: { id } })
    await system.db.channel.update({ ...where(refused), data: { state: 'closing', failure: 'refused', updatedAt: updatedAt(0.03) } })
    await system.db.channel.update({ ...where(idle), data: { updatedAt: updatedAt(29) } })
    await drive(place)
    expect((await channelOf(place, idle)).state).toBe('open')
    expect(await channelOf(place, refused)).toMatchObject({ state: 'closing', claimed: 0n })
    await system.db.channel.update({ ...where(refused), data: { updatedAt: updatedAt(1 / 24) } })
    await system.db.channel.update({ ...where(idle), data: { updatedAt: updatedAt(30) } })
    await drive(place)
    expect(await channelOf(place, refused)).toMatchObject({ state: 'closing', claimed: price, failure: null })
    await noticeRuns(place)
    for (const id of [idle, refused]) expect((await channelOf(place, id)).state).toBe('closed')
    expect((await channelOf(place, used)).state).toBe('open')
    expect((await booksOf(place)).faults).toEqual([])
  })
})
