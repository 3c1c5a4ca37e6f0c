/**
 * close
 * ├─ the channel is not open ──────────────────────────── reverts
 * ├─ the caller is neither receiver nor its authorizer ── reverts
 * ├─ the last voucher is refused ──────────────────────── reverts
 * ├─ the authorizer calls again with nothing new ───────── reverts
 * ├─ the authorizer calls ──────────────────────────────── the voucher to the receiver, and notice; the channel stays open
 * └─ the receiver calls ────────────────────────────────── Open → Closed: the voucher to the receiver, the rest to the payer
 * closeWithSignatures
 * ├─ validBefore has come ─────────────────────────────── reverts
 * ├─ the channel is not open ──────────────────────────── reverts
 * ├─ the total is below what was claimed or above the deposit ── reverts
 * ├─ one of both sides did not sign ───────────────────── reverts
 * └─ else ─────────────────────────────────────────────── Open → Closed
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimFaults } from '../../../contracts/abi/index.ts'
import { waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, usdc } from '../actors.ts'
import { farOff } from '../chain.ts'
import { revertOf } from '../world.ts'
import { type ChannelWorld, createChannelWorld, delay, payer, receiver } from './world.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await createChannelWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const { relayer, stranger, bob, carol } = actors
const end = Number(farOff)
const holdings = async () => ({ payer: await world.balance(payer.address), receiver: await world.balance(receiver.address) })

describe('close', () => {
  it('reverts when the channel is not open', async () => {
    const config = world.config()
    expect(await revertOf(world.call(receiver, 'close', [config, 0n, '0x']))).toEqual(['NotOpen', world.id(config)])
  })

  it('reverts when the caller is not on the receiver’s side', async () => {
    const config = await world.opened()
    expect(await revertOf(world.call(payer, 'close', [config, 0n, '0x']))).toEqual(['NotReceiver', payer.address])
  })

  it('reverts when the last voucher is refused, or lies below what was taken', async () => {
    const config = await world.opened()
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(2))])
    const refused = async (amount: bigint) => revertOf(world.call(receiver, 'close', [config, amount, await world.sign(config, usdc(1))]))
    expect(await refused(usdc(3))).toEqual(['ClaimRefused', world.id(config), claimFaults.indexOf('BadSignature')])
    expect(await refused(usdc(1))).toEqual(['ClaimRefused', world.id(config), claimFaults.indexOf('NothingNew')])
  })

  it('takes the last voucher and sends the rest back', async () => {
    const config = await world.opened()
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(2))])
    const before = await holdings()
    const { events } = await world.call(receiver, 'close', [config, usdc(7), await world.sign(config, usdc(7))])
    expect(events).toEqual([
      { name: 'Claimed', id: world.id(config), totalClaimed: usdc(7) },
      { name: 'ChannelClosed', id: world.id(config), totalClaimed: usdc(7), refunded: usdc(3) },
    ])
    const after = await holdings()
    expect([after.receiver - before.receiver, after.payer - before.payer]).toEqual([usdc(5), usdc(3)])
    expect(await world.channel(config)).toEqual({ status: 2, deposit: usdc(7), claimed: usdc(7), closeRequestedAt: 0n })
  })

  it('needs no voucher when nothing more is taken', async () => {
    const config = await world.opened()
    const before = await holdings()
    await world.call(receiver, 'close', [config, 0n, '0x'])
    expect((await holdings()).payer - before.payer).toBe(usdc(10))
  })

  it('by the authorizer takes the voucher and gives notice, so that the receiver can still claim a higher one', async () => {
    const config = await world.opened({ receiverAuthorizer: bob.address })
    const [higher, before] = [await world.sign(config, usdc(9)), await holdings()]
    const { events } = await world.call(bob, 'close', [config, usdc(1), await world.sign(config, usdc(1))])
    const noticedAt = await world.now()
    expect(events).toEqual([
      { name: 'Claimed', id: world.id(config), totalClaimed: usdc(1) },
      { name: 'CloseRequested', id: world.id(config), withdrawableAt: BigInt(noticedAt + delay) },
    ])
    expect(await world.channel(config)).toMatchObject({ status: 1, claimed: usdc(1), closeRequestedAt: BigInt(noticedAt) })
    await world.timeIs(noticedAt + delay - 2)
    expect((await revertOf(world.call(stranger, 'withdraw', [config])))[0]).toBe('TooEarly')
    await world.call(receiver, 'settle', [config, usdc(9), higher])
    await world.timeIs(noticedAt + delay)
    await world.call(stranger, 'withdraw', [config])
    const after = await holdings()
    expect([after.receiver - before.receiver, after.payer - before.payer]).toEqual([usdc(9), usdc(1)])
  })

  it('by the authorizer leaves a notice that runs already as it is, and reverts when it changes nothing', async () => {
    const config = await world.opened({ receiverAuthorizer: bob.address })
    await world.call(payer, 'requestClose', [config])
    const noticed = (await world.channel(config)).closeRequestedAt
    expect(await revertOf(world.call(bob, 'close', [config, 0n, '0x']))).toEqual(['CloseAlreadyRequested', world.id(config)])
    await world.call(bob, 'close', [config, usdc(1), await world.sign(config, usdc(1))])
    expect(await world.channel(config)).toMatchObject({ status: 1, claimed: usdc(1), closeRequestedAt: noticed })
  })

  it('credits a payer that the token refuses, and the receiver is paid nevertheless', async () => {
    const config = await world.opened({ token: world.wayward })
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [payer.address, 1])
    await world.call(receiver, 'close', [config, usdc(4), await world.sign(config, usdc(4))])
    expect(await world.credit(payer.address, world.wayward)).toBe(usdc(6))
    expect(await world.balance(receiver.address, world.wayward)).toBe(usdc(4))
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [payer.address, 0])
  })
})

describe('closeWithSignatures', () => {
  const closing = async (config: ReturnType<ChannelWorld['config']>, total: bigint, by = payer, and = receiver, validBefore = end) =>
    world.call(relayer, 'closeWithSignatures', [
      config,
      total,
      validBefore,
      await world.signClose(config, total, by, validBefore),
      await world.signClose(config, total, and, validBefore),
    ])

  it('reverts once validBefore has come', async () => {
    const config = await world.opened()
    const now = await world.now()
    await world.timeIs(now + 10)
    expect(await revertOf(closing(config, 0n, payer, receiver, now + 10))).toEqual(['TooLate', BigInt(now + 10), BigInt(now + 10)])
    await closing(config, 0n, payer, receiver, now + 100)
  })

  it('reverts when the channel is not open', async () => {
    const config = world.config()
    expect(await revertOf(closing(config, 0n))).toEqual(['NotOpen', world.id(config)])
  })

  it('reverts below what was claimed and above the deposit', async () => {
    const config = await world.opened()
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(2))])
    expect(await revertOf(closing(config, usdc(2) - 1n))).toEqual(['BadTotal', usdc(2) - 1n, usdc(2), usdc(10)])
    expect(await revertOf(closing(config, usdc(10) + 1n))).toEqual(['BadTotal', usdc(10) + 1n, usdc(2), usdc(10)])
    await closing(config, usdc(2))
  })

  it('reverts when one of both did not sign; the payer’s authorizer signs for it, and no account for the receiver', async () => {
    const config = await world.opened()
    expect(await revertOf(closing(config, usdc(1), stranger))).toEqual(['BadSignature', payer.address])
    expect(await revertOf(closing(config, usdc(1), payer, stranger))).toEqual(['BadSignature', receiver.address])
    const delegated = await world.opened({ payerAuthorizer: carol.address, receiverAuthorizer: bob.address })
    expect(await revertOf(closing(delegated, usdc(1), payer, receiver))).toEqual(['BadSignature', carol.address])
    expect(await revertOf(closing(delegated, usdc(1), carol, bob))).toEqual(['BadSignature', receiver.address])
    await closing(delegated, usdc(1), carol, receiver)
  })

  it('pays both as they agreed', async () => {
    const config = await world.opened()
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(2))])
    const before = await holdings()
    const { events } = await closing(config, usdc(6))
    expect(events.map(({ name }) => name)).toEqual(['Claimed', 'ChannelClosed'])
    const after = await holdings()
    expect([after.receiver - before.receiver, after.payer - before.payer]).toEqual([usdc(4), usdc(4)])
  })
})
