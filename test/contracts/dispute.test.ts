/**
 * dispute
 * ├── reverts when the terms name no arbitrator
 * ├── reverts from the review's end on, and not a second before
 * ├── reverts when another account than client, payee or the payee's signer opens it, or does so without their word
 * ├── reverts when the step does not exist, was paid, or is disputed already
 * ├── by signature: the client's or the payee's, brought by any account; not for another step or evidence
 * ├── remembers the steps that their payee or its signer disputed, apart from those handed in
 * └── holds the step back: settle, release, silence and a closing pass it by; its amount and fee stay
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arbitrated, disputing, gains } from './disputes.ts'
import { actors, charterOf, createWorld, hash, revertOf, settlementOf, usdc, type World } from './world.ts'

const { alice, arbitrator, bob, carol, client, evaluator, feeTo, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const dispute: ReturnType<typeof disputing>['dispute'] = (...args) => disputing(world).dispute(...args)
const rule: ReturnType<typeof disputing>['rule'] = (...args) => disputing(world).rule(...args)

describe('dispute', () => {
  it('reverts when the terms name no arbitrator', async () => {
    const terms = await world.terms()
    await world.fund(terms)
    await world.seal(terms, charterOf())
    expect(await revertOf(dispute(terms, charterOf(), 0))).toEqual(['NoArbitrator'])
  })

  it('reverts from the end of the review on, and not a second before', async () => {
    await using later = await createWorld()
    const { terms, charter } = await arbitrated(later)
    await later.timeIs(terms.reviewBy - 2)
    await disputing(later).dispute(terms, charter, 0)
    await later.timeIs(terms.reviewBy)
    const by = BigInt(terms.reviewBy)
    expect(await revertOf(disputing(later).dispute(terms, charter, 1))).toEqual(['TooLate', by, by])
  })

  it('reverts when it is opened by no account it concerns', async () => {
    const { terms, charter } = await arbitrated(world)
    for (const by of [stranger, evaluator, arbitrator, bob]) {
      expect(await revertOf(dispute(terms, charter, 0, by))).toEqual(['NotParty', by.address])
    }
  })

  it('reverts when a third party calls in the name of the client or the payee', async () => {
    const { terms, charter } = await arbitrated(world)
    for (const by of [client, alice]) {
      const attempt = world.call(stranger, 'dispute', [terms, charter, 0, hash(0xe1), by.address, '0x'])
      expect(await revertOf(attempt)).toEqual(['BadSignature', by.address])
    }
  })

  it('reverts when the step does not exist, was paid, or is disputed already', async () => {
    const { terms, charter } = await arbitrated(world)
    expect(await revertOf(dispute(terms, charter, 3))).toEqual(['StepOutOfRange', 0b1000n, 3n])
    expect((await revertOf(dispute(terms, charter, 255)))[0]).toBe('StepOutOfRange')
    await world.settle(terms, charter, settlementOf(0b1n))
    expect(await revertOf(dispute(terms, charter, 0))).toEqual(['StepNotPending', 0b1n])
    await dispute(terms, charter, 1)
    expect(await revertOf(dispute(terms, charter, 1, bob))).toEqual(['StepNotPending', 0b10n])
  })

  it('accepts the signature of the client or the payee on a signature, for exactly this step and evidence', async () => {
    const { terms, charter, planId } = await arbitrated(world)
    for (const [step, by] of [client, bob].entries()) {
      const signature = await world.signDispute(terms, 1, { step, evidenceHash: hash(0xe1) }, by)
      const bring = (evidence: number, at = step) =>
        world.call(relayer, 'dispute', [terms, charter, at, hash(evidence), by.address, signature])
      expect(await revertOf(bring(0xe2))).toEqual(['BadSignature', by.address])
      if (by === client) expect(await revertOf(bring(0xe1, 2))).toEqual(['BadSignature', by.address])
      const { events } = await bring(0xe1)
      expect(events).toEqual([{ name: 'StepDisputed', planId, step, by: by.address, evidenceHash: hash(0xe1) }])
    }
    expect((await world.plan(terms)).codes).toBe(0b1111n)
  })

  it('accepts the signature of a signer that the payee allowed, until it is taken back', async () => {
    const { terms, charter } = await arbitrated(world)
    await world.call(alice, 'setSigner', [stranger.address, true])
    await dispute(terms, charter, 0, stranger)
    await world.call(alice, 'setSigner', [stranger.address, false])
    const other = await arbitrated(world)
    expect(await revertOf(dispute(other.terms, other.charter, 0, stranger))).toEqual(['NotParty', stranger.address])
  })

  it('remembers which steps their payees or signers disputed, regardless of who brought it, and distinguishes them from those submitted', async () => {
    const { terms, charter } = await arbitrated(world)
    await world.submit(terms, charter, 0b10n, bob)
    await dispute(terms, charter, 0)
    expect(await world.marks(terms)).toMatchObject({ disputedByPayee: 0n, submitted: 0b10n })

    const signature = await world.signDispute(terms, 1, { step: 1, evidenceHash: hash(0xe1) }, bob)
    await world.call(client, 'dispute', [terms, charter, 1, hash(0xe1), bob.address, signature])
    await world.call(carol, 'setSigner', [stranger.address, true])
    await dispute(terms, charter, 2, stranger)
    await world.call(carol, 'setSigner', [stranger.address, false])
    expect(await world.marks(terms)).toMatchObject({ disputedByPayee: 0b110n, submitted: 0b10n })
    await rule(terms, charter, 1, 5000)
    expect(await world.marks(terms)).toMatchObject({ disputedByPayee: 0b110n })
  })

  it('keeps settle, release and silence from the step', async () => {
    const { terms, charter } = await arbitrated(world, { onSilence: 1 })
    await world.submit(terms, charter, 0b10n, bob)
    await dispute(terms, charter, 1)
    const expected = ['StepNotPending', 0b10n]
    expect(await revertOf(world.settle(terms, charter, settlementOf(0b110n)))).toEqual(expected)
    expect(await revertOf(world.release(terms, charter, settlementOf(0b10n)))).toEqual(expected)
    await world.timeIs(terms.reviewBy)
    const none = { bits: 0n, outputsHash: hash(0), receivedAt: 0, signature: '0x' } as const
    expect(await revertOf(world.call(stranger, 'settleOnSilence', [terms, charter, 0b10n, none]))).toEqual(expected)
  })

  it('keeps its amount and fee in a plan that is closed, until the last of them is ruled upon', async () => {
    const { terms, charter, planId } = await arbitrated(world, { feeBps: 1000 })
    await dispute(terms, charter, 1)
    await dispute(terms, charter, 2, carol)
    const closing = () => world.settle(terms, charter, settlementOf(0b1n, true))
    expect(await gains(world, [alice, bob, carol, client, feeTo], closing)).toEqual([usdc(1), 0n, 0n, usdc(10 - 1.1 - 5.5), usdc(0.1)])
    expect(await world.plan(terms)).toMatchObject({ status: 1, remaining: usdc(5.5), closing: true })

    const first = () => rule(terms, charter, 1, 2500)
    expect(await gains(world, [bob, client, feeTo], first)).toEqual([usdc(0.5), usdc(2.2 - 0.55), usdc(0.05)])
    expect(await world.plan(terms)).toMatchObject({ status: 1, remaining: usdc(3.3), closing: true })

    let events: { name: string }[] = []
    const last = async () => {
      events = (await rule(terms, charter, 2, 10_000)).events
    }
    expect(await gains(world, [carol, client, feeTo], last)).toEqual([usdc(3), 0n, usdc(0.3)])
    expect(events.map((event) => event.name)).toEqual(['StepRuled', 'FeeCredited', 'PlanClosed', 'Paid'])
    const { status, remaining, codes, ...rest } = await world.plan(terms)
    expect({ status, remaining, rest }).toEqual({ status: 2, remaining: 0n, rest: { version: 1 } })
    expect(codes & 0b111111n).toBe(0b011001n)
    expect(await revertOf(world.refund(terms))).toEqual(['AlreadyClosed', planId])
  })

  it('lets the client close the part that is due to no other account, and take nothing of the step', async () => {
    const { terms, charter } = await arbitrated(world)
    await dispute(terms, charter, 2)
    const closing = () => world.release(terms, charter, settlementOf(0b11n, true))
    expect(await gains(world, [client, carol], closing)).toEqual([usdc(4), 0n])
    expect(await world.plan(terms)).toMatchObject({ status: 1, remaining: usdc(3), closing: true })
  })
})
