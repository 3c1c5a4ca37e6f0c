/**
 * rule
 * ├── reverts when the step is not disputed, or the plan was never funded
 * ├── reverts when it is not the arbitrator's word, by call or signature, on exactly this
 * ├── reverts when the share is above the whole
 * ├── reverts from the expiry on, and not a second before
 * └── splits: the payee's share rounded down, fee and royalties on it; the rest waits for the closing
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arbitrated, disputing, gains } from './disputes.ts'
import { actors, charterOf, createWorld, hash, revertOf, usdc, type World } from './world.ts'

const { alice, arbitrator, bob, client, evaluator, feeTo, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function disputed(changes: Parameters<typeof arbitrated>[1] = {}, charter = charterOf()) {
  const plan = await arbitrated(world, changes, charter)
  await disputing(world).dispute(plan.terms, charter, 0)
  return plan
}

describe('rule', () => {
  it('reverts when the step is not disputed', async () => {
    const { terms, charter } = await disputed()
    expect(await revertOf(disputing(world).rule(terms, charter, 1, 5000))).toEqual(['StepNotDisputed', 1])
    await disputing(world).rule(terms, charter, 0, 5000)
    expect(await revertOf(disputing(world).rule(terms, charter, 0, 5000))).toEqual(['StepNotDisputed', 0])
  })

  it('reverts when the plan was never funded', async () => {
    const terms = await world.terms({ arbitrator: arbitrator.address })
    expect(await revertOf(disputing(world).rule(terms, charterOf(), 0, 10_000))).toEqual(['NotFunded', world.planId(terms)])
  })

  it('reverts when another account rules', async () => {
    const { terms, charter } = await disputed()
    for (const by of [client, alice, evaluator, stranger]) {
      expect(await revertOf(disputing(world).rule(terms, charter, 0, 10_000, by))).toEqual(['BadSignature', arbitrator.address])
    }
  })

  it('reverts when the share is above the whole', async () => {
    const { terms, charter } = await disputed()
    expect(await revertOf(disputing(world).rule(terms, charter, 0, 10_001))).toEqual(['BadShare', 10_001n, 10_000n])
  })

  it('reverts from the expiry on, and not a second before', async () => {
    await using later = await createWorld()
    const { terms, charter } = await arbitrated(later)
    const { dispute, rule } = disputing(later)
    await dispute(terms, charter, 0)
    await dispute(terms, charter, 1)
    await later.timeIs(terms.expiry - 2)
    await rule(terms, charter, 0, 1)
    await later.timeIs(terms.expiry)
    expect((await revertOf(rule(terms, charter, 1, 1)))[0]).toBe('TooLate')
  })

  it('takes the arbitrator at its signature, for exactly this share and ruling', async () => {
    const { terms, charter } = await disputed()
    const signature = await world.signRuling(terms, 1, { step: 0, payeeBps: 7000, rulingHash: hash(0xe2) })
    const refused = ['BadSignature', arbitrator.address]
    expect(await revertOf(disputing(world).rule(terms, charter, 0, 7001, relayer, signature))).toEqual(refused)
    expect(await revertOf(world.call(relayer, 'rule', [terms, charter, 0, 7000, hash(1), signature]))).toEqual(refused)
    await disputing(world).rule(terms, charter, 0, 7000, relayer, signature)
    expect((await world.plan(terms)).codes).toBe(0b10n)
  })

  it.each([
    [0, 0n, 0b10n],
    [1, 2n, 0b10n],
    [3333, 6666n, 0b10n],
    [9999, 19_998n, 0b10n],
    [10_000, 20_001n, 0b01n],
  ])('gives the payee %i of 10000, rounded down, and leaves the rest for the client', async (payeeBps, share, code) => {
    const charter = charterOf({ steps: [{ payee: bob.address, amount: 20_001n }] })
    const { terms, planId } = await disputed({ feeBps: 1000, total: 22_001n }, charter)
    let events: unknown[] = []
    const ruling = async () => {
      events = (await disputing(world).rule(terms, charter, 0, payeeBps)).events
    }
    expect(await gains(world, [bob, client, feeTo], ruling)).toEqual([share, 0n, share / 10n])
    expect(events[0]).toEqual({ name: 'StepRuled', planId, step: 0, payeeBps, rulingHash: hash(0xe2) })
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: 22_001n - share - share / 10n, codes: code, version: 1 })
  })

  it('shares what the payee gets with those who hold royalties', async () => {
    const charter = charterOf({ royalties: [{ step: 0, to: stranger.address, bps: 2000 }] })
    const { terms } = await disputed({}, charter)
    const ruling = () => disputing(world).rule(terms, charter, 0, 5000)
    expect(await gains(world, [alice, stranger], ruling)).toEqual([usdc(0.4), usdc(0.1)])
  })
})
