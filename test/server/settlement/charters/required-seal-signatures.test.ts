import type { EscrowCharter } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { requiredSealSignatures, requiresDepartingMembers } from '../../../../server/settlement/charters/required-seal-signatures.ts'

const [first, second] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const
const charter = (...steps: (readonly [payee: `0x${string}`, amount: bigint])[]): EscrowCharter => ({
  steps: steps.map(([payee, amount]) => ({ payee, amount })),
  royalties: [],
  charterHash: `0x${'0'.repeat(64)}`,
})
const signed = (signer: `0x${string}`) => ({ signer, signature: '0xabcd' }) as const
const delegate = signed(`0x${'d'.repeat(40)}`)
const empty = (signer: `0x${string}`) => ({ signer, signature: '0x' })

describe('neededSignatures', () => {
  it('brings none of members that join, also of those that signed by a signer that they could take back', () => {
    const one = charter([first, 5n], [second, 4n], [first, 1n])
    expect(requiredSealSignatures(one, [signed(first), delegate], [])).toEqual([empty(first), empty(second)])
  })

  it('brings only that of a member that takes less than under a charter that may be replaced', () => {
    const one = charter([first, 5n], [second, 4n])
    const before = charter([first, 3n], [second, 2n], [second, 3n])
    expect(requiredSealSignatures(one, [signed(first), delegate], [before])).toEqual([empty(first), delegate])
    expect(requiredSealSignatures(one, [signed(first), delegate], [charter([first, 5n], [second, 4n])])).toEqual([
      empty(first),
      empty(second),
    ])
  })
})

describe('needsLeavers', () => {
  it('asks for them unless the terms let the silent be replaced', () => {
    expect([0, 1, 2, 3].map((onSilence) => requiresDepartingMembers({ onSilence }))).toEqual([true, true, false, false])
  })
})
