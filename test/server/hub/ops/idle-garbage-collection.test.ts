import { expect, it } from 'vitest'
import { isIdleAfterChurn } from '../../../../server/hub/ops/idle-garbage-collection.ts'

const at = (moves: number, messages = 0) => ({ moves, messages })

it('gives memory back where many have come or gone since it last did, and nothing has happened for a while', () => {
  expect(isIdleAfterChurn(at(0), at(1_000, 7), at(1_000, 7))).toBe(true)
  expect(isIdleAfterChurn(at(500), at(1_499), at(1_499))).toBe(false)
  expect(isIdleAfterChurn(at(0), at(2_000), at(2_001))).toBe(false)
  expect(isIdleAfterChurn(at(0), at(2_000, 7), at(2_000, 8))).toBe(false)
})
