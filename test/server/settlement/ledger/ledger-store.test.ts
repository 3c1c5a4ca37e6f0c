import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openRoomWorld } from '../../database-only-world.ts'

// Constraints of the database itself: every statement here bypasses the code, as a manual change would.

const world = openRoomWorld()
const asset = 'eip155:31337/erc20:0xa'
const newGoal = () => `gol_${randomUUID().replaceAll('-', '')}`
type Line = readonly [account: string, debit: number, credit: number, asset?: string]

/** One transaction with these statements on a transfer that claims this number of lines. */
async function post(lines: readonly Line[], statedCount = lines.length): Promise<string> {
  const id = randomUUID()
  await world.db.$transaction(async (tx) => {
    await tx.$executeRaw`insert into ledger_transfer ("id", "key", "memo", "at", "lines") values (${id}, ${id}, 'by hand', now(), ${statedCount})`
    await addLines(tx, id, lines)
  })
  return id
}

async function addLines(tx: Pick<typeof world.db, '$executeRaw'>, id: string, lines: readonly Line[], from = 1): Promise<void> {
  for (const [index, [account, debit, credit, of = asset]] of lines.entries())
    await tx.$executeRaw`insert into ledger_entry ("transferId", "line", "account", "asset", "debit", "credit")
      values (${id}, ${from + index}, ${account}, ${of}, ${debit}, ${credit})`
}

const into = (goal: string, amount: number): Line[] => [
  ['client:0x1', 0, amount],
  [`escrow:${goal}`, amount, 0],
]
const outOf = (goal: string, amount: number): Line[] => [
  [`escrow:${goal}`, 0, amount],
  ['payee:0x2', amount, 0],
]

describe('the ledger in the database', () => {
  it('takes a transfer that balances', async () => {
    await post(into(newGoal(), 5))
  })

  it('refuses one that does not, in all or in one asset', async () => {
    await expect(
      post([
        ['client:0x1', 0, 5],
        ['escrow:gol_1', 4, 0],
      ]),
    ).rejects.toThrow(/does not balance/)
    await expect(
      post([
        ['client:0x1', 0, 5],
        ['payee:0x1', 5, 0, 'iso4217:USD'],
      ]),
    ).rejects.toThrow(/does not balance/)
  })

  it.each([
    ['both sides', [['client:0x1', 5, 5] as const, ['payee:0x1', 5, 5] as const]],
    ['no side', [['client:0x1', 0, 0] as const, ['payee:0x1', 0, 0] as const]],
    ['less than nothing', [['client:0x1', -5, 0] as const, ['payee:0x1', 0, -5] as const]],
  ])('refuses a line with %s', async (_what, lines) => {
    await expect(post(lines)).rejects.toThrow(/ledger_entry_one_side/)
  })

  it('refuses a transfer of no lines, of one, and of another number than it says', async () => {
    await expect(post([])).rejects.toThrow(/declares 0 lines and has 0/)
    await expect(post(into(newGoal(), 5), 3)).rejects.toThrow(/declares 3 lines and has 2/)
  })

  it('refuses lines that are added to a transfer that stands', async () => {
    const id = await post(into(newGoal(), 5))
    const added = world.db.$transaction((tx) => addLines(tx, id, into(newGoal(), 7), 3))
    await expect(added).rejects.toThrow(/declares 2 lines and has 4/)
  })

  it('refuses every change and every removal', async () => {
    const id = await post(into(newGoal(), 5))
    await expect(world.db.$executeRaw`update ledger_transfer set "memo" = 'other' where "id" = ${id}`).rejects.toThrow(/append-only/)
    await expect(world.db.$executeRaw`update ledger_entry set "debit" = 9 where "transferId" = ${id}`).rejects.toThrow(/append-only/)
    await expect(world.db.$executeRaw`delete from ledger_entry where "transferId" = ${id}`).rejects.toThrow(/append-only/)
    await expect(world.db.$executeRaw`delete from ledger_transfer where "id" = ${id}`).rejects.toThrow(/append-only/)
    await expect(world.db.$executeRaw`truncate ledger_entry`).rejects.toThrow(/append-only/)
    await expect(world.db.$executeRaw`truncate ledger_transfer cascade`).rejects.toThrow(/append-only/)
  })

  it.each(['escrow:gol_0', 'fees:0x9', 'credit:0x9'])('refuses to take from %s what it does not hold', async (account) => {
    await expect(
      post([
        [account, 0, 1],
        ['payee:0x2', 1, 0],
      ]),
    ).rejects.toThrow(/would hold -1/)
  })

  it('refuses one of two that take the same money at the same moment', async () => {
    const goal = newGoal()
    await post(into(goal, 5))
    const both = await Promise.allSettled([post(outOf(goal, 3)), post(outOf(goal, 3))])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(post(outOf(goal, 3))).rejects.toThrow(/would hold -1/)
    await post(outOf(goal, 2))
  })
})

describe('candidates of a nonce in the database', () => {
  const hash = () => `0x${randomUUID().replaceAll('-', '').repeat(2)}`
  const transaction = async (nonce: number | null, state: string) => {
    const id = randomUUID()
    await world.db
      .$executeRaw`insert into chain_transaction ("id", "key", "purpose", "chainId", "sender", "nonce", "hash", "state", "createdAt")
      values (${id}, ${id}, 'settle', 1, ${id}, ${nonce}, ${nonce === null ? null : hash()}, ${state}::"TransferState", now())`
    return id
  }
  const candidate = (id: string, nonce: number) =>
    world.db
      .$executeRaw`insert into signed_transaction ("hash", "transactionId", "nonce", "n", "raw", "maxFeePerGas", "maxPriorityFeePerGas", "createdAt")
      values (${hash()}, ${id}, ${nonce}, 1, '0x', 1, 1, now())`

  it('have the nonce of their transaction, and are never changed or forgotten', async () => {
    const id = await transaction(7, 'prepared')
    await expect(candidate(id, 8)).rejects.toThrow(/foreign key/i)
    await candidate(id, 7)
    await expect(world.db.$executeRaw`update signed_transaction set "raw" = '0x1' where "transactionId" = ${id}`).rejects.toThrow(
      /append-only/,
    )
    await expect(world.db.$executeRaw`delete from signed_transaction where "transactionId" = ${id}`).rejects.toThrow(/append-only/)
    await expect(world.db.$executeRaw`update chain_transaction set "nonce" = 9 where "id" = ${id}`).rejects.toThrow(/append-only/)
  })

  it('are never sent for a transaction without a nonce', async () => {
    await expect(transaction(null, 'submitted')).rejects.toThrow(/sent_has_nonce/)
    await transaction(null, 'rail_chosen')
  })
})
