/**
 * release
 * ├── reverts when the caller is not the client, the evaluator included
 * ├── reverts as settle does: never funded, closed, not sealed, other steps, no such step, paid before, nothing to do
 * ├── reverts when it would close a plan that still owes a sealed step
 * ├── pays the chosen steps without an evaluator, fee and credits as in settle
 * └── closes when nothing is owed: before a charter was sealed, or once every step is paid
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, hash, payee, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { alice, bob, client, evaluator, feeTo } = actors
let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function sealed(changes: Parameters<World['terms']>[0] = {}, charter = charterOf()) {
  const terms = await world.terms(changes)
  await world.fund(terms)
  await world.seal(terms, charter)
  return { terms, charter, planId: world.planId(terms) }
}

describe('release', () => {
  it('reverts when the caller is not the client', async () => {
    const { terms, charter } = await sealed()
    for (const by of [evaluator, alice]) {
      const expected = ['BadSignature', client.address]
      expect(await revertOf(world.release(terms, charter, settlementOf(1n), by))).toEqual(expected)
    }
  })

  it('reverts when the client names terms of its own making that were never funded', async () => {
    const terms = await world.terms()
    expect(await revertOf(world.release(terms, unsealed, settlementOf(0n, true)))).toEqual(['NotFunded', world.planId(terms)])
  })

  it('reverts when the plan is closed', async () => {
    const { terms, charter, planId } = await sealed()
    await world.settle(terms, charter, settlementOf(0n, true))
    expect(await revertOf(world.release(terms, charter, settlementOf(1n)))).toEqual(['AlreadyClosed', planId])
  })

  it('reverts when no charter was sealed and a step is named', async () => {
    const terms = await world.terms()
    await world.fund(terms)
    expect(await revertOf(world.release(terms, charterOf(), settlementOf(1n)))).toEqual(['NotSealed', world.planId(terms)])
  })

  it('reverts when the steps are not those sealed, do not exist, or were paid before', async () => {
    const { terms, charter } = await sealed()
    const other = { ...charter, charterHash: hash(1) }
    expect((await revertOf(world.release(terms, other, settlementOf(1n))))[0]).toBe('CharterMismatch')
    expect(await revertOf(world.release(terms, charter, settlementOf(0b1001n)))).toEqual(['StepOutOfRange', 0b1001n, 3n])
    expect(await revertOf(world.release(terms, charter, settlementOf(0n)))).toEqual(['NothingToSettle'])
    await world.settle(terms, charter, settlementOf(1n))
    expect(await revertOf(world.release(terms, charter, settlementOf(1n)))).toEqual(['StepNotPending', 1n])
  })

  it('reverts when it would take back what is promised to the team', async () => {
    const { terms, charter } = await sealed()
    expect(await revertOf(world.release(terms, charter, settlementOf(0n, true)))).toEqual(['StepsOwed', 0b111n])
    expect(await revertOf(world.release(terms, charter, settlementOf(0b101n, true)))).toEqual(['StepsOwed', 0b010n])
  })

  it('reverts when one of 64 steps is still owed', async () => {
    const steps = Array.from({ length: 64 }, (_, i) => ({ payee: payee(i), amount: 1n }))
    const { terms, charter } = await sealed({}, charterOf({ steps }))
    const allButLast = 2n ** 63n - 1n
    expect(await revertOf(world.release(terms, charter, settlementOf(allButLast, true)))).toEqual(['StepsOwed', 2n ** 63n])
    await world.release(terms, charter, settlementOf(2n ** 64n - 1n, true))
    expect((await world.plan(terms)).status).toBe(2)
  })

  it('pays the chosen steps, with the fee', async () => {
    const { terms, charter, planId } = await sealed({ feeBps: 100 })
    const [before, fee] = [await world.balance(bob.address), await world.credit(feeTo.address)]
    const { events } = await world.release(terms, charter, settlementOf(0b10n))
    expect((await world.balance(bob.address)) - before).toBe(usdc(2))
    expect((await world.credit(feeTo.address)) - fee).toBe(usdc(0.02))
    expect(events.map((event) => event.name)).toEqual(['StepsSettled', 'FeeCredited', 'Paid'])
    expect(events[2]).toMatchObject({ planId, payee: bob.address, amount: usdc(2) })
    expect(events[0]).toMatchObject({ planId, bits: 0b10n, conclusionHash: hash(0xcc) })
    expect(await world.plan(terms)).toMatchObject({ status: 1, remaining: usdc(7.98), codes: 0b0100n })
  })

  it('credits a payee that the token refuses', async () => {
    const { terms, charter } = await sealed({ token: world.wayward })
    await world.write(actors.relayer, world.wayward, waywardTokenAbi, 'setAnswer', [bob.address, 1])
    await world.release(terms, charter, settlementOf(0b111n))
    expect(await world.credit(bob.address, world.wayward)).toBe(usdc(2))
  })

  it('closes no plan without a charter: members may be at work on one that no account sealed yet', async () => {
    const terms = await world.terms()
    await world.fund(terms)
    expect(await revertOf(world.release(terms, unsealed, settlementOf(0n, true)))).toEqual(['NotSealed', world.planId(terms)])
  })

  it('pays the debt and takes the surplus back in one call', async () => {
    const { terms, charter } = await sealed()
    await world.settle(terms, charter, settlementOf(0b1n))
    const before = await world.balance(client.address)
    await world.release(terms, charter, settlementOf(0b110n, true))
    expect((await world.balance(client.address)) - before).toBe(usdc(4))
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
  })
})
