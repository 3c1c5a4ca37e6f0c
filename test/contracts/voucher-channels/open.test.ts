/**
 * open · openWithAuthorization
 * ├─ the caller is not the payer (open only) ─────────── reverts
 * ├─ payer or receiver is zero or the contract ───────── reverts
 * ├─ the delay is below 15 minutes or above 30 days ──── reverts
 * ├─ the amount is zero, or more than a channel holds ── reverts
 * ├─ the channel was opened before, or closed ────────── reverts
 * ├─ less arrives than was said ──────────────────────── reverts
 * ├─ the authorization is for another channel ────────── reverts
 * └─ else ────────────────────────────────────────────── None → Open, the money is here
 */
import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, usdc } from '../actors.ts'
import { farOff } from '../chain.ts'
import { revertOf } from '../world.ts'
import { type ChannelWorld, createChannelWorld, payer } from './world.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await createChannelWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const { relayer, stranger } = actors

describe('open', () => {
  it('reverts when the caller is not the payer', async () => {
    expect(await revertOf(world.call(stranger, 'open', [world.config(), usdc(1)]))).toEqual(['NotPayer', stranger.address, payer.address])
  })

  it('reverts when the receiver is zero or the contract', async () => {
    for (const receiver of [zeroAddress, world.channels] as Address[]) {
      expect(await revertOf(world.call(payer, 'open', [world.config({ receiver }), usdc(1)]))).toEqual(['BadParty', receiver])
    }
  })

  it('reverts when the payer is zero, regardless of who brings it', async () => {
    const args = [world.config({ payer: zeroAddress }), 1n, 0n, farOff, '0x'] as const
    expect(await revertOf(world.call(relayer, 'openWithAuthorization', args))).toEqual(['BadParty', zeroAddress])
  })

  it('takes a delay from 15 minutes to 30 days, and no other', async () => {
    for (const withdrawDelay of [899, 2_592_001]) {
      const attempt = world.call(payer, 'open', [world.config({ withdrawDelay }), usdc(1)])
      expect(await revertOf(attempt)).toEqual(['BadDelay', BigInt(withdrawDelay), 900n, 2_592_000n])
    }
    for (const withdrawDelay of [900, 2_592_000]) await world.opened({ withdrawDelay })
  })

  it('reverts when the amount is zero, or more than a channel holds', async () => {
    expect(await revertOf(world.call(payer, 'open', [world.config(), 0n]))).toEqual(['EmptyAmount'])
    const max = 2n ** 104n - 1n
    expect(await revertOf(world.call(payer, 'open', [world.config(), max + 1n]))).toEqual(['DepositTooLarge', max + 1n, max])
  })

  it('reverts when the channel is open already', async () => {
    const config = await world.opened()
    expect(await revertOf(world.call(payer, 'open', [config, usdc(1)]))).toEqual(['AlreadyOpened', world.id(config)])
  })

  it('reverts when less arrives than was said', async () => {
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setFee', [100n])
    const attempt = world.call(payer, 'open', [world.config({ token: world.wayward }), usdc(1)])
    expect(await revertOf(attempt)).toEqual(['ReceivedLess', 990_000n, 1_000_000n])
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setFee', [0n])
  })

  it('opens a channel and takes the money', async () => {
    const before = await world.balance(world.channels)
    const config = world.config()
    const { events } = await world.call(payer, 'open', [config, usdc(10)])
    expect(events).toEqual([{ name: 'ChannelOpened', id: world.id(config), config, deposit: usdc(10) }])
    expect(await world.channel(config)).toEqual({ status: 1, deposit: usdc(10), claimed: 0n, closeRequestedAt: 0n })
    expect((await world.balance(world.channels)) - before).toBe(usdc(10))
  })
})

describe('openWithAuthorization', () => {
  it('opens a channel that the payer signed for, regardless of who brings it', async () => {
    const config = world.config()
    const signature = await world.authorizeOpening(config, usdc(3))
    await world.call(relayer, 'openWithAuthorization', [config, usdc(3), 0n, farOff, signature])
    expect(await world.channel(config)).toMatchObject({ status: 1, deposit: usdc(3) })
    const again = world.call(relayer, 'openWithAuthorization', [config, usdc(3), 0n, farOff, signature])
    expect(await revertOf(again)).toEqual(['AlreadyOpened', world.id(config)])
  })

  it('reverts when the payer signed for another channel, or another amount', async () => {
    const signature = await world.authorizeOpening(world.config(), usdc(3))
    const other = world.config({ receiver: stranger.address })
    const attempt = world.call(stranger, 'openWithAuthorization', [other, usdc(3), 0n, farOff, signature])
    expect(await revertOf(attempt)).toEqual(['ERC3009InvalidSignature'])
    const config = world.config()
    const less = world.call(relayer, 'openWithAuthorization', [config, usdc(2), 0n, farOff, await world.authorizeOpening(config, usdc(3))])
    expect(await revertOf(less)).toEqual(['ERC3009InvalidSignature'])
  })

  it('reverts when less arrives than was said', async () => {
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setFee', [100n])
    const config = world.config({ token: world.wayward })
    const attempt = world.call(relayer, 'openWithAuthorization', [config, usdc(1), 0n, farOff, '0x'])
    expect(await revertOf(attempt)).toEqual(['ReceivedLess', 990_000n, 1_000_000n])
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setFee', [0n])
  })
})
