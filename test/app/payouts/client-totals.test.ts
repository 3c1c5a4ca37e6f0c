import { describe, expect, it } from 'vitest'
import { clientTotals } from '../../../app/payouts/client-totals.ts'

const address = '0xAA'
const asset = 'token'
const line = (account: string, debit: bigint, credit: bigint) => ({ account, asset, debit, credit })

describe('clientTotals', () => {
  it('distinguishes what is held from what is spent, and what came back counts as neither', () => {
    const ledger = [
      { goalId: 'gol_1', entries: [line('client:0xaa', 0n, 100n), line('escrow:gol_1', 100n, 0n)] },
      {
        goalId: 'gol_1',
        entries: [line('escrow:gol_1', 0n, 100n), line('payee:0xbb', 60n, 0n), line('fees:0xff', 2n, 0n), line('client:0xaa', 38n, 0n)],
      },
      { goalId: 'gol_2', entries: [line('client:0xaa', 0n, 50n), line('escrow:gol_2', 50n, 0n)] },
    ]
    expect(clientTotals({ ledger, address, asset })).toMatchObject({ held: 50n, spent: 62n })
  })

  it('counts no other client’s goal that one is paid from', () => {
    const ledger = [{ goalId: 'gol_3', entries: [line('escrow:gol_3', 0n, 10n), line('payee:0xaa', 10n, 0n)] }]
    expect(clientTotals({ ledger, address, asset })).toMatchObject({ held: 0n, spent: 0n })
  })

  it('keeps what was paid by card apart', () => {
    const dollars = { asset: 'iso4217:USD', account: 'client:0xaa', debit: 0n, credit: 7n }
    const ledger = [
      { goalId: 'gol_1', entries: [line('client:0xaa', 0n, 5n), line('escrow:gol_1', 5n, 0n)] },
      { goalId: 'gol_2', entries: [dollars, { ...dollars, account: 'card:gol_2', debit: 4n, credit: 0n }] },
    ]
    expect(clientTotals({ ledger, address, asset })).toEqual({ held: 5n, spent: 0n })
    expect(clientTotals({ ledger, address, asset: 'iso4217:USD' })).toEqual({ held: 4n, spent: 3n })
  })

  it('counts what is left in own channels as held, what was claimed as spent, and others’ channels not at all', () => {
    const ledger = [
      { goalId: null, entries: [line('client:0xaa', 0n, 20n), line('channel:0x1', 20n, 0n)] },
      { goalId: null, entries: [line('channel:0x1', 0n, 6n), line('payee:0xbb', 6n, 0n)] },
      { goalId: null, entries: [line('channel:0x2', 0n, 5n), line('payee:0xaa', 5n, 0n)] },
    ]
    expect(clientTotals({ ledger, address, asset })).toEqual({ held: 14n, spent: 6n })
    const closed = { goalId: null, entries: [line('channel:0x1', 0n, 14n), line('client:0xaa', 14n, 0n)] }
    expect(clientTotals({ ledger: [...ledger, closed], address, asset })).toEqual({ held: 0n, spent: 6n })
  })
})
