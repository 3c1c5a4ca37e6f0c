import { scalarText } from '@parley/protocol'
import { expect, it } from 'vitest'

it.each([
  ['a', 'a'],
  ['', ''],
  [0, '0'],
  [false, 'false'],
  [null, ''],
  [undefined, ''],
  [['a'], ''],
  [{}, ''],
  [{ toString: 1, valueOf: 1 }, ''],
])('reads %o as %o', (value, text) => {
  expect(scalarText(value)).toBe(text)
})
