import { expect, it } from 'vitest'
import { accountLabel } from '../../../app/_money/account-label.ts'
import { translate } from '../translate.ts'

const t = translate('views.account')

it('names accounts by kind and owner, and leaves an unknown kind as it is', () => {
  expect(accountLabel('payee:0x1234567890abcdef1234567890abcdef12345678', t)).toBe('Agent 0x1234…5678')
  expect(accountLabel('escrow:gol_1', t)).toBe('Escrow, for the goal')
  expect(accountLabel('card:gol_1', t)).toBe('Card payment, for the goal')
  expect(accountLabel('stripe:acct_1', t)).toBe('stripe:acct_1')
})
