/**
 * A direct hire: the terms carry the charter, which no account sealed
 * ├── reverts for another charter, or one that could not have been sealed
 * ├── reverts where a payee or an amount has bits that its type does not have, though the terms name just these words
 * ├── settles, releases and closes as version 0
 * └── royalties: out of the payee's amount, credited, at most half of it
 */
import { type Address, concat, encodeFunctionData, type Hex, keccak256, pad, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashRoyalties, type PlanCharter, type PlanTerms, planEscrowAbi } from '../../contracts/abi/index.ts'
import { gains } from './disputes.ts'
import { actors, charterOf, createWorld, hash, hiredFor, payee, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { alice, bob, carol, client, evaluator, feeTo, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function hired(changes: Partial<PlanTerms> = {}, charterChanges: Partial<PlanCharter> = {}) {
  const charter = charterOf({ version: 0, ...charterChanges })
  const terms = await world.terms({ ...hiredFor(charter), ...changes })
  await world.fund(terms)
  return { terms, charter, planId: world.planId(terms) }
}
const royalty = (step: number, to: Address, bps: number) => ({ step, to, bps })

describe('a direct hire', () => {
  it('reverts for another charter than that of the terms, or none', async () => {
    const { terms, charter } = await hired()
    for (const other of [{ charterHash: hash(1) }, { steps: charter.steps.slice(1) }, { royalties: [royalty(0, bob.address, 1)] }]) {
      expect((await revertOf(world.settle(terms, { ...charter, ...other }, settlementOf(1n))))[0]).toBe('CharterMismatch')
    }
    expect(await revertOf(world.settle(terms, unsealed, settlementOf(0n, true)))).toEqual(['BadStepCount', 0n, 64n])
  })

  it.each([
    ['payee', 0, 160n],
    ['amount', 1, 96n],
  ])('reverts where the %s has a bit above its type, and pays where it has not', async (_, dirtied, above) => {
    const amount = 0x1e2408n
    const charter = charterOf({ version: 0, steps: [{ payee: alice.address, amount }] })
    const clean = [toHex(BigInt(alice.address), { size: 32 }), toHex(amount, { size: 32 })] as const
    const simulate = async (words: readonly [Hex, Hex]) => {
      const stepsHash = keccak256(concat([pad('0x20'), pad('0x01'), ...words]))
      const binding = keccak256(concat([stepsHash, hashRoyalties([]), charter.charterHash]))
      const terms = await world.terms({ charter: binding })
      await world.fund(terms)
      const content = await world.settlement(terms, charter, settlementOf(1n))
      const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'settle', args: [content] })
      const asBrought = data.replace(concat(clean).slice(2), concat(words).slice(2)) as Hex
      return { isDirty: asBrought !== data, answer: () => world.reader.call({ account: stranger, to: world.escrow, data: asBrought }) }
    }
    const good = await simulate(clean)
    expect(good.isDirty).toBe(false)
    await expect(good.answer()).resolves.toEqual({ data: undefined })

    const words = clean.map((word, i) => (i === dirtied ? toHex(BigInt(word) | (1n << above), { size: 32 }) : word))
    const bad = await simulate(words as [Hex, Hex])
    expect(bad.isDirty).toBe(true)
    await expect(bad.answer()).rejects.toThrow(/without a reason/)
  })

  it.each<[string, Partial<PlanCharter>, readonly unknown[]]>([
    ['pays its evaluator', { steps: [{ payee: evaluator.address, amount: 1n }] }, ['BadPayee', 0n, evaluator.address]],
    ['has 65 steps', { steps: Array.from({ length: 65 }, (_, i) => ({ payee: payee(i), amount: 1n })) }, ['BadStepCount', 65n, 64n]],
    ['promises too much', { steps: [{ payee: bob.address, amount: usdc(10) + 1n }] }, ['OverAllocated', usdc(10) + 1n, usdc(10)]],
    ['gives more than half away', { royalties: [royalty(0, bob.address, 5000), royalty(0, carol.address, 1)] }, ['BadRoyalty', 1n]],
  ])('reverts when its charter %s, and leaves the money to the client', async (_, changes, expected) => {
    const { terms, charter } = await hired({}, changes)
    expect(await revertOf(world.settle(terms, charter, settlementOf(1n)))).toEqual(expected)
    await world.timeIs(terms.expiry)
    expect(await gains(world, [client], () => world.refund(terms))).toEqual([usdc(10)])
  })

  it('is settled without a seal, and closed', async () => {
    const { terms, charter } = await hired({ feeBps: 1000 })
    const settling = () => world.settle(terms, charter, settlementOf(0b101n))
    expect(await gains(world, [alice, bob, carol, feeTo], settling)).toEqual([usdc(1), 0n, usdc(3), usdc(0.4)])
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(5.6), codes: 0b010001n, version: 0 })
    expect(await gains(world, [client], () => world.settle(terms, charter, settlementOf(0n, true)))).toEqual([usdc(5.6)])
  })

  it('is released by the client, by call or by signature, and not closed over what it owes', async () => {
    const { terms, charter } = await hired()
    expect(await revertOf(world.release(terms, charter, settlementOf(0b1n, true)))).toEqual(['StepsOwed', 0b110n])
    const content = settlementOf(0b111n, true)
    const signature = await world.signRelease(terms, charter, content)
    const attested = await world.signSettlement(terms, charter, content, client)
    expect(await revertOf(world.release(terms, charter, content, stranger, attested))).toEqual(['BadSignature', client.address])
    const releasing = () => world.release(terms, charter, content, stranger, signature)
    expect(await gains(world, [alice, bob, carol, client], releasing)).toEqual([usdc(1), usdc(2), usdc(3), usdc(4)])
  })
})

describe('royalties', () => {
  it.each<[string, { step: number; to: Address; bps: number }[], readonly unknown[]]>([
    ['names a step that is not there', [royalty(3, bob.address, 1)], ['BadRoyalty', 0n]],
    ['is out of order', [royalty(1, bob.address, 1), royalty(0, bob.address, 1)], ['BadRoyalty', 1n]],
    ['goes to nobody', [royalty(0, `0x${'0'.repeat(40)}`, 1)], ['BadPayee', 0n, `0x${'0'.repeat(40)}`]],
    ['goes to the evaluator', [royalty(2, evaluator.address, 1)], ['BadPayee', 2n, evaluator.address]],
    ['is one too many', Array.from({ length: 65 }, () => royalty(0, bob.address, 1)), ['BadRoyalty', 64n]],
  ])('revert the seal when one %s', async (_, royalties, expected) => {
    const terms = await world.terms()
    await world.fund(terms)
    expect(await revertOf(world.seal(terms, charterOf({ royalties })))).toEqual(expected)
  })

  it('revert the seal when one goes to the escrow or the arbitrator', async () => {
    const arbitrator = actors.arbitrator.address
    const terms = await world.terms({ arbitrator })
    await world.fund(terms)
    for (const to of [world.escrow, arbitrator]) {
      const charter = charterOf({ royalties: [royalty(1, to, 1)] })
      expect(await revertOf(world.seal(terms, charter))).toEqual(['BadPayee', 1n, to])
    }
  })

  it("come out of the payee's amount, step by step, and are credited", async () => {
    const royalties = [royalty(0, stranger.address, 1000), royalty(0, bob.address, 333), royalty(2, stranger.address, 5000)]
    const { terms, charter, planId } = await hired({ feeBps: 1000 }, { royalties })
    let events: { name: string }[] = []
    const settling = async () => {
      events = (await world.settle(terms, charter, settlementOf(0b11n))).events
    }
    const expected = [usdc(1 - 0.1 - 0.0333), usdc(2.0333), 0n, usdc(0.1), usdc(0.3)]
    expect(await gains(world, [alice, bob, carol, stranger, feeTo], settling)).toEqual(expected)
    expect(await world.credit(stranger.address)).toBe(usdc(0.1))
    expect(events.filter((event) => event.name === 'RoyaltyCredited')).toEqual([
      { name: 'RoyaltyCredited', planId, token: terms.token, to: stranger.address, step: 0, amount: usdc(0.1) },
      { name: 'RoyaltyCredited', planId, token: terms.token, to: bob.address, step: 0, amount: usdc(0.0333) },
    ])
    const rest = () => world.settle(terms, charter, settlementOf(0b100n, true))
    expect(await gains(world, [carol, stranger, client], rest)).toEqual([usdc(1.5), usdc(1.5), usdc(10 - 6.6)])
  })

  it('round down for those who hold them, and are nothing on a step of nothing', async () => {
    const steps = [alice, bob].map((who, i) => ({ payee: who.address, amount: i === 0 ? 9999n : 0n }))
    const { terms, charter } = await hired({}, { steps, royalties: [royalty(0, stranger.address, 1), royalty(1, stranger.address, 5000)] })
    expect(await gains(world, [alice, bob, stranger], () => world.settle(terms, charter, settlementOf(0b11n)))).toEqual([9999n, 0n, 0n])
  })
})
