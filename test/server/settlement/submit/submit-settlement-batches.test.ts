import { describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import type { EscrowCall, EscrowRail } from '../../../../server/ports.ts'
import { signerUnavailable } from '../../../../server/settlement/errors.ts'
import { getHold, listAlarms, runSettlementCycle } from '../../../../server/settlement/index.ts'
import { capture, createMoneyWorld, drive, type MoneyWorld, sealedGoal } from '../money-world.ts'

async function dueGoals(world: MoneyWorld, count: number): Promise<string[]> {
  const goals: string[] = []
  for (let n = 0; n < count; n++) goals.push(await sealedGoal(world))
  for (const goalId of goals) await capture(world, goalId, 0b111n)
  return goals
}

/** The same rail with the methods that `change` replaces. */
function overRail(world: MoneyWorld, change: (rail: EscrowRail) => Partial<EscrowRail>): Context {
  const { rail } = world.system.ports
  return world.over({ ...rail, ...change(rail) })
}

const sizeOf = (call: EscrowCall) => (call.kind === 'settleMany' ? call.settlements.length : 1)
const stateOf = async (world: MoneyWorld, goalId: string) => (await getHold(world.system, goalId)).state
const statesOf = async (world: MoneyWorld, goals: readonly string[]) => Promise.all(goals.map((goalId) => stateOf(world, goalId)))

/** As after a dead letter of the goal. */
async function freeze(world: MoneyWorld, goalId: string): Promise<void> {
  const { db, clock, ids, market } = world.system
  await db.chainDeadLetter.create({
    data: {
      id: ids.uuid(),
      chainId: market.chainId,
      state: 'open',
      contract: 'escrow',
      goalId,
      block: 1,
      blockHash: `0x${'1'.repeat(64)}`,
      logIndex: 0,
      txHash: `0x${'2'.repeat(64)}`,
      events: {},
      error: 'not booked',
      createdAt: clock.now(),
      triedAt: clock.now(),
    },
  })
}

const settlements = (world: MoneyWorld) =>
  world.system.db.chainTransaction.findMany({ where: { purpose: 'settle' }, orderBy: { createdAt: 'asc' } })

describe('submitSettlementBatches', () => {
  it('halves a batch that its signers do not sign in time, in the same round', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n })
    const goals = await dueGoals(world, 4)
    const asked: number[] = []
    const slow = overRail(world, (rail) => ({
      encode: async (call) => {
        asked.push(sizeOf(call))
        if (sizeOf(call) > 2) throw signerUnavailable('evaluator', 'too many requests')
        return rail.encode(call)
      },
    }))
    await runSettlementCycle(slow)
    expect(asked).toEqual([4, 2, 2])
    await drive(world)
    expect(await statesOf(world, goals)).toEqual(['captured', 'captured', 'captured', 'captured'])
  })

  it('asks no further where not even one signature can be had, and settles all when the signer is back', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n })
    const goals = await dueGoals(world, 4)
    const asked: number[] = []
    const away = overRail(world, () => ({
      encode: async (call) => {
        asked.push(sizeOf(call))
        throw signerUnavailable('evaluator', 'it is away')
      },
    }))
    await runSettlementCycle(away)
    expect(asked).toEqual([4, 2, 1])
    expect(await listAlarms(world.system)).toMatchObject([{ kind: 'signer', subject: 'evaluator' }])
    await drive(world)
    expect(await statesOf(world, goals)).toEqual(['captured', 'captured', 'captured', 'captured'])
  })

  it('halves a batch that the chain has refused as a whole', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n })
    const goals = await dueGoals(world, 4)
    const sizes: number[] = []
    const small = overRail(world, (rail) => ({
      encode: async (call) => {
        const encoded = await rail.encode(call)
        sizes.push(sizeOf(call))
        return sizeOf(call) > 2 ? { ...encoded, gas: 2n ** 24n + 1n } : encoded
      },
    }))
    for (let round = 0; round < 3; round++) await runSettlementCycle(small)
    expect(sizes.slice(0, 3)).toEqual([4, 2, 2])
    await drive(world)
    expect(await statesOf(world, goals)).toEqual(['captured', 'captured', 'captured', 'captured'])
  })
})

describe('a goal of a batch that is frozen after it was selected', () => {
  it('is left out, and the others settle: while the batch is signed', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n })
    const goals = await dueGoals(world, 3)
    const [frozen = ''] = goals
    let isFrozen = false
    const ctx = overRail(world, (rail) => ({
      encode: async (call) => {
        if (!isFrozen) await freeze(world, frozen)
        isFrozen = true
        return rail.encode(call)
      },
    }))
    await runSettlementCycle(ctx)
    await drive(world)
    expect(await statesOf(world, goals)).toEqual(['capturing', 'captured', 'captured'])
    const sent = (await settlements(world)).filter(({ nonce }) => nonce !== null)
    expect(JSON.stringify(sent.map(({ intent }) => intent))).not.toContain((await getHold(world.system, frozen)).planId)
  })

  it('is left out, and the others settle: before the transaction gets its nonce', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld({ usdc: 5_000_000_000n })
    const goals = await dueGoals(world, 3)
    const [frozen = ''] = goals
    let isFrozen = false
    const ctx = overRail(world, (rail) => ({
      fees: async () => {
        if (!isFrozen) await freeze(world, frozen)
        isFrozen = true
        return rail.fees()
      },
    }))
    await runSettlementCycle(ctx)
    expect((await settlements(world)).map(({ nonce, state }) => [nonce, state])).toEqual([[null, 'rail_chosen']])
    await drive(world)
    expect(await statesOf(world, goals)).toEqual(['capturing', 'captured', 'captured'])
    const [first] = await settlements(world)
    expect(first).toMatchObject({ nonce: null, state: 'failed_final', failure: expect.stringContaining('frozen') })
  })
})
