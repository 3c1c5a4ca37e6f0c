/**
 * topUp · topUpWithAuthorization
 * ├─ the caller is not the payer (topUp only) ────── reverts
 * ├─ the channel is not open ─────────────────────── reverts
 * ├─ the amount is zero, or too large with the rest ─ reverts
 * ├─ the authorization is for another top-up ──────── reverts
 * ├─ topUp ──────────────────────────────────────── the deposit grows, a notice is withdrawn
 * └─ topUpWithAuthorization ─────────────────────── the deposit grows, a notice stands
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actors, hash, usdc } from '../actors.ts'
import { farOff } from '../chain.ts'
import { revertOf } from '../world.ts'
import { type ChannelWorld, createChannelWorld, payer, receiver } from './world.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await createChannelWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const { relayer, stranger } = actors

describe('topUp', () => {
  it('reverts when the caller is not the payer', async () => {
    const config = await world.opened()
    expect(await revertOf(world.call(stranger, 'topUp', [config, usdc(1)]))).toEqual(['NotPayer', stranger.address, payer.address])
  })

  it('reverts when the channel is not open', async () => {
    const never = world.config()
    expect(await revertOf(world.call(payer, 'topUp', [never, usdc(1)]))).toEqual(['NotOpen', world.id(never)])
    const closed = await world.opened()
    await world.call(receiver, 'close', [closed, 0n, '0x'])
    expect(await revertOf(world.call(payer, 'topUp', [closed, usdc(1)]))).toEqual(['NotOpen', world.id(closed)])
  })

  it('reverts when the amount is zero, or too large together with what is there', async () => {
    const config = await world.opened()
    expect(await revertOf(world.call(payer, 'topUp', [config, 0n]))).toEqual(['EmptyAmount'])
    const max = 2n ** 104n - 1n
    expect(await revertOf(world.call(payer, 'topUp', [config, max]))).toEqual(['DepositTooLarge', max + usdc(10), max])
  })

  it('adds to the deposit and withdraws the notice', async () => {
    const config = await world.opened()
    await world.call(payer, 'requestClose', [config])
    const { events } = await world.call(payer, 'topUp', [config, usdc(5)])
    expect(events).toEqual([{ name: 'ToppedUp', id: world.id(config), amount: usdc(5), deposit: usdc(15) }])
    expect(await world.channel(config)).toEqual({ status: 1, deposit: usdc(15), claimed: 0n, closeRequestedAt: 0n })
  })
})

describe('topUpWithAuthorization', () => {
  it('adds what the payer signed for, once, and leaves the notice standing', async () => {
    const config = await world.opened()
    await world.call(payer, 'requestClose', [config])
    const { closeRequestedAt } = await world.channel(config)
    const args = [config, usdc(2), hash(7), 0n, farOff, await world.authorizeTopUp(config, usdc(2), hash(7))] as const
    await world.call(relayer, 'topUpWithAuthorization', args)
    expect(closeRequestedAt).toBeGreaterThan(0n)
    expect(await world.channel(config)).toEqual({ status: 1, deposit: usdc(12), claimed: 0n, closeRequestedAt })
    expect((await revertOf(world.call(relayer, 'topUpWithAuthorization', args)))[0]).toBe('ERC3009UsedAuthorization')
  })

  it('reverts when it was signed for another channel, or for the opening of this one', async () => {
    const [config, other] = [await world.opened(), await world.opened()]
    for (const signature of [await world.authorizeTopUp(other, usdc(1), hash(7)), await world.authorizeOpening(config, usdc(1))]) {
      const attempt = world.call(relayer, 'topUpWithAuthorization', [config, usdc(1), hash(7), 0n, farOff, signature])
      expect(await revertOf(attempt)).toEqual(['ERC3009InvalidSignature'])
    }
  })
})
