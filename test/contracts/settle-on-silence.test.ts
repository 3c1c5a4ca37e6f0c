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
 * ├── pays what was submitted or acknowledged, regardless of who calls, with the fee
 * └── pays half of each where silence splits, rounded down, and keeps the rest until the close
 *
 * settleHalf
 * ├── reverts where silence does not split, also where it pays
 * ├── reverts for nothing, a step that is not there or ended, another charter, an attestation of the whole
 * ├── pays half of each step, rounded down, with its own fee, and keeps the rest
 * └── closes: what was submitted stays open, the rest goes back
 */
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanTerms } from '../../contracts/abi/index.ts'
import { capGas, settleGas } from '../../server/settlement/rails/max-transaction-gas.ts'
import { arbitrated, gains } from './disputes.ts'
import {
  accountOf,
  actors,
  type Charter,
  charterOf,
  createWorld,
  hash,
  hiredFor,
  payee,
  revertOf,
  settlementOf,
  usdc,
  type World,
} from './world.ts'

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
const half = async (of: PlanTerms, charter: Charter, content: ReturnType<typeof settlementOf>) =>
  world.call(stranger, 'settleHalf', [{ terms: of, charter, ...content, signature: await world.signHalf(of, charter, content) }])
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

  it('pays half of each where silence splits, and keeps the rest until the close', async () => {
    const { terms, charter, planId } = await paying({ onSilence: 7, feeBps: 1000 })
    await submit(terms, charter, 0b1n)
    const receipt = await acknowledged(terms, 0b100n)
    await world.timeIs(terms.reviewBy)
    let events: { name: string }[] = []
    const falling = async () => {
      events = (await silence(terms, charter, 0b101n, receipt)).events
    }
    expect(await gains(world, [alice, bob, carol, client, feeTo], falling)).toEqual([usdc(0.5), 0n, usdc(1.5), 0n, usdc(0.2)])
    expect(events.map(({ name }) => name)).toEqual([
      'StepsDefaulted',
      'StepSplit',
      'FeeCredited',
      'Paid',
      'StepSplit',
      'FeeCredited',
      'Paid',
    ])
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(7.8), codes: 0b100010n, version: 1 })
    expect(await revertOf(silence(terms, charter, 0b1n))).toEqual(['StepNotPending', 0b1n])
    expect(await gains(world, [client], () => world.settle(terms, charter, settlementOf(0b10n, true)))).toEqual([usdc(5.6)])
    expect(await revertOf(silence(terms, charter, 0b1n))).toEqual(['AlreadyClosed', planId])
  })

  it('closes a closing plan with the last half, where silence splits', async () => {
    const { terms, charter } = await paying({ onSilence: 5, feeBps: 1000 })
    await submit(terms, charter, 0b1n)
    await submit(terms, charter, 0b10n, bob)
    await world.settle(terms, charter, settlementOf(0b100n, true))
    await world.timeIs(terms.reviewBy)
    expect(await gains(world, [alice, client], () => silence(terms, charter, 0b1n))).toEqual([usdc(0.5), usdc(0.55)])
    expect(await gains(world, [bob, client], () => silence(terms, charter, 0b10n))).toEqual([usdc(1), usdc(1.1)])
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
  })

  it('pays nothing twice of what settleHalf paid', async () => {
    const { terms, charter } = await paying({ onSilence: 5 })
    await submit(terms, charter, 0b1n)
    await half(terms, charter, settlementOf(0b1n))
    await world.timeIs(terms.reviewBy)
    expect(await revertOf(silence(terms, charter, 0b1n))).toEqual(['StepNotPending', 0b1n])
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

describe('settleHalf', () => {
  it('reverts where silence does not split, also where it pays', async () => {
    for (const onSilence of [0, 1, 2, 3]) {
      const { terms, charter } = await paying({ onSilence })
      expect(await revertOf(half(terms, charter, settlementOf(0b1n)))).toEqual(['SilenceSplitsNothing'])
    }
  })

  it('reverts for nothing, a step that is not there or ended, another charter, an attestation of the whole', async () => {
    const { terms, charter } = await paying({ onSilence: 5 })
    const { signature } = await world.settlement(terms, charter, settlementOf(0b1n))
    const whole = { terms, charter, ...settlementOf(0b1n), signature }
    expect(await revertOf(world.call(stranger, 'settleHalf', [whole]))).toEqual(['BadSignature', evaluator.address])
    const word = await world.signHalf(terms, charter, settlementOf(0b1n))
    expect(await revertOf(world.settle(terms, charter, settlementOf(0b1n), word))).toEqual(['BadSignature', evaluator.address])
    expect(await revertOf(half(terms, charter, settlementOf(0n)))).toEqual(['NothingToSettle'])
    expect(await revertOf(half(terms, charter, settlementOf(0b1000n)))).toEqual(['StepOutOfRange', 0b1000n, 3n])
    expect((await revertOf(half(terms, charterOf({ charterHash: hash(1) }), settlementOf(0b1n))))[0]).toBe('CharterMismatch')
    await half(terms, charter, settlementOf(0b1n))
    expect(await revertOf(half(terms, charter, settlementOf(0b1n)))).toEqual(['StepNotPending', 0b1n])
  })

  it('pays half of each step, rounded down, with its own fee, and keeps the rest', async () => {
    const charter = charterOf({ steps: [{ payee: alice.address, amount: usdc(1) + 1n }, ...charterOf().steps.slice(1)] })
    const { terms, planId } = await paying({ onSilence: 7, feeBps: 1000 }, charter)
    let events: { name: string }[] = []
    const halving = async () => {
      events = (await half(terms, charter, { ...settlementOf(0b11n), conclusionHash: hash(7) })).events
    }
    expect(await gains(world, [alice, bob, client, feeTo], halving)).toEqual([usdc(0.5), usdc(1), 0n, usdc(0.15)])
    expect(events.slice(0, 2)).toEqual([
      { name: 'StepsSettled', planId, bits: 0n, conclusionHash: hash(7) },
      { name: 'StepSplit', planId, step: 0, payeeBps: 5_000 },
    ])
    expect(await world.plan(terms)).toMatchObject({ status: 1, remaining: usdc(8.35), codes: 0b1010n })
  })

  it('pays 64 halves of a closing plan at once, with half of the gas that the product sends', async () => {
    const steps = Array.from({ length: 64 }, (_, i) => ({ payee: payee(700 + i), amount: usdc(0.1) }))
    const charter = charterOf({ steps })
    const { terms } = await paying({ onSilence: 7, feeBps: 1000 }, charter)
    for (const i of steps.keys()) {
      const [by, content] = [accountOf(payee(700 + i)) ?? alice, { bits: 1n << BigInt(i), outputsHash: hash(1) }]
      const signature = await world.signSteps(terms, 1, content, by)
      await world.call(stranger, 'submit', [terms, charter, content.bits, content.outputsHash, by.address, signature])
    }
    await world.settle(terms, charter, settlementOf(0n, true))
    const { gas } = await half(terms, charter, settlementOf(2n ** 64n - 1n, true))
    expect(BigInt(gas)).toBeLessThan(capGas(2n * settleGas(64)) / 2n)
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
  })

  it('closes: what was submitted stays open, the rest goes back', async () => {
    const { terms, charter } = await paying({ onSilence: 5 })
    await submit(terms, charter, 0b10n, bob)
    expect(await gains(world, [alice, client], () => half(terms, charter, settlementOf(0b1n, true)))).toEqual([usdc(0.5), usdc(7.5)])
    expect(await world.plan(terms)).toMatchObject({ status: 1, remaining: usdc(2), closing: true })
    expect(await gains(world, [bob, client], () => half(terms, charter, settlementOf(0b10n)))).toEqual([usdc(1), usdc(1)])
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
  })
})
