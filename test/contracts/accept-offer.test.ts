/**
 * acceptOffer
 * ├── reverts when client or payee did not agree to exactly this, or the payee's signer did instead
 * ├── reverts past the deadline, and not at it
 * ├── reverts when the share is above the whole, or the step has ended
 * ├── one who gives the other everything does it alone, and no other account for it
 * └── splits a pending or disputed step, by call or signature of either
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arbitrated, disputing, gains } from './disputes.ts'
import { actors, createWorld, revertOf, settlementOf, usdc, type World } from './world.ts'

const { alice, bob, client, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const later = 4_102_444_800

/** The offer for step 0, whose payee is alice, as relayer brings it. */
async function offered(payeeBps: number, deadline = later) {
  const plan = await arbitrated(world)
  const sign = (by: typeof client, bps = payeeBps) => world.signOffer(plan.terms, 1, { step: 0, payeeBps: bps, deadline }, by)
  const accept = (clientSignature: `0x${string}`, payeeSignature: `0x${string}`, by = relayer) =>
    world.call(by, 'acceptOffer', [plan.terms, plan.charter, 0, payeeBps, deadline, clientSignature, payeeSignature])
  return { ...plan, sign, accept }
}

describe('acceptOffer', () => {
  it('reverts when one of the two did not agree to exactly this', async () => {
    const { sign, accept } = await offered(4000)
    const [ours, theirs] = [await sign(client), await sign(alice)]
    expect(await revertOf(accept(await sign(client, 4001), theirs))).toEqual(['BadSignature', client.address])
    expect(await revertOf(accept(ours, await sign(alice, 3999)))).toEqual(['BadSignature', alice.address])
    expect(await revertOf(accept(ours, await sign(bob)))).toEqual(['BadSignature', alice.address])
    expect(await revertOf(accept('0x', theirs))).toEqual(['BadSignature', client.address])
    expect(await revertOf(accept(ours, '0x'))).toEqual(['BadSignature', alice.address])
  })

  it("reverts with the signature of the payee's signer: it cannot give money away", async () => {
    const { sign, accept } = await offered(1)
    await world.call(alice, 'setSigner', [stranger.address, true])
    expect(await revertOf(accept(await sign(client), await sign(stranger)))).toEqual(['BadSignature', alice.address])
    await world.call(alice, 'setSigner', [stranger.address, false])
  })

  it('reverts past the deadline, and not at it', async () => {
    await using other = await createWorld()
    const { terms, charter } = await arbitrated(other)
    const deadline = terms.workBy
    const args = async (step: number) => {
      const offer = { step, payeeBps: 10_000, deadline }
      return [terms, charter, step, 10_000, deadline, await other.signOffer(terms, 1, offer, client), '0x'] as const
    }
    await other.timeIs(deadline - 1)
    await other.call(relayer, 'acceptOffer', await args(0))
    await other.timeIs(deadline + 1)
    expect((await revertOf(other.call(relayer, 'acceptOffer', await args(1))))[0]).toBe('TooLate')
  })

  it('reverts when the share is above the whole', async () => {
    const { sign, accept } = await offered(10_001)
    expect(await revertOf(accept(await sign(client), await sign(alice)))).toEqual(['BadShare', 10_001n, 10_000n])
  })

  it('reverts when the step has ended', async () => {
    const { terms, charter, sign, accept } = await offered(5000)
    await world.settle(terms, charter, settlementOf(0b1n))
    expect(await revertOf(accept(await sign(client), await sign(alice)))).toEqual(['StepNotPending', 0b1n])
  })

  it('splits a pending step on two signatures', async () => {
    const { terms, planId, sign, accept } = await offered(4000)
    let events: unknown[] = []
    const accepting = async () => {
      events = (await accept(await sign(client), await sign(alice))).events
    }
    expect(await gains(world, [alice, client], accepting)).toEqual([usdc(0.4), 0n])
    expect(events).toEqual([
      { name: 'OfferAccepted', planId, step: 0, payeeBps: 4000 },
      { name: 'Paid', planId, payee: alice.address, amount: usdc(0.4) },
    ])
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(9.6), codes: 0b10n, version: 1 })
  })

  it('splits a disputed step, and closes the plan with it', async () => {
    const { terms, charter, sign, accept } = await offered(2500)
    await disputing(world).dispute(terms, charter, 0)
    await world.settle(terms, charter, settlementOf(0n, true))
    const signature = await sign(client)
    expect(await gains(world, [alice, client], () => accept(signature, '0x', alice))).toEqual([usdc(0.25), usdc(0.75)])
    expect((await world.plan(terms)).status).toBe(2)
  })

  it('lets the client give the payee everything, alone, and no other account', async () => {
    const { sign, accept } = await offered(10_000)
    const theirs = await sign(alice)
    expect(await revertOf(accept('0x', theirs))).toEqual(['BadSignature', client.address])
    expect(await gains(world, [alice], () => accept('0x', '0x', client))).toEqual([usdc(1)])
  })

  it('lets the payee give the client everything, alone, and no other account', async () => {
    const { terms, sign, accept } = await offered(0)
    const ours = await sign(client)
    expect(await revertOf(accept(ours, '0x'))).toEqual(['BadSignature', alice.address])
    await accept('0x', await sign(alice))
    expect(await world.plan(terms)).toMatchObject({ remaining: usdc(10), codes: 0b10n })
  })
})
