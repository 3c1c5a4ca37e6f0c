/**
 * withdrawCredit
 * ├── reverts when the caller has no credit in that token
 * ├── reverts when it would go to zero or to the escrow
 * ├── reverts when the token refuses, leaving the credit as it was
 * ├── sends the whole credit of the caller, and of no other account, where the caller says
 * └── withdrawCreditTo: the same on the holder's signature
 */
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { planEscrowAbi } from '../../contracts/abi/index.ts'
import { waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, revertOf, settlementOf, usdc, type World } from './world.ts'

const { alice, bob, feeTo, relayer, stranger } = actors
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const answer = (who: `0x${string}`, how: number) => world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [who, how])

// Every case starts with a credit of 2 for bob that the token refused to pay, and a fee of 0.02.
beforeEach(async () => {
  const terms = await world.terms({ token: world.wayward, feeBps: 100 })
  await world.fund(terms)
  await world.seal(terms, charterOf())
  await answer(bob.address, 1)
  await world.settle(terms, charterOf(), settlementOf(0b10n))
})

describe('withdrawCredit', () => {
  it('reverts when the caller has no credit in that token', async () => {
    const none = (token: `0x${string}`, who: typeof bob) => revertOf(world.withdrawCredit(who, token, who.address))
    expect(await none(world.wayward, stranger)).toEqual(['NothingToWithdraw', world.wayward, stranger.address])
    expect(await none(world.token, bob)).toEqual(['NothingToWithdraw', world.token, bob.address])
  })

  it('reverts when it would go to zero or to the escrow', async () => {
    for (const to of [zeroAddress, world.escrow]) {
      expect(await revertOf(world.withdrawCredit(bob, world.wayward, to))).toEqual(['BadRecipient', to])
    }
  })

  it('reverts when the token refuses, leaving the credit as it was', async () => {
    const before = await world.credit(bob.address, world.wayward)
    for (const how of [1, 2]) {
      await answer(bob.address, how)
      expect((await revertOf(world.withdrawCredit(bob, world.wayward, bob.address)))[0]).not.toBe('nothing reverted')
      expect(await world.credit(bob.address, world.wayward)).toBe(before)
    }
  })

  it('sends the whole credit elsewhere, once', async () => {
    const amount = await world.credit(bob.address, world.wayward)
    expect(amount).toBeGreaterThanOrEqual(usdc(2))
    const fee = await world.credit(feeTo.address, world.wayward)
    const before = await world.balance(alice.address, world.wayward)
    const { events } = await world.withdrawCredit(bob, world.wayward, alice.address)
    expect((await world.balance(alice.address, world.wayward)) - before).toBe(amount)
    expect(events).toEqual([{ name: 'CreditWithdrawn', token: world.wayward, account: bob.address, to: alice.address, amount }])
    expect(await world.credit(bob.address, world.wayward)).toBe(0n)
    expect(await world.credit(feeTo.address, world.wayward)).toBe(fee)
    expect((await revertOf(world.withdrawCredit(bob, world.wayward, alice.address)))[0]).toBe('NothingToWithdraw')
  })

  it('withdrawCreditTo sends it elsewhere with the signature of its holder: once, in time, there and in that token', async () => {
    const { wayward } = world
    const deadline = BigInt(await world.now()) + 1000n
    const nonce = await world.reader.readContract({
      address: world.escrow,
      abi: planEscrowAbi,
      functionName: 'nonceOf',
      args: [bob.address],
    })
    const amount = await world.credit(bob.address, wayward)
    const good = await world.signWithdrawal({ account: bob.address, token: wayward, to: alice.address, nonce, deadline }, bob)
    const bring = (to = alice.address, until = deadline, signature = good, token = wayward) =>
      world.call(stranger, 'withdrawCreditTo', [bob.address, token, to, until, signature])
    const refused = ['BadSignature', bob.address]
    expect(await revertOf(bring(stranger.address))).toEqual(refused)
    expect(await revertOf(bring(alice.address, deadline + 1n))).toEqual(refused)
    expect(await revertOf(bring(alice.address, deadline, good, world.token))).toEqual(refused)
    expect((await revertOf(bring(alice.address, 1n)))[0]).toBe('TooLate')

    const before = await world.balance(alice.address, wayward)
    const { events } = await bring()
    expect((await world.balance(alice.address, wayward)) - before).toBe(amount)
    expect(events).toEqual([{ name: 'CreditWithdrawn', token: wayward, account: bob.address, to: alice.address, amount }])
    expect(await revertOf(bring())).toEqual(refused)
  })

  it('pays the fee out', async () => {
    const amount = await world.credit(feeTo.address, world.wayward)
    expect(amount).toBeGreaterThanOrEqual(usdc(0.02))
    await world.withdrawCredit(feeTo, world.wayward, feeTo.address)
    expect(await world.balance(feeTo.address, world.wayward)).toBe(amount)
  })
})
