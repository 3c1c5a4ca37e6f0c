/**
 * submit
 * ├── reverts when the caller is neither the payee of each step nor its signer
 * ├── reverts after the work was due, and not at that second
 * ├── reverts for nothing, a step that is not there or was paid, another charter
 * └── remembers the steps, and keeps the charter from being replaced
 *
 * settleOnSilence
 * ├── reverts where silence refunds
 * ├── reverts before the review's end, to the second
 * ├── reverts when a step was neither submitted nor acknowledged in time by the evaluator, for this charter
 * ├── reverts when a step was paid before, or none is named
 * └── pays what was submitted or acknowledged, regardless of who calls, with the fee
 */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanTerms } from '../../contracts/abi/index.ts'
import { arbitrated, gains } from './disputes.ts'
import { actors, type Charter, charterOf, createWorld, hash, hiredFor, revertOf, settlementOf, usdc, type World } from './world.ts'

const { alice, bob, carol, client, evaluator, feeTo, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const submit = (of: PlanTerms, charter: Charter, bits: bigint, by = alice) => world.submit(of, charter, bits, by)
const none = { bits: 0n, outputsHash: hash(0), receivedAt: 0, signature: '0x' as Hex }
const silence = (of: PlanTerms, charter: Charter, bits: bigint, acknowledgement = none) =>
  world.call(stranger, 'settleOnSilence', [of, charter, bits, acknowledgement])
const paying = (changes: Partial<PlanTerms> = {}, charter = charterOf()) => arbitrated(world, { onSilence: 1, ...changes }, charter)

async function acknowledged(of: PlanTerms, bits: bigint, changes: { receivedAt?: number; charter?: Charter; by?: typeof evaluator } = {}) {
  const handedIn = { bits, outputsHash: hash(0xd2), receivedAt: changes.receivedAt ?? of.workBy }
  return { ...handedIn, signature: await world.signSubmission(of, changes.charter ?? charterOf(), handedIn, changes.by ?? evaluator) }
}

describe('submit', () => {
  it('reverts when the caller is not the payee of each of the steps', async () => {
    const { terms, charter } = await paying()
    for (const by of [client, evaluator, stranger, bob]) {
      expect(await revertOf(submit(terms, charter, 0b1n, by))).toEqual(['NotParty', by.address])
    }
    expect(await revertOf(submit(terms, charter, 0b11n))).toEqual(['NotParty', alice.address])
  })

  it('reverts after the work was due, and not at that second', async () => {
    const { terms, charter } = await paying()
    await world.timeIs(terms.workBy - 1)
    await submit(terms, charter, 0b1n)
    await world.timeIs(terms.workBy + 1)
    const by = BigInt(terms.workBy)
    expect(await revertOf(submit(terms, charter, 0b10n, bob))).toEqual(['TooLate', by + 1n, by])
  })

  it('reverts for nothing, a step that is not there or was paid, another charter', async () => {
    const { terms, charter } = await paying()
    expect(await revertOf(submit(terms, charter, 0n))).toEqual(['NothingToSettle'])
    expect(await revertOf(submit(terms, charter, 0b1000n))).toEqual(['StepOutOfRange', 0b1000n, 3n])
    expect((await revertOf(submit(terms, charterOf({ charterHash: hash(1) }), 0b1n)))[0]).toBe('CharterMismatch')
    await world.settle(terms, charter, settlementOf(0b1n))
    expect(await revertOf(submit(terms, charter, 0b1n))).toEqual(['StepNotPending', 0b1n])
  })

  it('remembers the steps, and keeps the charter from being replaced', async () => {
    const { terms, charter, planId } = await paying()
    await world.call(carol, 'setSigner', [stranger.address, true])
    const { events } = await submit(terms, charter, 0b100n, stranger)
    await world.call(carol, 'setSigner', [stranger.address, false])
    expect(events).toEqual([{ name: 'StepsSubmitted', planId, bits: 0b100n, outputsHash: hash(0xd1) }])
    await submit(terms, charter, 0b1n)
    expect(await revertOf(world.seal(terms, charterOf({ version: 2 })))).toEqual(['StepsHandedIn', 0b101n])
  })
})

describe('settleOnSilence', () => {
  it('reverts where silence refunds', async () => {
    for (const onSilence of [0, 2]) {
      const { terms, charter } = await paying({ onSilence })
      await submit(terms, charter, 0b1n)
      await world.timeIs(terms.reviewBy)
      expect(await revertOf(silence(terms, charter, 0b1n))).toEqual(['SilenceRefunds'])
    }
  })

  it("reverts before the review's end, to the second", async () => {
    const { terms, charter } = await paying()
    await submit(terms, charter, 0b1n)
    await world.timeIs(terms.reviewBy - 1)
    const by = BigInt(terms.reviewBy)
    expect(await revertOf(silence(terms, charter, 0b1n))).toEqual(['TooEarly', by - 1n, by])
    await world.timeIs(terms.reviewBy)
    await silence(terms, charter, 0b1n)
  })

  it('reverts for a step that was neither submitted nor acknowledged', async () => {
    const { terms, charter } = await paying()
    await submit(terms, charter, 0b1n)
    const receipt = await acknowledged(terms, 0b10n)
    await world.timeIs(terms.reviewBy)
    expect(await revertOf(silence(terms, charter, 0b11n))).toEqual(['NotSubmitted', 0b10n])
    expect(await revertOf(silence(terms, charter, 0b111n, receipt))).toEqual(['NotSubmitted', 0b100n])
    expect(await revertOf(silence(terms, charter, 0n, receipt))).toEqual(['NothingToSettle'])
  })

  it('reverts for a receipt that is late, of another charter, altered, or not by the evaluator', async () => {
    const { terms, charter } = await paying()
    await world.timeIs(terms.reviewBy)
    const refused = ['BadSignature', evaluator.address]
    const late = await acknowledged(terms, 0b1n, { receivedAt: terms.workBy + 1 })
    expect(await revertOf(silence(terms, charter, 0b1n, late))).toEqual(['TooLate', BigInt(terms.workBy + 1), BigInt(terms.workBy)])
    expect(await revertOf(silence(terms, charter, 0b1n, { ...late, receivedAt: terms.workBy }))).toEqual(refused)
    for (const changes of [{ charter: charterOf({ charterHash: hash(0xc2) }) }, { by: client }, { by: alice }]) {
      expect(await revertOf(silence(terms, charter, 0b1n, await acknowledged(terms, 0b1n, changes)))).toEqual(refused)
    }
    const good = await acknowledged(terms, 0b1n)
    expect(await revertOf(silence(terms, charter, 0b1n, { ...good, bits: 0b11n }))).toEqual(refused)
    expect(await revertOf(silence(terms, charter, 0b1n, { ...good, outputsHash: hash(9) }))).toEqual(refused)
  })

  it('reverts for a step that was paid before, or whose plan is closed', async () => {
    const { terms, charter, planId } = await paying()
    const receipt = await acknowledged(terms, 0b111n)
    await world.timeIs(terms.reviewBy)
    await silence(terms, charter, 0b1n, receipt)
    expect(await revertOf(silence(terms, charter, 0b11n, receipt))).toEqual(['StepNotPending', 0b1n])
    await world.settle(terms, charter, settlementOf(0n, true))
    expect(await revertOf(silence(terms, charter, 0b10n, receipt))).toEqual(['AlreadyClosed', planId])
  })

  it('pays what was submitted and what was acknowledged at the last second, with the fee', async () => {
    const { terms, charter, planId } = await paying({ feeBps: 1000 })
    await submit(terms, charter, 0b1n)
    const receipt = await acknowledged(terms, 0b100n)
    await world.timeIs(terms.reviewBy)
    let events: unknown[] = []
    const falling = async () => {
      events = (await silence(terms, charter, 0b101n, receipt)).events
    }
    expect(await gains(world, [alice, bob, carol, client, feeTo], falling)).toEqual([usdc(1), 0n, usdc(3), 0n, usdc(0.4)])
    expect(events[0]).toEqual({ name: 'StepsDefaulted', planId, bits: 0b101n, outputsHash: hash(0xd2) })
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(5.6), codes: 0b010001n, version: 1 })
  })

  it("does not treat a caller's statement as the evaluator's", async () => {
    const { terms, charter } = await paying()
    await submit(terms, charter, 0b1n)
    await world.timeIs(terms.reviewBy)
    const { events } = await silence(terms, charter, 0b1n, { ...none, outputsHash: hash(0xff) })
    expect(events[0]).toMatchObject({ name: 'StepsDefaulted', bits: 0b1n, outputsHash: hash(0) })
  })

  it('pays where members may be replaced as well', async () => {
    const { terms, charter } = await paying({ onSilence: 3 })
    await submit(terms, charter, 0b1n)
    await world.timeIs(terms.reviewBy)
    expect(await gains(world, [alice], () => silence(terms, charter, 0b1n))).toEqual([usdc(1)])
  })

  it('pays in a direct hire, also after the expiry as long as no account refunded', async () => {
    const charter = charterOf({ version: 0 })
    const terms = await world.terms({ onSilence: 1, ...hiredFor(charter) })
    await world.fund(terms)
    const receipt = await acknowledged(terms, 0b111n, { charter })
    await world.timeIs(terms.expiry + 5)
    expect(await gains(world, [alice, bob, carol], () => silence(terms, charter, 0b111n, receipt))).toEqual([usdc(1), usdc(2), usdc(3)])
  })
})
