/**
 * settleMany
 * ├── settles each plan as settle would, in order, also two parts of one plan
 * ├── leaves the others as they are when one fails: badly signed, closed, other charter, twice the same step
 * ├── takes the caller's word where it would in settle: the evaluator's, nobody else's
 * └── credits a payee that the token refuses, within the batch
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waywardTokenAbi } from '../../contracts/abi/mocks.ts'
import { gains } from './disputes.ts'
import { actors, charterOf, createWorld, hash, revertOf, settlementOf, unsealed, usdc, type World } from './world.ts'

const { alice, bob, client, evaluator, relayer, stranger } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function sealed(changes: Parameters<World['terms']>[0] = {}) {
  const terms = await world.terms(changes)
  await world.fund(terms)
  await world.seal(terms, charterOf())
  return terms
}
const gasEach = 400_000n
type Settlements = Parameters<typeof world.call<'settleMany'>>[2][0]

/** The bitmap that the call would answer, and the call. */
async function settleMany(settlements: Settlements, by = relayer) {
  const { abi, ...request } = { abi: (await import('../../contracts/abi/index.ts')).planEscrowAbi, address: world.escrow, account: by }
  const { result } = await world.reader.simulateContract({ abi, ...request, functionName: 'settleMany', args: [settlements, gasEach] })
  const { events } = await world.call(by, 'settleMany', [settlements, gasEach])
  return { ok: result, events }
}

describe('settleMany', () => {
  it('settles plans and parts of plans in order', async () => {
    const [a, b] = [await sealed(), await sealed({ token: world.wayward })]
    const settlements = [
      await world.settlement(a, charterOf(), settlementOf(0b1n)),
      await world.settlement(b, charterOf(), settlementOf(0b111n, true)),
      await world.settlement(a, charterOf(), settlementOf(0b10n, true)),
    ]
    let ok = 0n
    const all = async () => {
      ok = (await settleMany(settlements)).ok
    }
    expect(await gains(world, [alice, bob, client], all)).toEqual([usdc(1), usdc(2), usdc(7)])
    expect(ok).toBe(0b111n)
    expect((await world.plan(b)).status).toBe(2)
    expect(await settleMany([])).toEqual({ ok: 0n, events: [] })
  })

  it('leaves the others as they are when one fails', async () => {
    const [a, b, c, d, e] = [await sealed(), await sealed(), await sealed(), await sealed(), await sealed()]
    await world.settle(c, charterOf(), settlementOf(0n, true))
    const never = await world.terms()
    const bad = await world.signSettlement(b, charterOf(), settlementOf(0b1n), stranger)
    const settlements = [
      await world.settlement(a, charterOf(), settlementOf(0b1n)),
      await world.settlement(b, charterOf(), settlementOf(0b1n), bad),
      await world.settlement(c, charterOf(), settlementOf(0b1n)),
      await world.settlement(d, charterOf({ charterHash: hash(1) }), settlementOf(0b1n)),
      await world.settlement(a, charterOf(), settlementOf(0b11n)),
      await world.settlement(never, unsealed, settlementOf(0n, true)),
      await world.settlement(e, charterOf(), settlementOf(0b10n)),
    ]
    const { ok, events } = await settleMany(settlements)
    expect(ok).toBe(0b1000001n)
    expect(events.filter((event) => event.name === 'StepsSettled').map((event) => event.planId)).toEqual([a, e].map(world.planId))
    for (const of of [b, d]) expect(await world.plan(of)).toEqual({ status: 1, remaining: usdc(10), codes: 0n, version: 1 })
  })

  it("takes the caller's word where it would in settle", async () => {
    const terms = await sealed()
    const said = { terms, charter: charterOf(), ...settlementOf(0b1n), signature: '0x' } as const
    for (const by of [stranger, client, relayer]) expect((await settleMany([said], by)).ok).toBe(0n)
    expect((await settleMany([said], evaluator)).ok).toBe(1n)
    expect((await world.plan(terms)).codes).toBe(1n)
  })

  it('credits a payee that the token refuses', async () => {
    const terms = await sealed({ token: world.wayward })
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [bob.address, 1])
    const { ok, events } = await settleMany([await world.settlement(terms, charterOf(), settlementOf(0b111n))])
    await world.write(relayer, world.wayward, waywardTokenAbi, 'setAnswer', [bob.address, 0])
    expect([ok, events.map((event) => event.name)]).toEqual([1n, ['StepsSettled', 'Paid', 'Credited', 'Paid']])
  })

  it('cannot be made to speak for an escrow that evaluates itself', async () => {
    expect(await revertOf(world.fund(await world.terms({ evaluator: world.escrow })))).toEqual(['MissingEvaluator'])
  })
})
