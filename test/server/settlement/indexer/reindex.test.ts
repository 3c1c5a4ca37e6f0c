import { describe, expect, it } from 'vitest'
import {
  getHold,
  indexEvents,
  reconcile,
  runSettlementCycle,
  runTransactionRound,
  submitSettlement,
} from '../../../../server/settlement/index.ts'
import { verifyTransactionEffects } from '../../../../server/settlement/indexer/verify-transaction-effects.ts'
import { authorize, capture, createMoneyWorld, drive, handOver, open } from '../money-world.ts'

describe('a log that was left out', () => {
  it('is read again where a node withheld it, and the receipts as well', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await authorize(world, goalId)
    await drive(world)
    await handOver(world, goalId)
    // A node that has the block but has not indexed it.
    const behind = world.over({ ...world.system.ports.rail, receipt: async () => null, readEvents: async () => [] })
    await runSettlementCycle(behind)
    await world.mined()
    await runSettlementCycle(behind)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', sealedTx: null })

    await drive(world)
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ state: 'authorized', sealedTx: expect.any(String) })
    await capture(world, goalId, 0b111n)
    await submitSettlement(world.system, goalId)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
    expect((await world.transfers()).filter((one) => one.to === world.payees[0]).map((one) => one.value)).toEqual([7_000_000n])
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
    const rows = await world.system.db.chainTransaction.findMany({ where: { goalId }, orderBy: { nonce: 'asc' } })
    // The node's answer about the seal was wrong. The state in the escrow counts.
    expect(rows.map((row) => [row.purpose, row.state])).toEqual([
      ['fund', 'posted'],
      ['seal', 'replaced'],
      ['settle', 'posted'],
    ])
  })

  it('is read again where a receipt shows what the log did not', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await authorize(world, goalId)
    await drive(world)
    await handOver(world, goalId)
    const { rail } = world.system.ports
    // The indexer has processed the block before the transaction was known to be in it.
    let isSent = false
    const behind = world.over({
      ...rail,
      broadcast: async (raw) => {
        const answer = await rail.broadcast(raw)
        isSent = true
        return answer
      },
      receipt: async (hash) => (isSent ? null : rail.receipt(hash)),
      readEvents: async () => [],
    })
    await runSettlementCycle(behind)
    await runSettlementCycle(world.over({ ...rail, readEvents: async () => [] }))
    expect(await getHold(world.system, goalId)).toMatchObject({ sealedTx: null })
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ sealedTx: expect.any(String) })
    const rows = await world.system.db.chainTransaction.findMany({ where: { goalId }, orderBy: { nonce: 'asc' } })
    expect(rows.map((row) => [row.purpose, row.state])).toEqual([
      ['fund', 'posted'],
      ['seal', 'posted'],
    ])
  })

  it('is read again where the receipt is withheld just when it is asked for whether the log lacks anything', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world)
    await authorize(world, goalId)
    await drive(world)
    await handOver(world, goalId)
    const { rail } = world.system.ports
    const seal = () => world.system.db.chainTransaction.findFirstOrThrow({ where: { goalId, purpose: 'seal' } })
    // Final by its receipt, but its block was indexed without its events.
    const unread = world.over({ ...rail, readEvents: async () => [] })
    await runSettlementCycle(unread)
    await world.mined()
    await runTransactionRound(unread)
    await indexEvents(world.over({ ...rail, readEvents: async () => [], receipt: async () => null }))
    expect((await seal()).state).toBe('final')
    let asked = 0
    await verifyTransactionEffects(world.over({ ...rail, receipt: async (hash) => (asked++ === 0 ? null : rail.receipt(hash)) }))
    expect((await seal()).state).toBe('reorged')
    await drive(world)
    await drive(world)
    expect(await getHold(world.system, goalId)).toMatchObject({ sealedTx: expect.any(String) })
    expect((await seal()).state).toBe('posted')
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [], heldDiffering: [] })
  })

  it('keeps no one from being paid where reading again mends nothing', async () => {
    await using world = await createMoneyWorld()
    const { rail } = world.system.ports
    const odd = world.over({
      ...rail,
      plan: async (id, block) => ({ ...(await rail.plan(id)), ...(block !== undefined && { remaining: 1n }) }),
    })
    const goalId = await open(world)
    await authorize(world, goalId)
    await drive(world, odd)
    await handOver(world, goalId)
    await drive(world, odd)
    await drive(world, odd)
    await capture(world, goalId, 0b111n)
    await drive(world, odd)
    await drive(world, odd)
    expect((await getHold(world.system, goalId)).state).toBe('captured')
  })
})
