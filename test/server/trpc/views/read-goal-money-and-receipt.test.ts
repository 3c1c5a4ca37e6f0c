import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientTotals } from '../../../../app/payouts/client-totals.ts'
import { inTransaction } from '../../../../server/db.ts'
import { postLedgerTransfer } from '../../../../server/settlement/ledger/ledger-store.ts'
import { readOwnMoney } from '../../../../server/trpc/views/read-goal-money-and-receipt.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let client: TestPerson
let stranger: TestPerson
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  ;[client, stranger] = await Promise.all([world.person(), world.person()])
})
afterAll(() => world?.[Symbol.asyncDispose]())

const addressOf = (person: TestPerson) => person.account.address.toLowerCase() as `0x${string}`
const moneyOf = (person: TestPerson) => readOwnMoney(person.ctx, { did: person.did, address: addressOf(person) })

async function post(
  key: string,
  goalId: string,
  moves: readonly (readonly [account: string, debit: bigint, credit: bigint])[],
): Promise<void> {
  const entries = moves.map(([account, debit, credit]) => ({ account: account as `client:0x${string}`, debit, credit }))
  await inTransaction(world.system, (tx) =>
    postLedgerTransfer(tx, { key, goalId, memo: '', tx: `0x${'0'.repeat(64)}`, at: 1_796_000_000, entries }),
  )
}

describe('readOwnMoney', () => {
  it('shows a client the settlement of its goal, although nothing is refunded', async () => {
    const goalId = 'gol_01a22960000000000000000000000001'
    const payee = 'payee:0x1111111111111111111111111111111111111111'
    await post('fund', goalId, [
      [`client:${addressOf(client)}`, 0n, 50n],
      [`escrow:${goalId}`, 50n, 0n],
    ])
    await post('settle', goalId, [
      [`escrow:${goalId}`, 0n, 50n],
      [payee, 50n, 0n],
    ])
    const { ledger } = await moneyOf(client)
    expect(ledger.map(({ key }) => key).sort()).toEqual(['fund', 'settle'])
    expect(clientTotals({ ledger, address: addressOf(client), asset: world.system.market.asset })).toEqual({ held: 0n, spent: 50n })
    expect((await moneyOf(stranger)).ledger).toEqual([])
  })
})
