/**
 * settle
 * ├── reverts when the plan was never funded, or is closed
 * ├── reverts when there is nothing to do: no bits and no close
 * ├── reverts when no charter was sealed and a step is named
 * ├── reverts when the steps or the charter are not those sealed
 * ├── reverts when a step does not exist, or was paid before
 * ├── pays the chosen steps, merges neighbours of one payee, skips amounts of nothing
 * ├── reckons the fee on all that was paid, so that splitting changes nothing
 * ├── credits a payee or a client that the token refuses, and pays the others
 * ├── closes: the rest goes back; unsealed, all of it
 * └── works after the expiry as long as no account refunded
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { actors, charterOf, createWorld, hash, payee, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { alice, bob, carol, client, feeTo } = actors
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

/** How much each of them holds more after `act` than before. */
async function gains(who: readonly `0x${string}`[], act: () => Promise<unknown>, token = world.token) {
  const before = await Promise.all(who.map((one) => world.balance(one, token)))
  await act()
  const after = await Promise.all(who.map((one) => world.balance(one, token)))
  return after.map((balance, i) => balance - (before[i] as bigint))
}

const team = [alice.address, bob.address, carol.address]

describe('settle', () => {
  it('reverts when the plan was never funded', async () => {
    const terms = await world.terms()
    expect(await revertOf(world.settle(terms, unsealed, settlementOf(0n, true)))).toEqual(['NotFunded', world.planId(terms)])
    expect(await revertOf(world.settle(terms, charterOf(), settlementOf(1n)))).toEqual(['NotFunded', world.planId(terms)])
  })

  it('reverts when the plan is closed', async () => {
    const { terms, charter, planId } = await sealed()
    await world.settle(terms, charter, settlementOf(0b1n, true))
    expect(await revertOf(world.settle(terms, charter, settlementOf(0b10n)))).toEqual(['AlreadyClosed', planId])
    expect(await revertOf(world.settle(terms, charter, settlementOf(0b1n, true)))).toEqual(['AlreadyClosed', planId])
  })

  it('reverts when there is nothing to do', async () => {
    const { terms, charter } = await sealed()
    expect(await revertOf(world.settle(terms, charter, settlementOf(0n)))).toEqual(['NothingToSettle'])
  })

  it('reverts when no charter was sealed', async () => {
    const terms = await world.terms()
    await world.fund(terms)
    const asIf = { ...charterOf(), version: 0 }
    expect(await revertOf(world.settle(terms, asIf, settlementOf(1n)))).toEqual(['NotSealed', world.planId(terms)])
    expect(await revertOf(world.settle(terms, asIf, settlementOf(0n, true)))).toEqual(['NotSealed', world.planId(terms)])
    expect(await revertOf(world.settle(terms, unsealed, settlementOf(1n, true)))).toEqual(['NotSealed', world.planId(terms)])
  })

  it('reverts when the steps or the charter are not those sealed', async () => {
    const { terms, charter } = await sealed()
    const more = charter.steps.map((step) => ({ ...step, amount: step.amount + 1n }))
    const others = [
      { ...charter, steps: more },
      { ...charter, steps: [...charter.steps].reverse() },
      { ...charter, steps: charter.steps.slice(0, 2) },
      { ...charter, steps: [] },
      { ...charter, charterHash: hash(1) },
    ]
    for (const other of others) expect((await revertOf(world.settle(terms, other, settlementOf(1n))))[0]).toBe('CharterMismatch')
  })

  it('reverts when a step does not exist', async () => {
    const { terms, charter } = await sealed()
    expect(await revertOf(world.settle(terms, charter, settlementOf(0b1000n)))).toEqual(['StepOutOfRange', 0b1000n, 3n])
    expect((await revertOf(world.settle(terms, charter, settlementOf(1n << 63n))))[0]).toBe('StepOutOfRange')
  })

  it('reverts when a step was paid before, naming it', async () => {
    const { terms, charter } = await sealed()
    await world.settle(terms, charter, settlementOf(0b011n))
    expect(await revertOf(world.settle(terms, charter, settlementOf(0b011n)))).toEqual(['StepNotPending', 0b011n])
    expect(await revertOf(world.settle(terms, charter, settlementOf(0b110n)))).toEqual(['StepNotPending', 0b010n])
  })

  it('pays the chosen steps and no other account', async () => {
    const { terms, charter, planId } = await sealed()
    const settlement = settlementOf(0b101n)
    let events: unknown
    const gained = await gains([...team, client.address, world.escrow], async () => {
      events = (await world.settle(terms, charter, settlement)).events
    })
    expect(gained).toEqual([usdc(1), 0n, usdc(3), 0n, -usdc(4)])
    expect(await world.plan(terms)).toEqual({ status: 1, remaining: usdc(6), codes: 0b010001n, version: 1 })
    const { conclusionHash } = settlement
    expect(events).toEqual([
      { name: 'StepsSettled', planId, bits: 0b101n, conclusionHash },
      { name: 'Paid', planId, payee: alice.address, amount: usdc(1) },
      { name: 'Paid', planId, payee: carol.address, amount: usdc(3) },
    ])
  })

  it('pays 64 steps at once', async () => {
    const steps = Array.from({ length: 64 }, (_, i) => ({ payee: payee(500 + i), amount: BigInt(i + 1) }))
    const { terms, charter } = await sealed({}, charterOf({ steps }))
    await world.settle(terms, charter, settlementOf(2n ** 64n - 1n))
    expect(await world.balance(payee(563))).toBe(64n)
    expect(await world.plan(terms)).toMatchObject({ remaining: usdc(10) - 2080n, codes: BigInt(`0x${'5'.repeat(32)}`) })
  })

  it('merges neighbouring chosen steps of one payee into one transfer', async () => {
    const by = (who: { address: `0x${string}` }) => ({ payee: who.address, amount: usdc(1) })
    const { terms, charter } = await sealed({}, charterOf({ steps: [by(alice), by(bob), by(alice), by(alice), by(bob)] }))
    const { events } = await world.settle(terms, charter, settlementOf(0b11101n))
    const paid = events.filter((event) => event.name === 'Paid').map((event) => [event.payee, event.amount])
    expect(paid).toEqual([
      [alice.address, usdc(3)],
      [bob.address, usdc(1)],
    ])
  })

  it('marks a step of nothing paid without a transfer', async () => {
    const steps = [{ payee: alice.address, amount: 0n }]
    const { terms, charter } = await sealed({}, charterOf({ steps }))
    const { events } = await world.settle(terms, charter, settlementOf(1n))
    expect(events.map((event) => event.name)).toEqual(['StepsSettled'])
    expect((await world.plan(terms)).codes).toBe(1n)
  })

  it('takes the fee on all that was paid, however the settlement is split', async () => {
    const steps = Array.from({ length: 9 }, () => ({ payee: alice.address, amount: 33n }))
    for (const splits of [[0b111111111n], [0b1n, 0b111111110n], Array.from({ length: 9 }, (_, i) => 1n << BigInt(i))]) {
      const { terms, charter } = await sealed({ feeBps: 250 }, charterOf({ steps }))
      const before = await world.credit(feeTo.address)
      for (const bits of splits) await world.settle(terms, charter, settlementOf(bits))
      expect((await world.credit(feeTo.address)) - before).toBe(7n) // 297 * 2.5 % = 7.4
      expect((await world.plan(terms)).remaining).toBe(terms.total - 297n - 7n)
    }
  })

  it('emits the fee, and takes none on what goes back', async () => {
    const { terms, charter, planId } = await sealed({ feeBps: 1000 })
    const [refunded] = await gains([client.address], async () => {
      const { events } = await world.settle(terms, charter, settlementOf(0b1n, true))
      expect(events[1]).toEqual({ name: 'FeeCredited', planId, token: terms.token, feeTo: feeTo.address, amount: usdc(0.1) })
    })
    expect(refunded).toBe(usdc(10) - usdc(1) - usdc(0.1))
  })

  it.each([
    ['reverts', 1],
    ['answers false', 2],
    ['answers garbage', 4],
    ['reverts with a megabyte', 5],
    ['burns its gas', 6],
  ])('credits a payee for whom the token %s, and pays the others', async (_, answer) => {
    const { wayward } = world
    const { terms, charter, planId } = await sealed({ token: wayward })
    await world.write(actors.relayer, wayward, waywardTokenAbi, 'setAnswer', [bob.address, answer])
    const before = await world.credit(bob.address, wayward)
    let events: { name: string }[] = []
    const settling = async () => {
      events = (await world.settle(terms, charter, settlementOf(0b111n))).events
    }
    expect(await gains(team, settling, wayward)).toEqual([usdc(1), 0n, usdc(3)])
    expect((await world.credit(bob.address, wayward)) - before).toBe(usdc(2))
    expect(events.map((event) => event.name)).toEqual(['StepsSettled', 'Paid', 'Credited', 'Paid'])
    expect(events[2]).toEqual({ name: 'Credited', planId, token: wayward, account: bob.address, amount: usdc(2) })
    await world.write(actors.relayer, wayward, waywardTokenAbi, 'setAnswer', [bob.address, 0])
  })

  it('takes a token that answers nothing as a success', async () => {
    const { wayward } = world
    await world.write(actors.relayer, wayward, waywardTokenAbi, 'setAnswer', [bob.address, 3])
    const { terms, charter } = await sealed({ token: wayward })
    expect(await gains(team, () => world.settle(terms, charter, settlementOf(0b10n)), wayward)).toEqual([0n, usdc(2), 0n])
    await world.write(actors.relayer, wayward, waywardTokenAbi, 'setAnswer', [bob.address, 0])
  })

  it('credits a client that the token refuses, and closes nevertheless', async () => {
    const { wayward } = world
    const { terms, charter } = await sealed({ token: wayward })
    await world.write(actors.relayer, wayward, waywardTokenAbi, 'setAnswer', [client.address, 1])
    const { events } = await world.settle(terms, charter, settlementOf(0b1n, true))
    expect(events.map((event) => event.name)).toEqual(['StepsSettled', 'PlanClosed', 'Paid', 'Credited'])
    expect(await world.credit(client.address, wayward)).toBe(usdc(9))
    expect((await world.plan(terms)).status).toBe(2)
    await world.write(actors.relayer, wayward, waywardTokenAbi, 'setAnswer', [client.address, 0])
  })

  it('closes: what is not paid is refunded, and the rest goes back', async () => {
    const { terms, charter, planId } = await sealed()
    let events: unknown
    const gained = await gains([...team, client.address], async () => {
      events = (await world.settle(terms, charter, settlementOf(0b10n, true))).events
    })
    expect(gained).toEqual([0n, usdc(2), 0n, usdc(8)])
    const { conclusionHash } = settlementOf(0n)
    expect(events).toEqual([
      { name: 'StepsSettled', planId, bits: 0b10n, conclusionHash },
      { name: 'PlanClosed', planId },
      { name: 'Paid', planId, payee: bob.address, amount: usdc(2) },
      { name: 'Refunded', planId, client: client.address, amount: usdc(8) },
    ])
    const codes = BigInt(`0x${'a'.repeat(31)}6`) // 10 everywhere but step 1, which is 01
    expect(await world.plan(terms)).toEqual({ status: 2, remaining: 0n, codes, version: 1 })
  })

  it('closes a plan of which every step was paid earlier, and one whose total is used up', async () => {
    const { terms, charter } = await sealed()
    await world.settle(terms, charter, settlementOf(0b111n))
    expect(await gains([client.address], () => world.settle(terms, charter, settlementOf(0n, true)))).toEqual([usdc(4)])
    const exact = await sealed({ total: usdc(6) })
    const { events } = await world.settle(exact.terms, charter, settlementOf(0b111n, true))
    expect(events.map((event) => event.name)).not.toContain('Refunded')
    expect((await world.plan(exact.terms)).remaining).toBe(0n)
  })

  it('voids a plan that was never sealed: all of it goes back', async () => {
    const terms = await world.terms()
    await world.fund(terms)
    expect(await gains([client.address], () => world.settle(terms, unsealed, settlementOf(0n, true)))).toEqual([terms.total])
    expect(await world.plan(terms)).toMatchObject({ status: 2, remaining: 0n, version: 0 })
  })

  it('works after the expiry as long as no account refunded', async () => {
    const { terms, charter, planId } = await sealed()
    const other = await sealed()
    await world.timeIs(terms.expiry + 1000)
    expect(await gains([alice.address], () => world.settle(terms, charter, settlementOf(0b1n)))).toEqual([usdc(1)])
    await world.refund(terms)
    expect(await revertOf(world.settle(terms, charter, settlementOf(0b10n)))).toEqual(['AlreadyClosed', planId])
    expect((await world.plan(other.terms)).remaining).toBe(usdc(10))
  })
})
