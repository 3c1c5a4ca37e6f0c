import { describe, expect, it } from 'vitest'
import { currencyOf } from '../../../app/_views/currency.ts'

describe('currencyOf', () => {
  it('names a currency by its code, and leaves a token to its market', () => {
    expect(currencyOf('iso4217:USD')).toBe('USD')
    expect(currencyOf(`eip155:31337/erc20:0x${'a'.repeat(40)}`)).toBeNull()
  })
})
