/**
 * requestClose
 * ├─ the caller is not the payer ──────── reverts
 * ├─ the channel is not open ──────────── reverts
 * ├─ notice was given already ─────────── reverts
 * └─ else ─────────────────────────────── the delay runs
 * withdraw
 * ├─ the channel is not open ──────────── reverts
 * ├─ no notice was given ──────────────── reverts
 * ├─ the delay has not passed ─────────── reverts
 * └─ else ─────────────────────────────── Open → Closed, the rest to the payer, regardless of who asks
 * withdrawCredit · sendCredit
 * ├─ the recipient is zero or the contract ── reverts
 * ├─ there is no credit ────────────────────── reverts
 * ├─ the token refuses ─────────────────────── reverts, the credit stays
 * └─ else ──────────────────────────────────── the whole credit is sent
 */
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, usdc } from '../actors.ts'
import { revertOf } from '../world.ts'
import { type ChannelWorld, createChannelWorld, delay, payer, receiver } from './world.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await createChannelWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const { stranger, relayer, bob } = actors

/** A channel whose payer has given notice, and when the rest can be withdrawn. */
async function noticed() {
  const config = await world.opened()
  const { events } = await world.call(payer, 'requestClose', [config])
  return { config, from: Number(events[0]?.withdrawableAt) }
}

describe('requestClose', () => {
  it('reverts when the caller is not the payer, or the channel not open', async () => {
    const config = await world.opened()
    expect(await revertOf(world.call(receiver, 'requestClose', [config]))).toEqual(['NotPayer', receiver.address, payer.address])
    const never = world.config()
    expect(await revertOf(world.call(payer, 'requestClose', [never]))).toEqual(['NotOpen', world.id(never)])
  })

  it('starts the delay once', async () => {
    const { config, from } = await noticed()
    expect((await world.channel(config)).closeRequestedAt).toBe(BigInt(from - delay))
    expect(await revertOf(world.call(payer, 'requestClose', [config]))).toEqual(['CloseAlreadyRequested', world.id(config)])
  })
})

describe('withdraw', () => {
  it('reverts when the channel is not open, or no notice was given', async () => {
    const never = world.config()
    expect(await revertOf(world.call(payer, 'withdraw', [never]))).toEqual(['NotOpen', world.id(never)])
    const config = await world.opened()
    expect(await revertOf(world.call(payer, 'withdraw', [config]))).toEqual(['CloseNotRequested', world.id(config)])
  })

  it('reverts a second before the delay has passed, and sends the rest to the payer after it, regardless of who asks', async () => {
    const { config, from } = await noticed()
    await world.timeIs(from - 1)
    expect(await revertOf(world.call(payer, 'withdraw', [config]))).toEqual(['TooEarly', BigInt(from - 1), BigInt(from)])
    await world.timeIs(from)
    const before = await world.balance(payer.address)
    await world.call(stranger, 'withdraw', [config])
    expect((await world.balance(payer.address)) - before).toBe(usdc(10))
    expect(await world.channel(config)).toMatchObject({ status: 2, deposit: 0n, claimed: 0n })
  })

  it('lets claims win for as long as no account has withdrawn, and keeps them', async () => {
    const { config, from } = await noticed()
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(3))])
    await world.timeIs(from + 10)
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(8))])
    const { events } = await world.call(payer, 'withdraw', [config])
    expect(events).toEqual([{ name: 'ChannelClosed', id: world.id(config), totalClaimed: usdc(8), refunded: usdc(2) }])
    expect(await world.channel(config)).toMatchObject({ status: 2, deposit: usdc(8), claimed: usdc(8) })
  })

  it('sends nothing when everything was claimed', async () => {
    const { config, from } = await noticed()
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(10))])
    await world.timeIs(from)
    const before = await world.balance(payer.address)
    await world.call(payer, 'withdraw', [config])
    expect(await world.balance(payer.address)).toBe(before)
  })
})

describe('a credit', () => {
  const credited = async (amount: bigint, token = world.token) => {
    const config = await world.opened({ token, receiver: bob.address })
    await world.call(bob, 'claimMany', world.batchOf([await world.claimOf(config, amount)]))
  }

  it('cannot go to zero or to the contract', async () => {
    await credited(usdc(1))
    expect(await revertOf(world.call(bob, 'withdrawCredit', [world.token, zeroAddress]))).toEqual(['BadRecipient', zeroAddress])
    expect(await revertOf(world.call(bob, 'withdrawCredit', [world.token, world.channels]))).toEqual(['BadRecipient', world.channels])
  })

  it('is only what its holder has', async () => {
    const attempt = world.call(stranger, 'withdrawCredit', [world.token, stranger.address])
    expect(await revertOf(attempt)).toEqual(['NothingToWithdraw', world.token, stranger.address])
  })

  it('stays when the token refuses', async () => {
    await credited(usdc(2), world.wayward)
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [bob.address, 1])
    expect((await revertOf(world.call(stranger, 'sendCredit', [world.wayward, bob.address])))[0]).not.toBe('nothing reverted')
    expect(await world.credit(bob.address, world.wayward)).toBe(usdc(2))
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [bob.address, 0])
  })

  it('goes where its holder says, or to its holder when any account asks', async () => {
    await world.call(bob, 'withdrawCredit', [world.token, actors.carol.address])
    expect(await world.balance(actors.carol.address)).toBe(usdc(1))
    const { events } = await world.call(stranger, 'sendCredit', [world.wayward, bob.address])
    expect(events).toEqual([{ name: 'CreditWithdrawn', token: world.wayward, account: bob.address, to: bob.address, amount: usdc(2) }])
    expect(await world.balance(bob.address, world.wayward)).toBe(usdc(2))
    expect(await world.credit(bob.address, world.wayward)).toBe(0n)
  })
})
