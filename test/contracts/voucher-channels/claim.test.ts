/**
 * claim · settle
 * ├─ the caller is neither receiver nor its authorizer ── reverts
 * ├─ the channel is not open ──────────────────────────── refused: NotOpen
 * ├─ the total is no more than before ─────────────────── refused: NothingNew
 * ├─ the total is above the voucher ───────────────────── refused: AboveVoucher
 * ├─ the total is above the deposit ───────────────────── refused: AboveDeposit
 * ├─ the payer's side did not sign ────────────────────── refused: BadSignature
 * ├─ the token refuses the receiver ───────────────────── credited
 * └─ else ─────────────────────────────────────────────── the difference is paid
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimFaults } from '../../../contracts/abi/index.ts'
import { waywardTokenAbi } from '../../../contracts/abi/mocks.ts'
import { actors, usdc } from '../actors.ts'
import { revertOf } from '../world.ts'
import { type ChannelWorld, createChannelWorld, payer, receiver } from './world.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await createChannelWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const { relayer, stranger, bob, evaluator } = actors
const refused = (config: Parameters<ChannelWorld['id']>[0], fault: (typeof claimFaults)[number]) => [
  'ClaimRefused',
  world.id(config),
  claimFaults.indexOf(fault),
]

describe('claim', () => {
  it('is refused when the channel is not open', async () => {
    const never = world.config()
    expect(await revertOf(world.call(receiver, 'claim', [await world.claimOf(never, usdc(1))]))).toEqual(refused(never, 'NotOpen'))
    const closed = await world.opened()
    await world.call(receiver, 'close', [closed, usdc(1), await world.sign(closed, usdc(1))])
    expect(await revertOf(world.call(receiver, 'claim', [await world.claimOf(closed, usdc(2))]))).toEqual(refused(closed, 'NotOpen'))
  })

  it('reverts for any account but the receiver and its authorizer, the payer included', async () => {
    const config = await world.opened({ receiverAuthorizer: bob.address })
    const claim = await world.claimOf(config, usdc(1))
    for (const who of [stranger, payer]) {
      expect(await revertOf(world.call(who, 'claim', [claim]))).toEqual(['NotReceiver', who.address])
    }
    await world.call(bob, 'claim', [claim])
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(2))])
    expect((await world.channel(config)).claimed).toBe(usdc(2))
  })

  it('is refused when it brings nothing new', async () => {
    const config = await world.opened()
    const claim = await world.claimOf(config, usdc(4))
    await world.call(receiver, 'claim', [claim])
    expect(await revertOf(world.call(receiver, 'claim', [claim]))).toEqual(refused(config, 'NothingNew'))
    expect(await revertOf(world.call(receiver, 'claim', [await world.claimOf(config, usdc(3))]))).toEqual(refused(config, 'NothingNew'))
  })

  it('is refused above the voucher', async () => {
    const config = await world.opened()
    const claim = await world.claimOf(config, usdc(4) + 1n, usdc(4))
    expect(await revertOf(world.call(receiver, 'claim', [claim]))).toEqual(refused(config, 'AboveVoucher'))
  })

  it('is refused above the deposit, and taken once the deposit is there', async () => {
    const config = await world.opened()
    const claim = await world.claimOf(config, usdc(11))
    expect(await revertOf(world.call(receiver, 'claim', [claim]))).toEqual(refused(config, 'AboveDeposit'))
    await world.call(payer, 'topUp', [config, usdc(1)])
    await world.call(receiver, 'claim', [claim])
    expect(await world.channel(config)).toMatchObject({ deposit: usdc(11), claimed: usdc(11) })
  })

  it('is refused when the payer, or where there is one its authorizer, did not sign', async () => {
    const config = await world.opened()
    const forged = await world.claimOf(config, usdc(1), usdc(1), stranger)
    expect(await revertOf(world.call(receiver, 'claim', [forged]))).toEqual(refused(config, 'BadSignature'))
    const delegated = await world.opened({ payerAuthorizer: evaluator.address })
    const byPayer = await world.claimOf(delegated, usdc(1))
    expect(await revertOf(world.call(receiver, 'claim', [byPayer]))).toEqual(refused(delegated, 'BadSignature'))
    await world.call(receiver, 'claim', [await world.claimOf(delegated, usdc(1), usdc(1), evaluator)])
  })

  it('pays the difference to what was taken before, and no more than is asked for', async () => {
    const config = await world.opened()
    const before = await world.balance(receiver.address)
    await world.call(receiver, 'claim', [await world.claimOf(config, usdc(3), usdc(5))])
    const { events } = await world.call(receiver, 'claim', [await world.claimOf(config, usdc(4), usdc(5))])
    expect(events).toEqual([{ name: 'Claimed', id: world.id(config), totalClaimed: usdc(4) }])
    expect((await world.balance(receiver.address)) - before).toBe(usdc(4))
    expect(await world.channel(config)).toMatchObject({ status: 1, deposit: usdc(10), claimed: usdc(4) })
  })

  it('credits a receiver that the token refuses', async () => {
    const config = await world.opened({ token: world.wayward })
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [receiver.address, 1])
    const { events } = await world.call(receiver, 'claim', [await world.claimOf(config, usdc(2))])
    expect(events[1]).toEqual({ name: 'Credited', token: world.wayward, account: receiver.address, amount: usdc(2) })
    expect(await world.credit(receiver.address, world.wayward)).toBe(usdc(2))
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [receiver.address, 0])
  })
})

describe('settle', () => {
  it('claims all that a voucher allows', async () => {
    const config = await world.opened()
    await world.call(receiver, 'settle', [config, usdc(6), await world.sign(config, usdc(6))])
    expect((await world.channel(config)).claimed).toBe(usdc(6))
    const less = world.call(receiver, 'settle', [config, usdc(5), await world.sign(config, usdc(6))])
    expect(await revertOf(less)).toEqual(refused(config, 'NothingNew'))
  })
})
