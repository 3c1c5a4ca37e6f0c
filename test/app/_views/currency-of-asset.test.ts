import { describe, expect, it } from 'vitest'
import { currencyOfAsset } from '../../../app/_views/currency-of-asset.ts'

describe('currencyOf', () => {
  it('names a currency by its code, and leaves a token to its market', () => {
    expect(currencyOfAsset('iso4217:USD')).toBe('USD')
    expect(currencyOfAsset(`eip155:31337/erc20:0x${'a'.repeat(40)}`)).toBeNull()
  })
})
