import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import type { EscrowRail } from '../../../../server/ports.ts'
import {
  getHold,
  listPayouts,
  reconcile,
  runSettlementCycle,
  submitCharterSeal,
  submitSettlement,
  voidHold,
} from '../../../../server/settlement/index.ts'
import { createEscrowRail } from '../../../../server/settlement/rails/escrow-rail.ts'
import { keySigners } from '../../../support/key-signers.ts'
import {
  authorize,
  capture,
  conclusionHash,
  createMoneyWorld,
  drive,
  handOver,
  lower,
  type MoneyWorld,
  open,
  sealedGoal,
} from '../money-world.ts'

class Crash extends Error {}

type Dying = { rail: EscrowRail; calls: () => number; diedAt: () => string | null }
/** Only before these calls may one of our commits happen without a following call. */
const afterOurWrites: readonly (keyof EscrowRail)[] = ['simulate', 'receipt', 'head', 'genesis']

/**
 * A rail whose process crashes around its n-th call. After a call, the chain has the effect and we do not. Before one, our earlier
 * writes are stored. Together these are all crash points.
 */
function dyingRail(rail: EscrowRail, at: { call: number; side: 'before' | 'after' }): Dying {
  let calls = 0
  let diedAt: string | null = null
  const die = (where: string): never => {
    diedAt = where
    throw new Crash(where)
  }
  const dying = new Proxy(rail, {
    get(target, name: keyof EscrowRail) {
      const method = target[name]
      if (typeof method !== 'function' || name === 'planId' || name === 'fundingTypedData') return method
      return async (...args: never[]) => {
        if (diedAt !== null) throw new Crash('dead')
        if (at.side === 'after' || afterOurWrites.includes(name)) calls++
        const isNow = calls === at.call
        if (isNow && at.side === 'before') die(`before ${name}`)
        const answer = await (method as (...given: never[]) => Promise<unknown>)(...args)
        if (isNow) die(`after ${name}`)
        return answer
      }
    },
  })
  return { rail: dying, calls: () => calls, diedAt: () => diedAt }
}

async function expectPaidOnce(world: MoneyWorld, goals: number): Promise<void> {
  const out = (await world.transfers()).filter((one) => one.from === world.system.market.escrow && one.to !== lower(world.client.address))
  expect(out.map((one) => [one.to, one.value])).toEqual(
    Array.from({ length: goals }, () => [
      [world.payees[0], 7_000_000n],
      [world.payees[1], 3_000_000n],
    ]).flat(),
  )
  expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [], heldOnChain: 0n })
}

/** One goal from the signature to the payment. `work` drives each stage until it throws or ends. */
async function pay(world: MoneyWorld, work: () => Promise<void>): Promise<string> {
  const goalId = await open(world)
  await authorize(world, goalId)
  await work()
  await handOver(world, goalId)
  await work()
  await capture(world, goalId, 0b111n)
  await work()
  expect((await getHold(world.system, goalId)).state).toBe('captured')
  return goalId
}

describe('driveSettlement', () => {
  it('pays once, wherever the process dies', { timeout: 900_000 }, async () => {
    await using world = await createMoneyWorld()
    const deaths = new Set<string>()
    let goals = 0
    for (const side of ['before', 'after'] as const) {
      for (let call = 1, isThrough = false; !isThrough; call++) {
        await pay(world, async () => {
          const { rail, calls, diedAt } = dyingRail(world.system.ports.rail, { call, side })
          await runSettlementCycle(world.over(rail)).catch((error: unknown) => {
            if (!(error instanceof Crash)) throw error
          })
          deaths.add(diedAt() ?? 'nowhere')
          isThrough = calls() < call
          // Recovery by the next process.
          await drive(world)
        })
        goals++
      }
    }
    await expectPaidOnce(world, goals)
    const afterEach = ['encode', 'simulate', 'sign', 'broadcast', 'receipt', 'head', 'blockHash', 'readEvents', 'plan'].map(
      (call) => `after ${call}`,
    )
    expect([...deaths]).toEqual(expect.arrayContaining([...afterEach, ...afterOurWrites.map((call) => `before ${call}`)]))
  })

  it('pays once where two processes do everything at the same moment', async () => {
    await using world = await createMoneyWorld()
    const both = async () => {
      await Promise.all([runSettlementCycle(world.system), runSettlementCycle(world.system), runSettlementCycle(world.system)])
      await drive(world)
    }
    const goals = [await pay(world, both), await pay(world, both)]
    await expectPaidOnce(world, goals.length)
    const rows = await world.system.db.chainTransaction.findMany()
    expect(rows.map((row) => row.key).sort()).toEqual(goals.flatMap((id) => [`fund:${id}`, `seal:${id}:1`, `settle:${id}`]).sort())
    expect(rows.every((row) => row.state === 'posted')).toBe(true)
  })

  it('sends the same bytes again where the answer was lost, and prepares nothing new', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const sent: string[] = []
    const deaf: EscrowRail = {
      ...world.system.ports.rail,
      receipt: async () => null,
      broadcast: async (raw) => {
        sent.push(raw)
        await world.system.ports.rail.broadcast(raw)
        throw new Crash('the answer was lost')
      },
    }
    await expect(submitSettlement(world.over(deaf), goalId)).rejects.toThrow(Crash)
    await expect(runSettlementCycle(world.over(deaf))).rejects.toThrow(Crash)
    expect([sent.length, new Set(sent).size]).toEqual([2, 1])
    await drive(world)
    await expectPaidOnce(world, 1)
  })

  it('takes a new nonce for the same purpose where another process of the key took the old one', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const offline: EscrowRail = {
      ...world.system.ports.rail,
      broadcast: async () => {
        throw new Crash('never sent')
      },
    }
    await expect(submitSettlement(world.over(offline), goalId)).rejects.toThrow(Crash)
    await world.send(world.chain.keys[0] ?? '0x', { to: world.payees[2] ?? '0x', data: '0x' })
    await drive(world)
    const rows = await world.system.db.chainTransaction.findMany({ where: { purpose: 'settle' }, orderBy: { nonce: 'asc' } })
    expect(rows.map(({ key, state }) => [key, state])).toEqual([
      [`settle:${goalId}`, 'replaced'],
      [`settle:${goalId}#2`, 'posted'],
    ])
    expect(rows[0]?.failure).toMatch(/used its nonce/)
    await expectPaidOnce(world, 1)
  })

  it('does not believe a node that lags behind when it reports that the nonce is taken', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const { rail } = world.system.ports
    const nonce = await rail.chainNonce()
    const lagging: EscrowRail = { ...rail, receipt: async () => null, broadcast: async () => 'nonce_used', chainNonce: async () => nonce }
    for (let round = 0; round < 3; round++) await runSettlementCycle(world.over(lagging))
    const rows = await world.system.db.chainTransaction.findMany({ where: { purpose: 'settle' } })
    expect(rows.map(({ key, state }) => [key, state])).toEqual([[`settle:${goalId}`, 'prepared']])
    await drive(world)
    await expectPaidOnce(world, 1)
  })

  it('settles under the charter that is in force when a newer one was still in flight', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const offline: EscrowRail = {
      ...world.system.ports.rail,
      broadcast: async () => {
        throw new Crash('never sent')
      },
    }
    await handOver(world, goalId, 2, world.payees[2])
    await expect(submitCharterSeal(world.over(offline), goalId)).rejects.toThrow(Crash)
    await capture(world, goalId, 0b001n)
    // The prepared seal has the lower nonce, so it is mined first and the settlement follows under it.
    await submitSettlement(world.system, goalId)
    expect((await getHold(world.system, goalId)).state).toBe('capturing')
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'captured', charterVersion: 2 })
    const tried = await world.system.db.chainTransaction.findMany({ where: { purpose: 'settle' } })
    expect(tried.map(({ key, state }) => [key, state])).toEqual([[`settle:${goalId}`, 'posted']])
    expect(
      (await listPayouts(world.system, { goalId })).map(({ charterVersion, state, taskId }) => [charterVersion, state, taskId]),
    ).toEqual([
      [2, 'paid', 'tsk_1'],
      [2, 'refunded', null],
      [2, 'refunded', null],
    ])
  })

  it('waits for as many blocks as are asked for before it calls anything final', async () => {
    await using world = await createMoneyWorld({ confirmations: 3 })
    const goalId = await open(world)
    await authorize(world, goalId)
    for (let round = 0; round < 3; round++) {
      await runSettlementCycle(world.system)
      await world.mined()
    }
    expect((await getHold(world.system, goalId)).state).toBe('authorizing')
    expect((await world.system.db.chainTransaction.findFirstOrThrow()).state).toBe('seen')
    await world.rpc('anvil_mine', ['0x3'])
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
  })

  it('sends again what a rewritten chain has lost', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const before = await world.rpc('evm_snapshot')
    await capture(world, goalId, 0b111n)
    await drive(world)
    await world.rpc('evm_revert', [before])
    expect(await world.balance(world.payees[0] ?? '0x')).toBe(0n)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    await expectPaidOnce(world, 1)
  })

  it('sends again what a rewritten chain has lost below other blocks of the same height', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    const before = await world.rpc('evm_snapshot')
    await capture(world, goalId, 0b111n)
    await drive(world)
    await world.rpc('evm_revert', [before])
    await world.rpc('anvil_mine', ['0x5'])
    await drive(world)
    await expectPaidOnce(world, 1)
  })

  it('asks the database once and the node for its head where there is nothing to do, and continues where there is', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await drive(world)
    const asked: string[] = []
    const noting = <T extends object>(what: T): T =>
      new Proxy(what, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name)
          if (typeof value === 'function' || typeof value === 'object') asked.push(String(name))
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    const { db, ports } = world.system
    const round = async () => {
      asked.length = 0
      await runSettlementCycle({ ...world.system, db: noting(db), ports: { ...ports, rail: noting(ports.rail) } })
      return asked
    }
    expect(await round()).toEqual(['$queryRaw', 'head'])

    await world.rpc('anvil_mine', ['0x1'])
    expect(await round()).toContain('readEvents')
    expect((await db.chainCursor.findFirstOrThrow()).block).toBe((await ports.rail.head()).number)
    expect(await round()).toEqual(['$queryRaw', 'head'])

    await authorize(world, goalId)
    expect(await round()).toContain('broadcast')
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
    expect(await round()).toEqual(['$queryRaw', 'head'])
  })

  it('touches nothing where the chain is another one', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await authorize(world, goalId)
    await drive(world)
    await handOver(world, goalId)
    const rail: EscrowRail = { ...world.system.ports.rail, genesis: async () => `0x${'9'.repeat(64)}` }
    await expect(runSettlementCycle(world.over(rail))).rejects.toMatchObject({
      code: 'hold.chain_unavailable',
      facts: { what: 'genesis block' },
    })
    const moved = { ...world.system, market: { ...world.system.market, escrow: world.payees[0] ?? '0x' } }
    await expect(runSettlementCycle(moved)).rejects.toMatchObject({ code: 'hold.chain_unavailable', facts: { what: 'escrow contract' } })
    expect(await world.system.db.chainTransaction.count()).toBe(1)
  })

  it('reports that the chain is unavailable when it is, and continues when it is back', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await authorize(world, goalId)
    const { chainId, escrow, token } = world.system.market
    const [settlerKey = '0x', evaluatorKey = '0x'] = world.chain.keys
    const signers = keySigners(settlerKey, evaluatorKey)
    const dead = createEscrowRail({ rpcUrl: 'http://127.0.0.1:9', chainId, escrow, token, signers, confirmations: 0 })
    await expect(runSettlementCycle(world.over(dead))).rejects.toMatchObject({ code: 'hold.chain_unavailable' })
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('authorized')
  })

  it('goes back to authorized, and gives the reason, where the escrow refuses the settlement permanently', async () => {
    await using world = await createMoneyWorld()
    const goalId = await sealedGoal(world)
    await capture(world, goalId, 0b111n)
    const { chainId, escrow, token } = world.system.market
    const [settlerKey = '0x', , strangerKey = '0x'] = world.chain.keys
    // Signs with a key that is not the evaluator's of the terms.
    const wrong = createEscrowRail({
      rpcUrl: world.chain.rpcUrl,
      chainId,
      escrow,
      token,
      signers: keySigners(settlerKey, strangerKey),
      confirmations: 0,
    })
    await runSettlementCycle(world.over(wrong))
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', failure: expect.stringContaining('BadSignature') })
    expect((await listPayouts(world.system, { goalId })).map((payout) => payout.state)).toEqual(['sealed', 'sealed', 'sealed'])
    await inTransaction(world.system, (tx) => voidHold(tx, { goalId, conclusionHash }))
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('voided')
  })
})
