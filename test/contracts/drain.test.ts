/**
 * Nothing pays out of a plan that was not funded.
 *
 * In the public reference escrow of ERC-8183, a refund of an unfunded job pays the caller from the money of other jobs. Here every call
 * that can move money is tried on terms that name real money and were never funded, with two tokens in the escrow.
 */
import { zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindCharter, noCharter, testUsdcAbi } from '../../contracts/abi/index.ts'
import { actors, charterOf, createWorld, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { stranger, bob: accomplice } = actors
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('a plan that was never funded', () => {
  it('pays nothing out of what others set aside, in either token, by any call, before or after its expiry', async () => {
    const victims = [await world.terms(), await world.terms({ token: world.wayward })]
    for (const terms of victims) await world.fund(terms)

    for (const { token } of victims) {
      // The attacker and its accomplice are client, evaluator and payee, and sign every request.
      const terms = await world.terms({ token, client: stranger.address, evaluator: accomplice.address })
      const planId = world.planId(terms)
      const charter = { ...charterOf(), steps: [{ payee: actors.alice.address, amount: usdc(10) }] }
      const attempts = async () => [
        await revertOf(world.refund(terms, stranger)),
        await revertOf(world.release(terms, unsealed, settlementOf(0n, true), stranger)),
        await revertOf(world.release(terms, charter, settlementOf(1n), stranger)),
        await revertOf(
          world.settle(
            terms,
            unsealed,
            settlementOf(0n, true),
            await world.signSettlement(terms, unsealed, settlementOf(0n, true), accomplice),
          ),
        ),
        await revertOf(
          world.settle(terms, charter, settlementOf(1n), await world.signSettlement(terms, charter, settlementOf(1n), accomplice)),
        ),
        await revertOf(world.seal(terms, charter)),
        await revertOf(world.propose(terms, charter, await world.signCharter(terms, charter, accomplice))),
        await revertOf(world.sealAndSettle(terms, charter, settlementOf(1n))),
        await revertOf(world.call(stranger, 'requestClose', [terms, '0x'])),
        await revertOf(world.call(stranger, 'veto', [terms, 1, '0x'])),
        await revertOf(world.call(stranger, 'closeExpired', [terms, charter])),
        await revertOf(world.submit(terms, charter, 1n, actors.alice)),
      ]
      for (const outcome of await attempts()) expect(outcome).toEqual(['NotFunded', planId])
      await world.timeIs(terms.expiry + 1)
      for (const outcome of await attempts()) expect(outcome).toEqual(['NotFunded', planId])
      expect((await revertOf(world.withdrawCredit(stranger, token, stranger.address)))[0]).toBe('NothingToWithdraw')
    }

    for (const terms of victims) {
      expect(await world.balance(world.escrow, terms.token)).toBe(terms.total)
      expect(await world.balance(stranger.address, terms.token)).toBe(0n)
      await world.refund(terms)
    }
  })

  it('pays nothing out of a donation to the escrow', async () => {
    const { relayer, client } = actors
    await world.write(relayer, world.token, testUsdcAbi, 'mint', [world.escrow, usdc(100)])
    const terms = await world.terms()
    await world.fund(terms)
    const before = await world.balance(client.address)
    await world.settle(terms, unsealed, settlementOf(0n, true))
    expect((await world.balance(client.address)) - before).toBe(terms.total)
    expect(await world.balance(world.escrow)).toBe(usdc(100))
  })

  it('is not confused with a charter whose hash is zero', async () => {
    expect(bindCharter(noCharter)).not.toBe(zeroHash)
  })
})
