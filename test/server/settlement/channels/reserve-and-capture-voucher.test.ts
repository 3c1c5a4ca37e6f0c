import { concat, encodeAbiParameters, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { voucherChannelsAbi } from '../../../../contracts/abi/index.ts'
import { testWalletAbi, testWalletBytecode, testWalletFactoryAbi, testWalletFactoryBytecode } from '../../../../contracts/abi/mocks.ts'
import type { Context } from '../../../../server/context.ts'
import { listChannels, runSettlementCycle } from '../../../../server/settlement/index.ts'
import { isVoucherSignedByAuthorizer } from '../../../../server/settlement/rails/is-voucher-signed-by-authorizer.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { textUpload } from '../../../support/goal-fixture.ts'
import { chainWallet } from '../chain-wallet.ts'
import {
  answeredCall,
  type ChannelWorld,
  channelOf,
  createChannelWorld,
  drive,
  openedChannel,
  price,
  question,
  signedTerms,
  termsOf,
  voucher,
} from '../channel-world.ts'

let place: ChannelWorld
beforeAll(async () => {
  place = await createChannelWorld()
})
afterAll(() => place[Symbol.asyncDispose]())

/** A channel whose vouchers `authorizer` signs. */
async function openedFor(authorizer: string): Promise<Hex> {
  const { quote, command } = await signedTerms(place, { ...termsOf(place), authorizer: authorizer.toLowerCase() })
  await place.client.send(command)
  await drive(place)
  return quote.channel_id
}

/** The same world with a chain that rejects every claim. */
function refusing(): Context {
  const { system } = place.world
  const { rail } = system.ports
  const claim = encodeFunctionData({ abi: voucherChannelsAbi, functionName: 'settle', args: [refusedConfig, 0n, '0x'] }).slice(0, 10)
  return {
    ...system,
    ports: {
      ...system.ports,
      rail: {
        ...rail,
        simulate: async (call) => (call.data.startsWith(claim) ? { refused: 'ClaimRefused', isFinal: false } : rail.simulate(call)),
      },
    },
  }
}
const zero = `0x${'0'.repeat(40)}` as const
const refusedConfig = {
  payer: zero,
  payerAuthorizer: zero,
  receiver: zero,
  receiverAuthorizer: zero,
  token: zero,
  withdrawDelay: 0,
  salt: `0x${'0'.repeat(64)}`,
} as const

describe('checkVoucher', () => {
  it('refuses the voucher of a wallet that is not deployed, and of one that answers the server now and the claim later', async () => {
    const wallet = chainWallet(place, 7)
    const factory = await wallet.deploy(testWalletFactoryAbi, testWalletFactoryBytecode)
    const address = await wallet.read(factory, testWalletFactoryAbi, 'walletOf', [place.key.address])
    const undeployed = await openedFor(String(address))
    const inner = await voucher(place, undeployed, price)
    const deploy = encodeFunctionData({ abi: testWalletFactoryAbi, functionName: 'deploy', args: [place.key.address] })
    const parts = encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [factory, deploy, inner])
    const wrapped = concat([parts, `0x${'6492'.repeat(16)}`])
    const command = await question(place, undeployed, { signature: wrapped })
    await expectProblem(place.client.send(command), 'voucher.invalid')
    await expectProblem(place.client.send({ ...command, signature: inner }), 'voucher.invalid')

    const deployed = await wallet.deploy(testWalletAbi, testWalletBytecode, [place.key.address])
    const moody = await openedFor(deployed)
    await expectProblem(place.client.send(await question(place, moody)), 'voucher.invalid')
    expect(await place.world.system.db.call.count()).toBe(0)
  })

  it('accepts exactly the forms of a signature that the contract accepts', async () => {
    const { chainId, channels } = place.world.world.market
    const at = { chainId, channels: channels ?? '0x' }
    const channelId: Hex = `0x${'5'.repeat(64)}`
    const signature = await voucher(place, channelId, price)
    const of = (changed: Hex) =>
      isVoucherSignedByAuthorizer(at, { channelId, authorizer: place.key.address, amount: price, signature: changed })
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const [r, s, v] = [signature.slice(2, 66), BigInt(`0x${signature.slice(66, 130)}`), Number.parseInt(signature.slice(130), 16)]
    const upper = (order - s).toString(16).padStart(64, '0')
    expect(await of(signature)).toBe(true)
    expect(await of(`0x${r}${upper}${(v === 27 ? 28 : 27).toString(16)}`)).toBe(false)
    expect(await of(`0x${signature.slice(2, 130)}0${v - 27}`)).toBe(false)
    expect(await of(`${signature}00`)).toBe(false)
    expect(await of(`0x${'0'.repeat(130)}`)).toBe(false)
  })

  it('takes no call while a claim is being rejected, also when it is asked for again, and continues when one succeeds', async () => {
    const { client, publisher } = place
    const id = await openedChannel(place)
    await answeredCall(place, id, price)
    await answeredCall(place, id, 2n * price)
    const asked = await question(place, id, { amount: 3n * price })
    await client.send(asked)
    await publisher.send({ type: 'voucher.claim', channel_id: id })
    await runSettlementCycle(refusing())
    await place.agent.send({ type: 'call.answer', call_id: asked.call_id, artifacts: [textUpload('HELLO')] })
    expect(await channelOf(place, id)).toMatchObject({ isClaimRefused: true, claimed: 0n, exposure: 3n * price })
    const next = await question(place, id, { amount: 4n * price })
    await expectProblem(client.send(next), 'channel.claim_refused')
    await publisher.send({ type: 'voucher.claim', channel_id: id })
    await expectProblem(client.send(next), 'channel.claim_refused')

    // The next attempt waits for the retry delay.
    const isClaimed = async () => {
      await drive(place)
      return (await channelOf(place, id)).claimed > 0n
    }
    await place.world.until('the claim', isClaimed)
    expect(await channelOf(place, id)).toMatchObject({ isClaimRefused: false, claimed: 3n * price, exposure: 0n })
    await answeredCall(place, id, 4n * price)
  })

  it('bounds what is earned and unclaimed in a channel: the claim comes before the next call', async () => {
    const { client } = place
    const id = await openedChannel(place, 100_000_000n)
    const limit = place.world.world.market.exposure.perChannel
    for (let n = 1n; n * price <= limit; n++) await answeredCall(place, id, n * price)
    const before = limit / price
    const next = await question(place, id, { amount: (before + 1n) * price })
    const problem = await expectProblem(client.send(next), 'channel.exposure_reached')
    expect(problem.facts).toEqual({ exposure: limit.toString(), limit: limit.toString() })
    expect(await channelOf(place, id)).toMatchObject({ exposure: limit, exposureLimit: limit })
    await drive(place)
    expect(await channelOf(place, id)).toMatchObject({ claimed: limit, exposure: 0n })
    await client.send(next)
    await place.agent.send({ type: 'call.answer', call_id: next.call_id, artifacts: [textUpload('HELLO')] })
  })

  it('bounds it over all channels of one payer to one publisher, also where calls come at once', async () => {
    const client = await place.world.person({ usdc: 1_000_000_000n })
    const own = { ...place, client }
    const limit = place.world.world.market.exposure.perPayer
    const many = Number(limit / price) + 3
    const ids: Hex[] = []
    for (let n = 0; n < many; n++) {
      const { quote, command } = await signedTerms(own, termsOf(own), client)
      await client.send(command)
      ids.push(quote.channel_id)
    }
    await drive(place)
    const commands = await Promise.all(ids.map((id) => question(own, id)))
    const ends = await Promise.allSettled(commands.map((command) => client.send(command)))
    expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(Number(limit / price))
    const shown = await listChannels(client.ctx, 'client')
    expect(shown.reduce((sum, one) => sum + one.exposure, 0n)).toBe(limit)
  })
})
