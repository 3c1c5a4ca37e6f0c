import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { inTransaction } from '../../../../server/db.ts'
import {
  getGoalCashFlow,
  getHold,
  listPayouts,
  submitCharterSeal,
  submitReclaim,
  submitSettlement,
  voidHold,
} from '../../../../server/settlement/index.ts'

const conclusionHash = `0x${'c0'.repeat(32)}` as const

/**
 * One settlement module on one rail, with the rail's own report. Amounts in millionths of the rail's unit. A charter has three
 * steps of 4, 3 and 3 units, the first two of one payee; a hold has 10.25.
 */
export type RailWorld = AsyncDisposable & {
  readonly rail: 'escrow' | 'stripe'
  readonly system: Context
  open(): Promise<string>
  /** The client pays. A repetition requests the money again in every possible way. */
  fund(goalId: string, ctx?: Context): Promise<void>
  handOver(goalId: string): Promise<void>
  capture(goalId: string, bits: bigint): Promise<void>
  /** Runs cycles, as the jobs do, until nothing is pending. */
  drive(ctx?: Context): Promise<void>
  /** Advances the clocks of the server and the rail. */
  warp(seconds: number): Promise<void>
  /** A process that crashes once at the named point of its next call to the rail. */
  dying(point: string): Context
  readonly points: readonly string[]
  /** Reported by the rail for one goal: paid by the client, paid to the two payees, and held. */
  balances(goalId: string): Promise<{ client: bigint; payees: readonly [bigint, bigint]; held: bigint }>
  /** The fee is exact on the escrow rail; in dollars it is rounded down to whole cents. */
  fee(paid: bigint): bigint
}

/** Guarantees of both rails. Run from `rails/<rail>-rail.suite.test.ts`. */
export function railSuite(name: string, createRailWorld: () => Promise<RailWorld>): void {
  describe(name, () => {
    let world: RailWorld
    beforeAll(async () => {
      world = await createRailWorld()
    })
    afterAll(async () => {
      await world[Symbol.asyncDispose]()
    })

    const stateOf = async (goalId: string) => (await getHold(world.system, goalId)).state
    const payoutsOf = async (goalId: string) => (await listPayouts(world.system, { goalId })).map((payout) => payout.state)
    const voided = (goalId: string) => inTransaction(world.system, (tx) => voidHold(tx, { goalId, conclusionHash }))
    const total = 10_250_000n

    async function funded(): Promise<string> {
      const goalId = await world.open()
      await world.fund(goalId)
      await world.drive()
      return goalId
    }
    async function sealed(): Promise<string> {
      const goalId = await funded()
      await world.handOver(goalId)
      await world.drive()
      return goalId
    }
    /** Ledger, cash flow and rail agree. */
    async function expectBalances(goalId: string, client: bigint, payees: readonly [bigint, bigint]): Promise<void> {
      const lines = await getGoalCashFlow(world.system, goalId)
      expect(lines.reduce((sum, line) => sum + line.amount, 0n)).toBe(0n)
      const of = (...kinds: string[]) => lines.filter((line) => kinds.includes(line.kind)).reduce((sum, line) => sum + line.amount, 0n)
      const balancesOf = await world.balances(goalId)
      expect(balancesOf).toMatchObject({ client, payees })
      expect(of('funded', 'refund')).toBe(balancesOf.client)
      expect(of('payee')).toBe(-(payees[0] + payees[1]))
    }

    it('keeps the rail that it was opened with, for all writes', async () => {
      const goalId = await world.open()
      expect((await getHold(world.system, goalId)).rail).toBe(world.rail)
      const other = world.rail === 'escrow' ? 'stripe' : 'escrow'
      await expect(world.system.db.hold.update({ where: { goalId }, data: { rail: other } })).rejects.toThrow(/keeps its rail|hold_chain/)
    })

    it('sets the money aside once, however often the client pays', async () => {
      const goalId = await world.open()
      expect(await stateOf(goalId)).toBe('authorizing')
      await world.fund(goalId)
      await world.drive()
      await world.fund(goalId).catch((error: unknown) => expect(error).toMatchObject({ code: 'hold.wrong_state' }))
      await world.drive()
      expect(await stateOf(goalId)).toBe('authorized')
      expect(await world.balances(goalId)).toEqual({ client: total, payees: [0n, 0n], held: total })
    })

    it('seals a charter, and its payouts are of the same rail', async () => {
      const goalId = await sealed()
      expect(await payoutsOf(goalId)).toEqual(['sealed', 'sealed', 'sealed'])
      const rows = await world.system.db.payout.findMany({ where: { goalId } })
      expect(rows.map((row) => row.rail)).toEqual([world.rail, world.rail, world.rail])
      expect((await getHold(world.system, goalId)).charterVersion).toBe(1)
      const other = world.rail === 'escrow' ? 'stripe' : 'escrow'
      const payout = { ...rows[0], id: `pay_${'0'.repeat(32)}`, charterVersion: 9, step: 9, rail: other, state: 'replaced' } as never
      await expect(world.system.db.payout.create({ data: payout })).rejects.toThrow()
    })

    it('pays a part and gives the rest back', async () => {
      const goalId = await sealed()
      await world.capture(goalId, 0b011n)
      await world.drive()
      expect(await stateOf(goalId)).toBe('captured')
      expect(await payoutsOf(goalId)).toEqual(['paid', 'paid', 'refunded'])
      await expectBalances(goalId, 7_000_000n + world.fee(7_000_000n), [7_000_000n, 0n])
    })

    it('pays everything and keeps nothing but the fee', async () => {
      const goalId = await sealed()
      await world.capture(goalId, 0b111n)
      await world.drive()
      expect(await payoutsOf(goalId)).toEqual(['paid', 'paid', 'paid'])
      await expectBalances(goalId, total, [7_000_000n, 3_000_000n])
    })

    it('gives everything back where nothing is to be paid, sealed or not', async () => {
      for (const goalId of [await funded(), await sealed()]) {
        await voided(goalId)
        await world.drive()
        expect(await stateOf(goalId)).toBe('voided')
        expect(new Set(await payoutsOf(goalId))).not.toContain('paid')
        await expectBalances(goalId, 0n, [0n, 0n])
      }
    })

    it('repeats every step without repeating its effect', async () => {
      const goalId = await sealed()
      await submitCharterSeal(world.system, goalId)
      await world.capture(goalId, 0b011n)
      await world.capture(goalId, 0b011n)
      await Promise.all([submitSettlement(world.system, goalId), submitSettlement(world.system, goalId)])
      await world.drive()
      await submitSettlement(world.system, goalId)
      await world.capture(goalId, 0b011n)
      await submitCharterSeal(world.system, goalId)
      await world.drive()
      await expect(world.capture(goalId, 0b111n)).rejects.toMatchObject({ code: 'hold.wrong_state' })
      await expectBalances(goalId, 7_000_000n + world.fee(7_000_000n), [7_000_000n, 0n])
    })

    it('is the same after a process has died at any point of its calls', async () => {
      for (const point of world.points) {
        const goalId = await world.open()
        const die = async (work: (ctx: Context) => Promise<unknown>) => {
          await work(world.dying(point)).catch((error: unknown) => expect(error).toBeInstanceOf(RangeError))
          await world.drive()
        }
        await die((ctx) => world.fund(goalId, ctx))
        if ((await stateOf(goalId)) === 'authorizing') {
          await world.fund(goalId)
          await world.drive()
        }
        expect([point, await stateOf(goalId)]).toEqual([point, 'authorized'])
        await world.handOver(goalId)
        await world.drive()
        await world.capture(goalId, 0b101n)
        await die((ctx) => submitSettlement(ctx, goalId))
        expect([point, await stateOf(goalId)]).toEqual([point, 'captured'])
        await expectBalances(goalId, 7_000_000n + world.fee(7_000_000n), [4_000_000n, 3_000_000n])
      }
    })

    it('gives back after the expiry what no one settled, and not before', async () => {
      const goalId = await sealed()
      await submitReclaim(world.system, goalId)
      await world.drive()
      expect(await stateOf(goalId)).toBe('authorized')
      await world.warp(4 * 3_600 + 86_400 + 120)
      await submitReclaim(world.system, goalId)
      await world.drive()
      expect(await stateOf(goalId)).toBe('reclaimed')
      expect(await payoutsOf(goalId)).toEqual(['refunded', 'refunded', 'refunded'])
      await expectBalances(goalId, 0n, [0n, 0n])
    })
  })
}
