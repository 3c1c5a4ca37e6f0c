import { describe, expect, it } from 'vitest'
import { ownSums } from '../../../app/_views/own-sums.ts'

const address = '0xAA'
const line = (account: string, debit: bigint, credit: bigint) => ({ account, debit, credit })

describe('ownSums', () => {
  it('tells what is held from what is spent, and what came back counts as neither', () => {
    const ledger = [
      { goalId: 'gol_1', entries: [line('client:0xaa', 0n, 100n), line('escrow:gol_1', 100n, 0n)] },
      {
        goalId: 'gol_1',
        entries: [line('escrow:gol_1', 0n, 100n), line('payee:0xbb', 60n, 0n), line('fees:0xff', 2n, 0n), line('client:0xaa', 38n, 0n)],
      },
      { goalId: 'gol_2', entries: [line('client:0xaa', 0n, 50n), line('escrow:gol_2', 50n, 0n)] },
    ]
    expect(ownSums({ payouts: [], ledger, address })).toMatchObject({ held: 50n, spent: 62n })
  })

  it('counts no other client’s goal that one is paid from', () => {
    const ledger = [{ goalId: 'gol_3', entries: [line('escrow:gol_3', 0n, 10n), line('payee:0xaa', 10n, 0n)] }]
    expect(ownSums({ payouts: [], ledger, address })).toMatchObject({ held: 0n, spent: 0n })
  })

  it('adds up what is agreed and neither paid nor sent back', () => {
    const payouts = [
      { amount: 5n, state: 'sealed' },
      { amount: 7n, state: 'paying' },
      { amount: 11n, state: 'paid' },
      { amount: 13n, state: 'credited' },
      { amount: 99n, state: 'refunded' },
    ]
    expect(ownSums({ payouts, ledger: [], address })).toEqual({ held: 0n, spent: 0n, agreed: 12n })
  })
})
