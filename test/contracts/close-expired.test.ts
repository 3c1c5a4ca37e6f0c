/**
 * refund and closeExpired, of a plan in which disputed steps were not ruled upon
 * ├── before the expiry neither works
 * ├── silence refunds: refund sends all of it back, regardless of who disputed, and closeExpired is not the call
 * └── silence pays
 *     ├── a step that its payee or the payee's signer disputed is refunded, by refund or closeExpired
 *     ├── a step that the client disputed is paid: refund states which call it is, and closeExpired pays it
 *     ├── of both kinds: closeExpired pays the one, and sends the other back with the rest
 *     ├── where silence splits, half of each owed step is paid, and the rest is sent back
 *     └── by any account, for all actions of evaluator, arbitrator and token
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { arbitrated, disputing, gains } from './disputes.ts'
import { actors, charterOf, createWorld, hash, revertOf, settlementOf, usdc, type World } from './world.ts'

const { alice, bob, carol, client, feeTo, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function unruled(onSilence: number, changes: Parameters<typeof arbitrated>[1] = {}, close = false) {
  const plan = await arbitrated(world, { onSilence, feeBps: 1000, ...changes })
  await disputing(world).dispute(plan.terms, plan.charter, 1)
  if (close) await world.settle(plan.terms, plan.charter, settlementOf(0b1n, true))
  return plan
}
const closeExpired = (...args: Parameters<typeof world.call<'closeExpired'>>[2]) => world.call(stranger, 'closeExpired', args)

describe('closeExpired', () => {
  it('reverts before the expiry, to the second', async () => {
    const { terms, charter } = await unruled(1)
    await world.timeIs(terms.expiry - 1)
    const expected = ['TooEarly', BigInt(terms.expiry - 1), BigInt(terms.expiry)]
    expect(await revertOf(closeExpired(terms, charter))).toEqual(expected)
    await world.timeIs(terms.expiry)
    await closeExpired(terms, charter)
  })

  it('is not the call where silence refunds: refund is, and sends all of it back', async () => {
    for (const close of [false, true]) {
      const { terms, charter } = await unruled(0, {}, close)
      await world.timeIs(terms.expiry)
      expect(await revertOf(closeExpired(terms, charter))).toEqual(['SilenceRefunds'])
      expect(await gains(world, [client, bob], () => world.refund(terms))).toEqual([usdc(close ? 2.2 : 10), 0n])
      const { status, codes, closing } = await world.plan(terms)
      expect([status, codes & 0b111111n, closing]).toEqual([2, close ? 0b101001n : 0b101010n, undefined])
    }
  })

  it('reverts for another charter, or a plan that is closed or was never funded', async () => {
    const { terms, charter, planId } = await unruled(1)
    await world.timeIs(terms.expiry)
    const other = charterOf({ charterHash: hash(1) })
    expect((await revertOf(closeExpired(terms, other)))[0]).toBe('CharterMismatch')
    await closeExpired(terms, charter)
    expect(await revertOf(closeExpired(terms, charter))).toEqual(['AlreadyClosed', planId])
    const never = { ...terms, salt: terms.salt + 9_000n }
    expect(await revertOf(closeExpired(never, charter))).toEqual(['NotFunded', world.planId(never)])
  })

  it.each([false, true])('pays the disputed step where silence pays, and sends the rest back (closed before: %s)', async (close) => {
    const { terms, charter, planId } = await unruled(1, {}, close)
    await world.timeIs(terms.expiry)
    expect(await revertOf(world.refund(terms))).toEqual(['StepsOwed', 0b10n])
    let events: { name: string }[] = []
    const ending = async () => {
      events = (await closeExpired(terms, charter)).events
    }
    const expected = [0n, usdc(2), usdc(close ? 0 : 7.8), usdc(0.2)]
    expect(await gains(world, [alice, bob, client, feeTo], ending)).toEqual(expected)
    expect(events[0]).toMatchObject({ name: 'StepsDefaulted', planId, bits: 0b10n })
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
  })

  it.each([
    ['the payee', bob],
    ["the payee's signer", stranger],
  ])('refunds a step that %s disputed, though it was handed in and silence pays', async (_, by) => {
    for (const [close, end] of [
      [false, 'refund'],
      [true, 'refund'],
      [false, 'closeExpired'],
      [true, 'closeExpired'],
    ] as const) {
      const { terms, charter } = await arbitrated(world, { onSilence: 1, feeBps: 1000 })
      await world.submit(terms, charter, 0b10n, bob)
      if (by === stranger) await world.call(bob, 'setSigner', [stranger.address, true])
      await disputing(world).dispute(terms, charter, 1, by)
      await world.call(bob, 'setSigner', [stranger.address, false])
      if (close) await world.settle(terms, charter, settlementOf(0b1n, true))
      await world.timeIs(terms.expiry)
      const ending = () => (end === 'refund' ? world.refund(terms) : closeExpired(terms, charter))
      expect(await gains(world, [client, bob, feeTo], ending)).toEqual([usdc(close ? 2.2 : 10), 0n, 0n])
      const { status, remaining, codes, closing } = await world.plan(terms)
      expect({ status, remaining, codes: codes & 0b111111n, closing }).toEqual({
        status: 2,
        remaining: 0n,
        codes: close ? 0b101001n : 0b101010n,
        closing: undefined,
      })
    }
  })

  it('pays what the client disputed and sends back what payees did, where a plan has both', async () => {
    const { terms, charter, planId } = await unruled(1)
    await disputing(world).dispute(terms, charter, 0, alice)
    await world.settle(terms, charter, settlementOf(0b100n))
    await world.timeIs(terms.expiry)
    expect(await revertOf(world.refund(terms))).toEqual(['StepsOwed', 0b10n])
    let events: { name: string }[] = []
    const ending = async () => {
      events = (await closeExpired(terms, charter)).events
    }
    expect(await gains(world, [alice, bob, carol, client, feeTo], ending)).toEqual([0n, usdc(2), 0n, usdc(10 - 2.2 - 3.3), usdc(0.2)])
    expect(events[0]).toMatchObject({ name: 'StepsDefaulted', planId, bits: 0b10n })
    expect(events.map((event) => event.name)).toContain('PlanClosed')
    const { status, remaining, codes } = await world.plan(terms)
    expect([status, remaining, codes & 0b111111n]).toEqual([2, 0n, 0b010110n])
  })

  it.each([false, true])('pays half of each owed step where silence splits, and sends the rest back (closed before: %s)', async (close) => {
    const { terms, charter, planId } = await unruled(7, {}, close)
    if (!close) await disputing(world).dispute(terms, charter, 0)
    if (!close) await disputing(world).dispute(terms, charter, 2, carol)
    await world.timeIs(terms.expiry)
    const owed = close ? 0b10n : 0b11n
    expect(await revertOf(world.refund(terms))).toEqual(['StepsOwed', owed])
    let events: { name: string }[] = []
    const ending = async () => {
      events = (await closeExpired(terms, charter)).events
    }
    const expected = close ? [0n, usdc(1), 0n, usdc(1.1), usdc(0.1)] : [usdc(0.5), usdc(1), 0n, usdc(8.35), usdc(0.15)]
    expect(await gains(world, [alice, bob, carol, client, feeTo], ending)).toEqual(expected)
    expect(events[0]).toMatchObject({ name: 'StepsDefaulted', planId, bits: 0n })
    expect(events.filter(({ name }) => name === 'StepSplit')).toHaveLength(close ? 1 : 2)
    expect(events.filter(({ name }) => name === 'PlanClosed')).toHaveLength(1)
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n })
    expect(await revertOf(closeExpired(terms, charter))).toEqual(['AlreadyClosed', planId])
  })

  it('goes by the first bit of the silence alone', async () => {
    const refunding = await unruled(2)
    await world.timeIs(refunding.terms.expiry)
    await world.refund(refunding.terms)
    const paying = await unruled(3)
    await world.timeIs(paying.terms.expiry)
    expect(await revertOf(world.refund(paying.terms))).toEqual(['StepsOwed', 0b10n])
    expect(await gains(world, [bob], () => closeExpired(paying.terms, paying.charter))).toEqual([usdc(2)])
  })

  it('is not stopped by a token that refuses payee and client', async () => {
    const { wayward } = world
    const { terms, charter } = await unruled(1, { token: wayward })
    await world.timeIs(terms.expiry)
    const answer = (who: typeof bob, how: number) => world.write(relayer, wayward, waywardTokenAbi, 'setAnswer', [who.address, how])
    await answer(bob, 1)
    await answer(client, 2)
    const before = [await world.credit(bob.address, wayward), await world.credit(client.address, wayward)] as const
    await closeExpired(terms, charter)
    for (const who of [bob, client]) await answer(who, 0)
    expect((await world.credit(bob.address, wayward)) - before[0]).toBe(usdc(2))
    expect((await world.credit(client.address, wayward)) - before[1]).toBe(usdc(7.8))
  })
})
