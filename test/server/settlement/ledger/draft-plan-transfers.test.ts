import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EscrowEvent } from '../../../../server/ports.ts'
import { draftPlanTransfers, draftWithdrawal } from '../../../../server/settlement/ledger/draft-plan-transfers.ts'
import { type LedgerAccount, type Move, netEntries } from '../../../../server/settlement/ledger/ledger.ts'

const tx = `0x${'a'.repeat(64)}` as const
const who = (digit: string) => `0x${digit.repeat(40)}`
const event = (name: string, args: EscrowEvent['args'], logIndex = 0): EscrowEvent => ({
  contract: 'escrow',
  name,
  planId: tx,
  channelId: null,
  args,
  txHash: tx,
  logIndex,
  block: 1,
  blockHash: tx,
  at: 1_800_000_000,
})
const accounts: LedgerAccount[] = ['client:0x1', 'payee:0x2', 'payee:0x3', 'fees:0x4', 'escrow:gol_1']

describe('entriesOf', () => {
  it('balances for every transfer, and never debits and credits one account at once', () => {
    const move = fc.record({ from: fc.constantFrom(...accounts), to: fc.constantFrom(...accounts), amount: fc.bigInt(0n, 10n ** 15n) })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves: Move[]) => {
        const entries = netEntries(moves)
        const sum = (side: 'debit' | 'credit') => entries.reduce((total, entry) => total + entry[side], 0n)
        expect(sum('debit')).toBe(sum('credit'))
        for (const entry of entries) expect(entry.debit > 0n).not.toBe(entry.credit > 0n)
        expect(new Set(entries.map((entry) => entry.account)).size).toBe(entries.length)
      }),
    )
  })
})

describe('draftTransfers', () => {
  it('brings the funded amount from the client into the goal', () => {
    expect(draftPlanTransfers('gol_1', [event('PlanFunded', { client: who('1'), total: '100' })])).toEqual([
      {
        key: 'fund:gol_1',
        goalId: 'gol_1',
        memo: 'The client sets the money aside.',
        tx,
        at: 1_800_000_000,
        entries: [
          { account: `client:${who('1')}`, debit: 0n, credit: 100n },
          { account: 'escrow:gol_1', debit: 100n, credit: 0n },
        ],
      },
    ])
  })

  it('makes one transfer of a settlement: payees, refused payments, fee and refund', () => {
    const [draft, ...others] = draftPlanTransfers('gol_1', [
      event('FeeCredited', { feeTo: who('9'), amount: '3' }),
      event('StepsSettled', { bits: '3', conclusionHash: tx }, 1),
      event('Paid', { payee: who('2'), amount: '50' }, 2),
      event('Credited', { account: who('3'), amount: '20' }, 3),
      event('Refunded', { client: who('1'), amount: '27' }, 4),
    ])
    expect(others).toEqual([])
    expect(draft?.key).toBe('settle:gol_1:3')
    expect(draft?.entries).toEqual([
      { account: 'escrow:gol_1', debit: 0n, credit: 100n },
      { account: `fees:${who('9')}`, debit: 3n, credit: 0n },
      { account: `payee:${who('2')}`, debit: 50n, credit: 0n },
      { account: `credit:${who('3')}`, debit: 20n, credit: 0n },
      { account: `client:${who('1')}`, debit: 27n, credit: 0n },
    ])
  })

  it('keeps funding and settlement apart where one transaction did both', () => {
    const drafts = draftPlanTransfers('gol_1', [
      event('PlanFunded', { client: who('1'), total: '100' }),
      event('StepsSettled', { bits: '1', conclusionHash: tx }, 1),
      event('Paid', { payee: who('2'), amount: '100' }, 2),
    ])
    expect(drafts.map((draft) => draft.key)).toEqual(['fund:gol_1', 'settle:gol_1:1'])
  })

  it('gives the reason of a transfer it was made', () => {
    const draft = (name: string, args: EscrowEvent['args']) =>
      draftPlanTransfers('gol_1', [event(name, args), event('Paid', { payee: who('2'), amount: '5' }, 1)])[0]
    const drafts = [
      draft('StepsSettled', { bits: '6' }),
      draft('StepRuled', { step: 2 }),
      draft('OfferAccepted', { step: 3 }),
      draft('StepsDefaulted', { bits: '8' }),
      draft('PlanClosed', {}),
    ]
    expect(new Set(drafts.map((one) => one?.memo)).size).toBe(drafts.length)
    expect(drafts.map((one) => one?.key)).toEqual(['settle:gol_1:6', 'split:gol_1:3', 'split:gol_1:4', 'settle:gol_1:8', 'close:gol_1'])
  })

  it('names each fact apart, regardless of its transaction, and refuses money that leaves without a reason', () => {
    const paid = (logIndex: number) => event('Paid', { payee: who('2'), amount: '5' }, logIndex)
    const events = [
      event('StepsSettled', { bits: '1' }),
      paid(1),
      event('StepRuled', { step: 1, payeeBps: 5_000 }, 2),
      paid(3),
      event('StepsSettled', { bits: '0' }, 4),
      event('PlanClosing', { disputed: '4' }, 5),
      event('Refunded', { client: who('1'), amount: '7' }, 6),
    ]
    const keys = ['settle:gol_1:1', 'split:gol_1:2', 'closing:gol_1']
    expect(draftPlanTransfers('gol_1', events).map((draft) => draft.key)).toEqual(keys)
    const elsewhere = events.map((one) => ({ ...one, txHash: `0x${'b'.repeat(64)}` as const, block: 9 }))
    expect(draftPlanTransfers('gol_1', elsewhere).map((draft) => draft.key)).toEqual(keys)
    expect(() => draftPlanTransfers('gol_1', [paid(0)])).toThrow('no event says why')
  })

  it('drafts nothing where no money moved', () => {
    expect(draftPlanTransfers('gol_1', [event('PlanSealed', { version: 1 })])).toEqual([])
    expect(draftPlanTransfers('gol_1', [])).toEqual([])
  })
})

describe('draftWithdrawal', () => {
  const withdrawn = event('CreditWithdrawn', { account: who('4'), to: who('5'), amount: '100' })
  const lines = (held: { fees: bigint; credit: bigint }) =>
    draftWithdrawal(withdrawn, held, 1)?.entries.map(({ account, debit, credit }) => [account, debit - credit])

  it('empties the fees and the credit of the address', () => {
    expect(lines({ fees: 60n, credit: 40n })).toEqual([
      [`fees:${who('4')}`, -60n],
      [`wallet:${who('5')}`, 100n],
      [`credit:${who('4')}`, -40n],
    ])
  })

  it('books no more than our plans have brought, and nothing where they brought nothing', () => {
    expect(lines({ fees: 10n, credit: 0n })).toEqual([
      [`fees:${who('4')}`, -10n],
      [`wallet:${who('5')}`, 10n],
    ])
    expect(draftWithdrawal(withdrawn, { fees: 0n, credit: 0n }, 1)).toBeNull()
  })
})
