import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import type { ChainReceipt } from '../../../../server/ports.ts'
import { getReconciliation, listReconciliations, reconcile, runReconciliation } from '../../../../server/settlement/index.ts'
import type { TransferDraft } from '../../../../server/settlement/ledger/ledger.ts'
import { postLedgerTransfer } from '../../../../server/settlement/ledger/ledger-store.ts'
import { authorize, capture, createMoneyWorld, drive, ledgerBalance, type MoneyWorld, open, sealedGoal } from '../money-world.ts'

let world: MoneyWorld
const goals: string[] = []
beforeAll(async () => {
  world = await createMoneyWorld()
  const paid = await sealedGoal(world)
  await capture(world, paid, 0b111n)
  goals.push(paid, await sealedGoal(world))
  await drive(world)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

const withoutEvents = (receipt: ChainReceipt | null) => receipt && { ...receipt, hasEvents: false }
const post = (draft: Pick<TransferDraft, 'key' | 'entries'>) =>
  inTransaction(world.system, (tx) => postLedgerTransfer(tx, { goalId: null, memo: 'planted', tx: '0x', at: 1, ...draft }))

describe('reconcile', () => {
  it('finds nothing where ledger, log and contract agree', async () => {
    expect(await reconcile(world.system)).toEqual({
      matched: 3,
      onlyLedger: [],
      onlyChain: [],
      onlyStripe: [],
      differing: [],
      stripeDiffering: [],
      heldInLedger: 10_250_000n,
      heldOnChain: 10_250_000n,
      heldDiffering: [],
    })
  })

  it('finds what the chain has and we have not read', async () => {
    const { genesis } = world.system.ports.rail
    const goalId = await open(world)
    await authorize(world, goalId)
    // Broadcast but not indexed.
    const unread = world.over({ ...world.system.ports.rail, genesis, readEvents: async () => [] })
    await drive(world, unread)
    expect(await reconcile(world.system)).toMatchObject({
      onlyChain: [`fund:${goalId}`],
      heldDiffering: [goalId],
      heldOnChain: 20_500_000n,
    })
  })

  it('finds what only the ledger has, and where the amounts differ', async () => {
    const [first = ''] = goals
    await post({
      key: 'fund:gol_made_up',
      entries: [
        { account: 'client:0x1', debit: 0n, credit: 5n },
        { account: 'escrow:gol_made_up', debit: 5n, credit: 0n },
      ],
    })
    // Adds an entry to a posted transfer, as only a manual change of the database could.
    const transfer = await world.system.db.ledgerTransfer.findUniqueOrThrow({ where: { key: `fund:${first}` } })
    await inTransaction(world.system, async (tx) => {
      await tx.db.$executeRaw`set local session_replication_role = replica`
      await tx.db.ledgerEntry.createMany({
        data: [
          { transferId: transfer.id, line: 8, account: 'client:0x1', asset: world.system.market.asset, debit: 0n, credit: 7n },
          { transferId: transfer.id, line: 9, account: 'payee:0x2', asset: world.system.market.asset, debit: 7n, credit: 0n },
        ],
      })
    })
    const report = await reconcile(world.system)
    expect(report.onlyLedger).toEqual(['fund:gol_made_up'])
    expect(report.differing.map((one) => one.key)).toEqual([`fund:${first}`])
  })
})

describe('runReconciliation', () => {
  it('writes down what it found, and continues from where everything agreed', async () => {
    await using fresh = await createMoneyWorld()
    const asked: number[] = []
    const { rail } = fresh.system.ports
    const watched = fresh.over({
      ...rail,
      readEvents: async (from, to) => {
        asked.push(from)
        return rail.readEvents(from, to)
      },
    })
    const first = await sealedGoal(fresh)
    expect(await runReconciliation(watched, { mode: 'incremental' })).toMatchObject({ isBalanced: true, matched: 1 })
    const second = await sealedGoal(fresh)
    await capture(fresh, first, 0b111n)
    await drive(fresh)
    // A node that hides the transaction: the log has what the ledger lacks.
    const late = await open(fresh)
    await authorize(fresh, late)
    await drive(
      fresh,
      fresh.over({ ...rail, readEvents: async () => [], receipt: async (hash) => withoutEvents(await rail.receipt(hash)) }),
    )
    fresh.clock.advance(1_000)
    const found = await runReconciliation(watched, { mode: 'incremental' })
    expect(found).toMatchObject({ isBalanced: false, matched: 2, onlyLedger: [], onlyChain: [`fund:${late}`], heldDiffering: [late] })
    expect(asked.at(-1)).toBeGreaterThan(asked[0] ?? 0)
    const stored = await listReconciliations(fresh.system)
    expect(stored.map(({ mode, isBalanced }) => [mode, isBalanced])).toEqual([
      ['incremental', false],
      ['full', true],
    ])
    expect((await getReconciliation(fresh.system))?.report).toMatchObject({ onlyChain: [`fund:${late}`], heldOnChain: '20500000' })
    // The difference is found again, from the earlier checkpoint and from the beginning.
    for (const [mode, matched] of [
      ['incremental', 0],
      ['full', 3],
    ] as const) {
      fresh.clock.advance(1_000)
      expect(await runReconciliation(watched, { mode })).toMatchObject({ matched, onlyLedger: [], onlyChain: [`fund:${late}`] })
    }
    expect((await getReconciliation(fresh.system))?.mode).toBe('full')
    expect(second).toMatch(/^gol_/)
  })

  it('reads everything again where the chain no longer has the block that it had read up to', async () => {
    await using fresh = await createMoneyWorld()
    await sealedGoal(fresh)
    await runReconciliation(fresh.system, { mode: 'incremental' })
    const { rail } = fresh.system.ports
    const rewritten = fresh.over({ ...rail, blockHash: async () => `0x${'7'.repeat(64)}` })
    fresh.clock.advance(1_000)
    await runReconciliation(rewritten, { mode: 'incremental' })
    expect((await getReconciliation(fresh.system))?.mode).toBe('full')
  })
})

describe('postLedger', () => {
  it('posts a key once', async () => {
    const draft = {
      key: 'twice',
      entries: [
        { account: 'client:0xa', debit: 1n, credit: 0n },
        { account: 'payee:0xb', debit: 0n, credit: 1n },
      ],
    } as const
    expect([await post(draft), await post(draft)]).toEqual([true, false])
    expect(await ledgerBalance(world, 'client:0xa')).toBe(1n)
  })

  it('is refused by the database where it does not balance, and never changed afterwards', async () => {
    const entries = [
      { account: 'client:0xc', debit: 1n, credit: 0n },
      { account: 'client:0xd', debit: 0n, credit: 2n },
    ] as const
    await expect(post({ key: 'lame', entries })).rejects.toThrow(/does not balance/)
    expect(await world.system.db.ledgerTransfer.count({ where: { key: 'lame' } })).toBe(0)
    await expect(world.system.db.ledgerEntry.updateMany({ data: { debit: 2n } })).rejects.toThrow(/append-only/)
  })
})
