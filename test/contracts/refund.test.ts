/**
 * refund
 * ├── reverts when the plan was never funded, or is closed
 * ├── reverts a second before the expiry, and works at it
 * ├── cannot be stopped: by an evaluator that answers badly, by a payee, by a token that refuses the client
 * └── sends what is left to the client, regardless of who calls, and marks what was not paid refunded
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testWalletAbi, testWalletBytecode, waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, revertOf, settlementOf, usdc, type World } from './world.ts'

const { client, stranger } = actors
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function funded(changes: Parameters<World['terms']>[0] = {}) {
  const terms = await world.terms(changes)
  await world.fund(terms)
  return terms
}

describe('refund', () => {
  it('reverts when the plan was never funded', async () => {
    const terms = await world.terms()
    expect(await revertOf(world.refund(terms))).toEqual(['NotFunded', world.planId(terms)])
  })

  it('reverts before the expiry, to the second', async () => {
    const terms = await funded()
    expect((await revertOf(world.refund(terms, client)))[0]).toBe('TooEarly')
    await world.timeIs(terms.expiry - 1)
    expect(await revertOf(world.refund(terms, client))).toEqual(['TooEarly', BigInt(terms.expiry - 1), BigInt(terms.expiry)])
    await world.timeIs(terms.expiry)
    await world.refund(terms)
  })

  it('reverts the second time', async () => {
    const terms = await funded()
    await world.timeIs(terms.expiry)
    await world.refund(terms)
    expect(await revertOf(world.refund(terms))).toEqual(['AlreadyClosed', world.planId(terms)])
  })

  it('sends everything to the client of a plan that was never sealed', async () => {
    const terms = await funded()
    await world.timeIs(terms.expiry)
    const [before, caller] = [await world.balance(client.address), await world.balance(stranger.address)]
    const { events } = await world.refund(terms, stranger)
    expect((await world.balance(client.address)) - before).toBe(terms.total)
    expect(await world.balance(stranger.address)).toBe(caller)
    const planId = world.planId(terms)
    expect(events).toEqual([
      { name: 'PlanClosed', planId },
      { name: 'Refunded', planId, client: client.address, amount: terms.total },
    ])
  })

  it('sends what the settled steps left, and marks the others refunded', async () => {
    const terms = await funded()
    await world.seal(terms, charterOf())
    await world.settle(terms, charterOf(), settlementOf(0b10n))
    await world.timeIs(terms.expiry)
    const before = await world.balance(client.address)
    await world.refund(terms)
    expect((await world.balance(client.address)) - before).toBe(usdc(8))
    const codes = BigInt(`0x${'a'.repeat(31)}6`) // 10 everywhere but step 1, which is 01
    expect(await world.plan(terms)).toEqual({ status: 2, remaining: 0n, codes, version: 1 })
  })

  it('closes a plan of which nothing is left', async () => {
    const terms = await funded({ total: usdc(6) })
    await world.seal(terms, charterOf())
    await world.settle(terms, charterOf(), settlementOf(0b111n))
    await world.timeIs(terms.expiry)
    const { events } = await world.refund(terms)
    expect(events.map((event) => event.name)).toEqual(['PlanClosed'])
  })

  it('is not stopped by an evaluator that answers badly', async () => {
    const wallet = await world.deploy(testWalletAbi, testWalletBytecode, [actors.evaluator.address])
    for (const mood of [2, 3]) {
      const terms = await funded({ evaluator: wallet })
      await world.write(actors.relayer, wallet, testWalletAbi, 'setMood', [mood])
      await world.timeIs(terms.expiry)
      await world.refund(terms)
      expect((await world.plan(terms)).status).toBe(2)
    }
  })

  it.each([
    ['reverts', 1],
    ['answers false', 2],
    ['answers garbage', 4],
    ['reverts with a megabyte', 5],
    ['burns its gas', 6],
  ])('credits the client when the token %s', async (_, answer) => {
    const { wayward } = world
    const terms = await funded({ token: wayward })
    await world.timeIs(terms.expiry)
    const before = await world.credit(client.address, wayward)
    await world.write(actors.relayer, wayward, waywardTokenAbi, 'setAnswer', [client.address, answer])
    const { events } = await world.refund(terms)
    await world.write(actors.relayer, wayward, waywardTokenAbi, 'setAnswer', [client.address, 0])
    expect(events.map((event) => event.name)).toEqual(['PlanClosed', 'Credited'])
    expect((await world.credit(client.address, wayward)) - before).toBe(terms.total)
    expect((await world.plan(terms)).remaining).toBe(0n)
  })
})
