import { Charter, charterFaults, charterHash, feeOn, payableOf } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vector from '../../protocol/vectors/signatures/charter.json' with { type: 'json' }

const charter = Charter.parse(vector.charter)
const [first, second] = charter.steps as [Charter['steps'][0], Charter['steps'][0]]

describe('charterHash', () => {
  it('depends on every figure, and not on the order of keys', async () => {
    const turned = Object.fromEntries(Object.entries(charter).reverse()) as Charter
    expect(await charterHash(turned)).toBe(vector.hash)
    const others = [
      { ...charter, version: 2 },
      { ...charter, total: '10000001' },
      { ...charter, steps: [second, first] },
      { ...charter, note: 'x' },
    ]
    for (const other of others) expect(await charterHash(other)).not.toBe(vector.hash)
  })
})

describe('charterFaults', () => {
  it('finds none in one that holds together', () => {
    expect(charterFaults(charter)).toEqual([])
  })

  it.each<[string, Charter['steps'], string]>([
    ['a number out of order', [second], 'Step 1 has the number 2. Number the steps from 1 without gaps.'],
    ['a step that waits for a later one', [{ ...first, depends_on: [2] }, second], 'Step 1 depends on step 2, which is not before it.'],
    ['a step that waits for itself', [{ ...first, depends_on: [1] }], 'Step 1 depends on step 1, which is not before it.'],
    [
      'an input without its dependency',
      [first, { ...second, depends_on: [] }],
      'Step 2 has an input from step 1 and does not depend on it.',
    ],
    [
      'a title that hides a direction',
      [{ ...first, title: 'a\u202eb' }],
      'The title of step 1 has the invisible character U+202E. Remove it.',
    ],
    [
      'a title with an ignored letter',
      [{ ...first, title: 'a\u034fb' }],
      'The title of step 1 has the invisible character U+034F. Remove it.',
    ],
    ['more than the hold', [{ ...first, amount: '10000000' }], 'The steps and the fee need 10200000. The hold is only 10000000.'],
  ])('states what is wrong: %s', (_what, steps, fault) => {
    expect(charterFaults({ ...charter, steps })).toContain(fault)
  })

  it('is content with exactly what is payable, and not with one unit more', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 62n }), fc.integer({ min: 0, max: 1_000 }), (total, fee_bps) => {
        const payable = payableOf(total, fee_bps)
        const at = (amount: bigint) =>
          charterFaults({ ...charter, total: String(total), fee_bps, steps: [{ ...first, amount: String(amount) }] })
        expect(at(payable)).toEqual([])
        expect(at(payable + 1n)).toHaveLength(1)
        expect(payable + feeOn(payable, fee_bps) <= total).toBe(true)
      }),
    )
  })
})
