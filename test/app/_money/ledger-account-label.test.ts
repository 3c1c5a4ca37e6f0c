import { expect, it } from 'vitest'
import { ledgerAccountLabel } from '../../../app/_money/ledger-account-label.ts'
import { translate } from '../translate.ts'

const t = translate('views.account')

it('names accounts by kind and owner, and leaves an unknown kind as it is', () => {
  expect(ledgerAccountLabel('payee:0x1234567890abcdef1234567890abcdef12345678', t)).toBe('Agent 0x1234…5678')
  expect(ledgerAccountLabel('escrow:gol_1', t)).toBe('Escrow, for the goal')
  expect(ledgerAccountLabel('card:gol_1', t)).toBe('Card payment, for the goal')
  expect(ledgerAccountLabel('stripe:acct_1', t)).toBe('stripe:acct_1')
})
