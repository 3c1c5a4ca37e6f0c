/**
 * claimMany · claimManyWithSignature
 * ├─ the caller is neither receiver nor its authorizer ── reverts (claimMany)
 * ├─ the receiver's side did not sign this batch ──────── reverts (claimManyWithSignature)
 * ├─ there are more than 256 claims ───────────────────── reverts
 * ├─ a claim is refused ───────────────────────────────── skipped, with its fault; the others continue
 * └─ else ─────────────────────────────────────────────── each adds to one credit; nothing is sent
 */
import { encodeFunctionData, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimFaults, voucherChannelsAbi } from '../../../contracts/abi/index.ts'
import { actors, usdc } from '../actors.ts'
import { revertOf } from '../world.ts'
import { type ChannelWorld, createChannelWorld, receiver } from './world.ts'

let world: ChannelWorld
beforeAll(async () => {
  world = await createChannelWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const { stranger, bob, relayer } = actors

/** One claim that is good, then one for each fault, then a good one. */
async function mixed() {
  const [first, spent, capped, poor, forged, last] = [
    await world.opened(),
    await world.opened(),
    await world.opened(),
    await world.opened(),
    await world.opened(),
    await world.opened(),
  ]
  await world.call(receiver, 'claim', [await world.claimOf(spent, usdc(2))])
  const claims = [
    await world.claimOf(first, usdc(1)),
    await world.claimOf(world.config(), usdc(1)),
    await world.claimOf(spent, usdc(2)),
    await world.claimOf(capped, usdc(2), usdc(1)),
    await world.claimOf(poor, usdc(11)),
    await world.claimOf(forged, usdc(1), usdc(1), stranger),
    await world.claimOf(last, usdc(3)),
  ]
  return { claims, faults: ['NotOpen', 'NothingNew', 'AboveVoucher', 'AboveDeposit', 'BadSignature'] as const }
}

describe('claimMany', () => {
  it('reverts when the caller is neither the receiver nor its authorizer', async () => {
    const batch = world.batchOf([await world.claimOf(await world.opened(), usdc(1))])
    expect(await revertOf(world.call(stranger, 'claimMany', batch))).toEqual(['NotReceiver', stranger.address])
  })

  it('reverts on more than 256 claims', async () => {
    const claim = await world.claimOf(world.config(), usdc(1))
    const [payee, [one]] = world.batchOf([claim])
    const many = Array.from({ length: 257 }, () => one as NonNullable<typeof one>)
    expect(await revertOf(world.call(receiver, 'claimMany', [payee, many]))).toEqual(['TooManyClaims', 257n, 256n])
  })

  it('does nothing with no claims', async () => {
    const [payee] = world.batchOf([])
    expect(await world.call(receiver, 'claimMany', [payee, []])).toMatchObject({ result: 0n, events: [] })
  })

  it('skips each claim that is refused, gives the reason, and takes the others into one credit', async () => {
    const { claims, faults } = await mixed()
    const before = await world.credit(receiver.address)
    const { result, events } = await world.call(receiver, 'claimMany', world.batchOf(claims))
    expect(result).toBe(0b1000001n)
    expect(events.filter(({ name }) => name === 'ClaimSkipped').map(({ id, fault }) => [id, fault])).toEqual(
      faults.map((fault, i) => [world.id((claims[i + 1] as (typeof claims)[number]).voucher.channel), claimFaults.indexOf(fault)]),
    )
    expect(events.at(-1)).toEqual({ name: 'Credited', token: world.token, account: receiver.address, amount: usdc(4) })
    expect((await world.credit(receiver.address)) - before).toBe(usdc(4))
  })

  it('takes two vouchers of one channel for what the higher one allows', async () => {
    const config = await world.opened({ receiver: bob.address })
    const claims = [await world.claimOf(config, usdc(1)), await world.claimOf(config, usdc(4))]
    await world.call(bob, 'claimMany', world.batchOf(claims))
    expect(await world.credit(bob.address)).toBe(usdc(4))
  })

  it('takes what the payer’s authorizer signed, where there is one, and not what the payer did', async () => {
    const config = await world.opened({ payerAuthorizer: relayer.address })
    const claims = [await world.claimOf(config, usdc(1)), await world.claimOf(config, usdc(1), usdc(1), relayer)]
    const { result, events } = await world.call(receiver, 'claimMany', world.batchOf(claims))
    expect([result, events[0]?.fault]).toEqual([0b10n, claimFaults.indexOf('BadSignature')])
  })

  it('cannot be led to another channel by a payee that differs from what the payer signed', async () => {
    const config = await world.opened()
    const [payee, batched] = world.batchOf([await world.claimOf(config, usdc(1))])
    const { result, events } = await world.call(stranger, 'claimMany', [{ ...payee, receiver: stranger.address }, batched])
    expect([result, events[0]?.fault]).toEqual([0n, claimFaults.indexOf('NotOpen')])
  })

  it('skips a word with dirty high bits instead of reading it as a clean one', async () => {
    const config = await world.opened({ receiver: bob.address })
    const [payee, batched] = world.batchOf([await world.claimOf(config, usdc(1))])
    const data = encodeFunctionData({ abi: voucherChannelsAbi, functionName: 'claimMany', args: [payee, batched] })
    const clean = config.payer.slice(2).toLowerCase().padStart(64, '0')
    expect(data.split(clean)).toHaveLength(2)
    const dirty = data.replace(clean, `01${clean.slice(2)}`) as typeof data
    const hash = await world.walletOf(bob).sendTransaction({ to: world.channels, data: dirty })
    expect((await world.reader.waitForTransactionReceipt({ hash })).status).toBe('success')
    expect((await world.channel(config)).claimed).toBe(0n)
  })
})

describe('claimManyWithSignature', () => {
  it('takes what the receiver signed, regardless of who brings it, and nothing twice', async () => {
    const claims = [await world.claimOf(await world.opened(), usdc(1)), await world.claimOf(await world.opened(), usdc(2), usdc(5))]
    const args = [...world.batchOf(claims), await world.signBatch(claims, receiver)] as const
    const before = await world.credit(receiver.address)
    expect((await world.call(relayer, 'claimManyWithSignature', args)).result).toBe(0b11n)
    expect((await world.call(relayer, 'claimManyWithSignature', args)).result).toBe(0n)
    expect((await world.credit(receiver.address)) - before).toBe(usdc(3))
  })

  it('reverts when the totals, the order or the channels are not the signed ones', async () => {
    const claims = [await world.claimOf(await world.opened(), usdc(1), usdc(5)), await world.claimOf(await world.opened(), usdc(2))]
    const signature = await world.signBatch(claims, receiver)
    const [first, second] = claims as [(typeof claims)[number], (typeof claims)[number]]
    for (const other of [[{ ...first, totalClaimed: usdc(5) }, second], [second, first], [first]]) {
      const attempt = world.call(relayer, 'claimManyWithSignature', [...world.batchOf(other), signature])
      expect(await revertOf(attempt)).toEqual(['BadSignature', receiver.address])
    }
  })

  it('wants the authorizer, where there is one', async () => {
    const config = await world.opened({ receiverAuthorizer: bob.address })
    const claims = [await world.claimOf(config, usdc(1))]
    const byReceiver = world.call(relayer, 'claimManyWithSignature', [...world.batchOf(claims), await world.signBatch(claims, receiver)])
    expect(await revertOf(byReceiver)).toEqual(['BadSignature', bob.address])
    await world.call(relayer, 'claimManyWithSignature', [...world.batchOf(claims), await world.signBatch(claims, bob)])
    expect((await world.channel(config)).claimed).toBe(usdc(1))
  })

  it('reverts for a receiver that is no account, with a signature that is no account’s', async () => {
    const [, batched] = world.batchOf([await world.claimOf(world.config(), usdc(1))])
    const noAccount = { receiver: zeroAddress, receiverAuthorizer: zeroAddress, token: world.token }
    const attempt = world.call(stranger, 'claimManyWithSignature', [noAccount, batched, toHex(new Uint8Array(65))])
    expect(await revertOf(attempt)).toEqual(['BadSignature', zeroAddress])
  })
})
