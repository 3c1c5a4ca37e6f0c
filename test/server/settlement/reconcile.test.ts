import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { reconcile } from '../../../server/settlement/index.ts'
import type { LedgerDraft } from '../../../server/settlement/ledger.ts'
import { postLedger } from '../../../server/settlement/post-ledger.ts'
import { authorize, capture, createMoneyWorld, drive, ledgerBalance, type MoneyWorld, open, sealedGoal } from './money-world.ts'

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

const post = (draft: Pick<LedgerDraft, 'key' | 'entries'>) =>
  inTransaction(world.system, (tx) => postLedger(tx, { goalId: null, memo: 'planted', tx: '0x', at: 1, ...draft }))

describe('reconcile', () => {
  it('finds nothing where ledger, log and contract agree', async () => {
    expect(await reconcile(world.system)).toEqual({
      matched: 3,
      onlyLedger: [],
      onlyChain: [],
      differing: [],
      heldInLedger: 10_250_000n,
      heldOnChain: 10_250_000n,
      heldDiffering: [],
    })
  })

  it('finds what the chain has and we have not read', async () => {
    const { genesis } = world.system.ports.rail
    const goalId = await open(world)
    await authorize(world, goalId)
    // Sent, and never read.
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
    // A planted line in a transfer that stands: only a hand in the database could do it.
    const transfer = await world.system.db.ledgerTransfer.findUniqueOrThrow({ where: { key: `fund:${first}` } })
    await inTransaction(world.system, (tx) =>
      tx.db.ledgerEntry.createMany({
        data: [
          { transferId: transfer.id, line: 8, account: 'client:0x1', asset: world.system.market.asset, debit: 0n, credit: 7n },
          { transferId: transfer.id, line: 9, account: 'payee:0x2', asset: world.system.market.asset, debit: 7n, credit: 0n },
        ],
      }),
    )
    const report = await reconcile(world.system)
    expect(report.onlyLedger).toEqual(['fund:gol_made_up'])
    expect(report.differing.map((one) => one.key)).toEqual([`fund:${first}`])
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
    await expect(post({ key: 'lame', entries: [{ account: 'client:0xc', debit: 1n, credit: 0n }] })).rejects.toThrow(/does not balance/)
    expect(await world.system.db.ledgerTransfer.count({ where: { key: 'lame' } })).toBe(0)
    await expect(world.system.db.ledgerEntry.updateMany({ data: { debit: 2n } })).rejects.toThrow(/append-only/)
  })
})
