/**
 * Attacks on numbers: 16 rounding, 17 splitting to save the fee, 25 bounds, 29 decimals, 30 events that say otherwise than
 * the storage.
 */
import fc from 'fast-check'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxDuration, planEscrowAbi } from '../../../contracts/abi/index.ts'
import { formatAmount, parseAmount } from '../../../protocol/src/index.ts'
import { anyIntent, createComparison, emptyTally } from '../model/differential.ts'
import { actors, charterOf, createWorld, revertOf, settlementOf, type World } from '../world.ts'
import { gains, sealed, split, undone } from './attack-fixture.ts'
import { balancesFrom } from './balances-from-events.ts'

const { alice, client, feeTo, relayer } = actors

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const refusal = async (attempt: Promise<unknown>) => (await revertOf(attempt))[0]
const uint96 = 2n ** 96n - 1n

describe('attack 16: rounding', () => {
  // Every one of the 10,001 shares is split on chain in invariants/Rounding.t.sol.
  it.each([0, 1, 2, 3333, 4999, 5000, 5001, 6667, 9998, 9999, 10_000])(
    'a split of %s bps: payee, fee and client come to the whole',
    (bps) =>
      undone(world, async () => {
        for (const amount of [1n, 2n, 3n, 9_999n, 10_001n, 123_457n]) {
          const plan = await sealed(world, { total: 200_000n, feeBps: 333 }, charterOf({ steps: [{ payee: alice.address, amount }] }))
          const fees = await world.credit(feeTo.address)
          const gained = await gains(world, [alice.address, client.address], async () => {
            await split(world, plan, 0, bps, alice)
            await world.settle(plan.terms, plan.charter, settlementOf(0n, true))
          })
          const share = (amount * BigInt(bps)) / 10_000n
          const fee = (share * 333n) / 10_000n
          expect((await world.credit(feeTo.address)) - fees).toBe(fee)
          expect(gained).toEqual([share, 200_000n - share - fee])
        }
      }),
  )

  it('royalties and pay come to the step, the remainder to the payee', () =>
    undone(world, async () => {
      const royalties = [1, 1666, 3333].map((bps) => ({ step: 0, to: feeTo.address, bps }))
      const { terms, charter } = await sealed(world, {}, charterOf({ steps: [{ payee: alice.address, amount: 10_001n }], royalties }))
      await world.settle(terms, charter, settlementOf(1n))
      expect(await world.credit(feeTo.address)).toBe(1n + 1666n + 3333n)
      expect(await world.balance(alice.address)).toBe(10_001n - 5000n)
    }))
})

describe('attack 17: splitting to save the fee', () => {
  it('settling step by step, in any order, takes the same fee to the unit', () =>
    undone(world, async () => {
      const steps = Array.from({ length: 16 }, () => ({ payee: alice.address, amount: 29n }))
      for (const order of [[0xffffn], Array.from({ length: 16 }, (_, i) => 1n << BigInt(15 - i)), [0x5555n, 0xaaaan]]) {
        const { terms, charter } = await sealed(world, { feeBps: 333 }, charterOf({ steps }))
        const before = await world.credit(feeTo.address)
        for (const bits of order) await world.settle(terms, charter, settlementOf(bits))
        expect((await world.credit(feeTo.address)) - before).toBe((29n * 16n * 333n) / 10_000n)
      }
    }))

  it('a split of client and payee saves less than one unit a step', () =>
    undone(world, async () => {
      const steps = Array.from({ length: 8 }, () => ({ payee: alice.address, amount: 29n }))
      const plan = await sealed(world, { feeBps: 1000 }, charterOf({ steps }))
      const before = [await world.credit(feeTo.address), await world.balance(alice.address)] as const
      for (let step = 0; step < 8; step++) await split(world, plan, step, 9999, alice)
      const [fee, paid] = [(await world.credit(feeTo.address)) - before[0], (await world.balance(alice.address)) - before[1]]
      expect(paid / 10n - fee).toBeLessThan(8n)
    }))
})

describe('attack 25: bounds', () => {
  it('the largest total, steps that overflow it, and the last version', () =>
    undone(world, async () => {
      await setClientBalance(uint96)
      const terms = await world.terms({ token: world.wayward, total: uint96 })
      await world.fund(terms)
      const max = { payee: alice.address, amount: uint96 }
      expect(await refusal(world.seal(terms, charterOf({ steps: [max, { ...max, amount: 1n }] })))).toBe('OverAllocated')
      expect(await refusal(world.seal(terms, charterOf({ steps: Array.from({ length: 64 }, () => max) })))).toBe('OverAllocated')
      await world.seal(terms, charterOf({ steps: [max], version: 2 ** 24 - 1 }))
      expect(await refusal(world.seal(terms, charterOf({ steps: [max], version: 2 ** 24 - 1 })))).toBe('StaleVersion')
      await world.settle(terms, charterOf({ steps: [max], version: 2 ** 24 - 1 }), settlementOf(1n))
      expect(await world.balance(alice.address, world.wayward)).toBe(uint96)
    }))

  it('the last second that fits', () =>
    undone(world, async () => {
      // Only tried, because a transaction is mined a second later.
      const last = (await world.now()) + maxDuration
      const fund = (expiry: number) =>
        world.terms({ workBy: last - 1, reviewBy: last, expiry }).then((terms) =>
          world.reader.simulateContract({
            account: actors.client,
            address: world.escrow,
            abi: planEscrowAbi,
            functionName: 'fund',
            args: [terms],
          }),
        )
      await fund(last)
      expect(await refusal(fund(last + 1))).toBe('BadDeadlines')
      const terms = await world.terms({ workBy: last - 1, reviewBy: last, expiry: last })
      await world.fund(terms)
      expect(await refusal(world.refund(terms))).toBe('TooEarly')
    }))

  it('words with dirt in their high bits name no plan, no step and no account', () =>
    undone(world, async () => {
      const { terms, charter } = await sealed(world)
      const clean = encodeFunctionData({
        abi: planEscrowAbi,
        functionName: 'settle',
        args: [await world.settlement(terms, charter, settlementOf(1n))],
      })
      const dirty = (needle: string, at: number) => {
        const from = clean.indexOf(needle.slice(2).toLowerCase().padStart(64, '0'))
        expect(from).toBeGreaterThan(0)
        return `${clean.slice(0, from + at)}1${clean.slice(from + at + 1)}` as Hex
      }
      for (const data of [dirty(terms.client, 0), dirty(`0x${terms.total.toString(16)}`, 0), dirty(alice.address, 0)]) {
        await expect(world.reader.call({ to: world.escrow, data })).rejects.toThrow()
      }
      await world.reader.call({ to: world.escrow, data: clean })
    }))

  const setClientBalance = async (value: bigint) => {
    const mint = parseAbi(['function mint(address,uint256)'])
    await world.write(relayer, world.wayward, mint, 'mint', [client.address, value])
  }
})

describe('attack 29: a token of other decimals', () => {
  it('what a person writes is what the escrow counts, for 0, 6, 18 and 24 decimals', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 6, 18, 24), fc.bigInt({ min: 0n, max: uint96 }), (decimals, amount) => {
        fc.pre(amount / 10n ** BigInt(decimals) < 10n ** 20n)
        expect(parseAmount(formatAmount(amount, decimals), decimals)).toBe(amount)
      }),
      { seed: 29 },
    )
  })

  it('a unit of a finer token is not rounded away, and one finer still is refused', () => {
    expect(parseAmount('0.000001', 6)).toBe(1n)
    expect(() => parseAmount('0.0000001', 6)).toThrow(RangeError)
    expect(() => parseAmount('1.5', 0)).toThrow(RangeError)
    expect(parseAmount('0.000000000000000001', 18)).toBe(1n)
  })
})

describe('attack 30: events that say otherwise', () => {
  it('the log alone determines what every plan holds and every account is owed, after any sequence of calls', {
    timeout: 900_000,
  }, async () => {
    await using comparison = await createComparison()
    await fc.assert(
      fc.asyncProperty(fc.array(anyIntent, { minLength: 25, maxLength: 30, size: 'max' }), async (intents) => {
        const { events, state } = await comparison.play(intents, emptyTally())
        const reported = balancesFrom(events)
        for (const [id, plan] of Object.entries(state.plans)) {
          expect(reported.plans[id]).toEqual({ remaining: plan.remaining, isClosed: plan.status === 2, codes: plan.codes })
        }
        for (const [token, accounts] of Object.entries(state.credits)) {
          for (const [account, amount] of Object.entries(accounts)) expect(reported.credits[`${token} ${account}`] ?? 0n).toBe(amount)
        }
      }),
      { numRuns: 12, seed: 30 },
    )
  })
})
