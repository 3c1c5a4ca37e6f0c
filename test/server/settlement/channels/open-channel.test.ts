import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOwnChannelSalt } from '../../../../server/settlement/channels/channel-salt.ts'
import { runSettlementCycle } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit } from '../../../support/goal-fixture.ts'
import { mintTestMoney } from '../../../support/test-money.ts'
import { withGas } from '../chain-wallet.ts'
import {
  booksOf,
  type ChannelWorld,
  channelOf,
  createChannelWorld,
  drive,
  driveUntilDeath,
  logsOf,
  signedTerms,
  termsOf,
  voucher,
} from '../channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

describe('openChannel', () => {
  it('refuses another signer, a changed term, an old signature and a wallet that holds too little', async () => {
    const { client, publisher, world } = place
    const { command } = await signedTerms(place)
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(stranger.send(command), 'channel.signature_invalid')
    await expectProblem(client.send({ ...command, deposit: '20000001' }), 'channel.signature_invalid')
    await expectProblem(client.send({ ...command, authorizer: publisher.account.address.toLowerCase() }), 'channel.signature_invalid')
    await expectProblem(client.send({ ...command, valid_before: 1_000 }), 'channel.signature_invalid')
    const poor = await signedTerms(place, termsOf(place), stranger)
    await expectProblem(stranger.send(poor.command), 'hold.insufficient_funds')
    expect(await world.system.db.channel.count()).toBe(0)
  })

  it('opens once the chain has shown it, with one audit row, and repeats its answer', async () => {
    const { client, world } = place
    const { quote, command } = await signedTerms(place)
    const id = quote.channel_id
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'opening' })
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'opening' })
    expect((await channelOf(place, id)).state).toBe('opening')
    const before = await place.balance(client.account.address)
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ state: 'open', deposit: 20_000_000n, earned: 0n, claimed: 0n, underway: null })
    expect(await client.send(command)).toEqual({ channel_id: id, state: 'open' })
    expect(before - (await place.balance(client.account.address))).toBe(20_000_000n)
    expect(await countAudit({ world }, `channel:${id}`, 'channel.open')).toBe(1)
    expect(await booksOf(place)).toMatchObject({ faults: [], heldInLedger: 20_000_000n, heldOnChain: 20_000_000n })
  })

  it.each(['prepared', 'sent', 'mined', 'range_recorded'])('opens exactly once where the process dies at %s', async (point) => {
    const { quote, command } = await signedTerms(place)
    await place.client.send(command)
    await driveUntilDeath(place, point)
    await drive(place)
    expect(await logsOf(place, quote.channel_id)).toEqual(['ChannelOpened'])
    expect((await channelOf(place, quote.channel_id)).state).toBe('open')
    expect((await booksOf(place)).faults).toEqual([])
  })

  it('fails with a sentence where the money has gone meanwhile, and opens when the client signs again', async () => {
    const { world } = place
    const poor = await world.person({ usdc: 10_000_000n })
    const terms = termsOf(place, { deposit: 10_000_000n })
    const first = await signedTerms(place, terms, poor)
    await poor.send(first.command)
    const other = await signedTerms(place, terms, poor)
    await poor.send(other.command)
    await drive(place)
    const states = await Promise.all([first, other].map(async ({ quote }) => channelOf(place, quote.channel_id)))
    expect(states.map(({ state }) => state).sort()).toEqual(['failed', 'open'])
    const failed = states.find(({ state }) => state === 'failed')
    expect(failed?.failure).toMatch(/is too low/)
    await mintTestMoney(world.chain, poor.account.address, 10_000_000n)
    const again = failed?.id === first.quote.channel_id ? first : other
    expect(await poor.send(again.command)).toMatchObject({ state: 'opening' })
    await drive(place)
    expect((await channelOf(place, again.quote.channel_id)).state).toBe('open')
  })

  it('refuses a salt that is not of its own quote for this payer and agent, and a quote that is a day old', async () => {
    const { client, publisher } = place
    const { command } = await signedTerms(place)
    await expectProblem(client.send({ ...command, salt: `0x${'7'.repeat(64)}` }), 'channel.signature_invalid')
    const other = await signedTerms(place, termsOf(place), publisher)
    await expectProblem(client.send({ ...command, salt: other.command.salt }), 'channel.signature_invalid')
    const { system } = place.world
    const terms = { payer: client.account.address, agentId: command.agent_id }
    const late = { ...system, clock: { now: () => new Date(system.clock.now().getTime() + 86_401_000) } }
    expect([await isOwnChannelSalt(system, command.salt, terms), await isOwnChannelSalt(late, command.salt, terms)]).toEqual([true, false])
  })

  it('books what a payer did at the contract before it informed the server, so that its close stops no one else', async () => {
    const { world, client, publisher } = place
    const wallet = await withGas(place, client.account)
    const receiver = await withGas(place, publisher.account)
    const { quote, command } = await signedTerms(place, termsOf(place, { deposit: 1_000_000n }))
    await wallet.channels('open', [quote.config, 1_000_000n])
    await runSettlementCycle(world.system)
    // The indexer has ignored it, because the channel had no row.
    expect(await world.system.db.chainLog.count({ where: { channelId: quote.channel_id } })).toBe(1)
    expect(await client.send(command)).toEqual({ channel_id: quote.channel_id, state: 'open' })
    expect((await booksOf(place)).faults).toEqual([])
    await receiver.channels('close', [quote.config, 0n, '0x'])
    await drive(place)
    expect((await channelOf(place, quote.channel_id)).state).toBe('closed')

    const victim = await world.person()
    const next = await signedTerms(place, termsOf(place), victim)
    await victim.send(next.command)
    await drive(place)
    expect((await channelOf(place, next.quote.channel_id)).state).toBe('open')
    expect((await booksOf(place)).faults).toEqual([])
    expect(await world.system.db.chainDeadLetter.count()).toBe(0)
  })

  it('books a channel that was opened, claimed from and closed before its command came, and one that is opened meanwhile', async () => {
    const { world, client, publisher } = place
    const wallet = await withGas(place, client.account)
    const receiver = await withGas(place, publisher.account)
    const { quote, command } = await signedTerms(place, termsOf(place, { deposit: 1_000_000n }))
    await wallet.channels('open', [quote.config, 1_000_000n])
    await receiver.channels('settle', [quote.config, 400_000n, await voucher(place, quote.channel_id, 400_000n)])
    await receiver.channels('close', [quote.config, 400_000n, '0x'])
    await runSettlementCycle(world.system)
    expect(await client.send(command)).toMatchObject({ state: 'closed' })
    expect(await channelOf(place, quote.channel_id)).toMatchObject({ claimed: 400_000n, refunded: 600_000n })

    const race = await signedTerms(place, termsOf(place, { deposit: 1_000_000n }))
    await wallet.channels('open', [race.quote.config, 1_000_000n])
    await Promise.all([client.send(race.command), runSettlementCycle(world.system), runSettlementCycle(world.system)])
    await drive(place)
    expect((await channelOf(place, race.quote.channel_id)).state).toBe('open')
    expect((await booksOf(place)).faults).toEqual([])
  })
})
