/**
 * seal
 * ├── reverts when the plan was never funded, or is closed
 * ├── reverts when the plan has expired, and not a second before
 * ├── reverts when the version does not rise
 * ├── reverts when a step was paid
 * ├── reverts when the charter is unsound: no step, 65 steps, a payee that is zero, the escrow or the evaluator,
 * │   steps or steps and fee above the total
 * ├── reverts when the client did not authorize exactly this
 * └── binds steps and charter; a higher version replaces them, and voids what was attested to the old one
 */
import { zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bindCharter, hashRoyalties, hashSteps, planEscrowAbi } from '../../contracts/abi/index.ts'
import { actors, charterOf, createWorld, hash, payee, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const funded = async (changes: Parameters<World['terms']>[0] = {}) => {
  const terms = await world.terms(changes)
  await world.fund(terms)
  return terms
}

const boundCharter = (id: `0x${string}`) =>
  world.reader.readContract({ address: world.escrow, abi: planEscrowAbi, functionName: 'charterOf', args: [id] })

describe('seal', () => {
  it('reverts when the plan was never funded', async () => {
    const terms = await world.terms()
    expect(await revertOf(world.seal(terms, charterOf()))).toEqual(['NotFunded', world.planId(terms)])
  })

  it('reverts when the plan is closed', async () => {
    const terms = await funded()
    await world.settle(terms, unsealed, settlementOf(0n, true))
    expect(await revertOf(world.seal(terms, charterOf()))).toEqual(['AlreadyClosed', world.planId(terms)])
  })

  it('reverts when the plan has expired, and not a second before', async () => {
    await using later = await createWorld()
    const terms = await later.terms()
    await later.fund(terms)
    await later.timeIs(terms.expiry - 2)
    await later.seal(terms, charterOf())
    await later.timeIs(terms.expiry)
    const [name, , expiry] = await revertOf(later.seal(terms, charterOf({ version: 2 })))
    expect([name, expiry]).toEqual(['TooLate', BigInt(terms.expiry)])
  })

  it('reverts when the version does not rise', async () => {
    const terms = await funded()
    expect(await revertOf(world.seal(terms, charterOf({ version: 0 })))).toEqual(['StaleVersion', 0, 0])
    await world.seal(terms, charterOf({ version: 5 }))
    expect(await revertOf(world.seal(terms, charterOf({ version: 5 })))).toEqual(['StaleVersion', 5, 5])
    expect(await revertOf(world.seal(terms, charterOf({ version: 4 })))).toEqual(['StaleVersion', 4, 5])
  })

  it('reverts when a step was paid', async () => {
    const terms = await funded()
    await world.seal(terms, charterOf())
    await world.settle(terms, charterOf(), settlementOf(0b101n))
    expect(await revertOf(world.seal(terms, charterOf({ version: 2 })))).toEqual(['StepsTouched', 0b010001n])
  })

  it('reverts when there is no step, or one too many', async () => {
    const terms = await funded()
    expect(await revertOf(world.seal(terms, charterOf({ steps: [] })))).toEqual(['BadStepCount', 0n, 64n])
    const steps = Array.from({ length: 65 }, (_, i) => ({ payee: payee(i), amount: 1n }))
    expect(await revertOf(world.seal(terms, charterOf({ steps })))).toEqual(['BadStepCount', 65n, 64n])
    await world.seal(terms, charterOf({ steps: steps.slice(0, 64) }))
  })

  it('reverts when a payee is zero, the escrow or the evaluator', async () => {
    const terms = await funded()
    for (const who of [zeroAddress, world.escrow, actors.evaluator.address]) {
      const steps = [...charterOf().steps, { payee: who, amount: 1n }]
      expect(await revertOf(world.seal(terms, charterOf({ steps })))).toEqual(['BadPayee', 3n, who])
    }
  })

  it('reverts when the steps come to more than the total, by one unit', async () => {
    const terms = await funded({ total: usdc(6) - 1n })
    expect(await revertOf(world.seal(terms, charterOf()))).toEqual(['OverAllocated', usdc(6), usdc(6) - 1n])
    await world.seal(await funded({ total: usdc(6) }), charterOf())
  })

  it('reverts when the steps and their fee come to more than the total, by one unit', async () => {
    const owed = usdc(6) + usdc(0.6)
    const terms = await funded({ total: owed - 1n, feeBps: 1000 })
    expect(await revertOf(world.seal(terms, charterOf()))).toEqual(['OverAllocated', owed, owed - 1n])
    await world.seal(await funded({ total: owed, feeBps: 1000 }), charterOf())
  })

  it('reverts when amounts of 96 bits add up beyond 96 bits', async () => {
    const terms = await funded()
    const max = 2n ** 96n - 1n
    const steps = Array.from({ length: 64 }, (_, i) => ({ payee: payee(i), amount: max }))
    expect(await revertOf(world.seal(terms, charterOf({ steps })))).toEqual(['OverAllocated', max * 64n, terms.total])
  })

  it('reverts when the client did not authorize, or authorized another version, steps or charter', async () => {
    const terms = await funded()
    const charter = charterOf()
    const swapped = [...charter.steps].reverse()
    const expected = ['BadSignature', actors.client.address]
    const signatures = [
      await world.signAuthorization(terms, charter, actors.evaluator),
      await world.signAuthorization(terms, { ...charter, version: 2 }),
      await world.signAuthorization(terms, { ...charter, steps: swapped }),
      await world.signAuthorization(terms, { ...charter, charterHash: hash(0xff) }),
      '0x' as const,
    ]
    for (const signature of signatures) expect(await revertOf(world.seal(terms, charter, signature))).toEqual(expected)
  })

  it('binds the steps and the charter, and moves no money', async () => {
    const terms = await funded()
    const planId = world.planId(terms)
    expect(await boundCharter(planId)).toBe(zeroHash)
    const escrow = await world.balance(world.escrow)
    const charter = charterOf()
    const { events } = await world.seal(terms, charter)
    const stepsHash = hashSteps(charter.steps)
    expect(await boundCharter(planId)).toBe(bindCharter(charter))
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: terms.total, codes: 0n, version: 1 })
    expect(await world.balance(world.escrow)).toBe(escrow)
    const { charterHash } = charter
    const royaltiesHash = hashRoyalties([])
    expect(events).toEqual([{ name: 'PlanSealed', planId, version: 1, stepsHash, royaltiesHash, charterHash, payableFrom: 0 }])
  })

  it('replaces a charter by one of a higher version, and voids what was attested to the old one', async () => {
    const terms = await funded({ onSilence: 2 })
    const old = charterOf()
    await world.seal(terms, old)
    const attested = await world.signSettlement(terms, old, settlementOf(0b1n))
    const replaced = charterOf({ version: 3, steps: [{ payee: actors.stranger.address, amount: usdc(1) }, ...old.steps.slice(1)] })
    await world.seal(terms, replaced)

    expect((await revertOf(world.settle(terms, old, settlementOf(0b1n), attested)))[0]).toBe('CharterMismatch')
    const expected = ['BadSignature', actors.evaluator.address]
    expect(await revertOf(world.settle(terms, replaced, settlementOf(0b1n), attested))).toEqual(expected)

    const before = await world.balance(actors.stranger.address)
    await world.settle(terms, replaced, settlementOf(0b1n))
    expect(await world.balance(actors.stranger.address)).toBe(before + usdc(1))
  })
})
