import fc from 'fast-check'
import { keccak256 as reference } from 'viem'
import { expect, it } from 'vitest'
import { keccak256 } from '../../protocol/src/keccak.ts'

it('keccak256 is the chain’s, at every length around a block', () => {
  expect(keccak256(new Uint8Array())).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
  for (const length of [1, 135, 136, 137, 271, 272, 273]) {
    const bytes = new Uint8Array(length).fill(0xab)
    expect(keccak256(bytes), String(length)).toBe(reference(bytes))
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => keccak256(bytes) === reference(bytes)),
    { numRuns: 50 },
  )
})
