/** Tests the next settlement call from hold and plan alone. */
import { describe, expect, it } from 'vitest'
import type { EscrowHold, Hold } from '../../../../server/settlement/holds/hold.ts'
import {
  nextSettlement,
  type SettlementFacts,
  stepsToPayByDefault,
} from '../../../../server/settlement/submit/next-settlement-or-reclaim.ts'

const charter = { version: 1, hash: '0x01' as const }
const hold = { state: 'voiding', charter, disputeBy: null } as unknown as Hold
const plan = { status: 1, version: 1, codes: 0n, closing: false, payableFrom: 0, submitted: 0n }
const facts = { unpaidSteps: [1], isOverwritten: false, heldSteps: 0n, canBring: false, isPartUnderway: false, now: 1_000 }
const next = (of: Hold, state: SettlementFacts['plan']['charter']) => nextSettlement(of, { ...facts, plan: { ...plan, charter: state } })

describe('the next call of a settlement', () => {
  it('closes a plan whose charter was vetoed after its money was asked back', () => {
    expect(next(hold, 'none')).toEqual({ bits: 0n, isHalf: false, close: true, charter: 'none' })
  })

  it('pays nothing under a charter that was vetoed, and waits for a veto window to end', () => {
    expect(next({ ...hold, state: 'capturing', bits: 1n, halves: 0n } as Hold, 'none')).toBeNull()
    expect(nextSettlement(hold, { ...facts, plan: { ...plan, charter: 'proposed', payableFrom: 2_000 } })).toBeNull()
  })

  it('pays the other steps while a word on one is in progress, and closes once that has come or is awaited no longer', () => {
    const paying = { ...hold, state: 'capturing', bits: 0b11n, halves: 0n } as Hold
    const sealed = { ...facts, unpaidSteps: [], plan: { ...plan, charter: 'authorized' as const } }
    expect(nextSettlement(paying, { ...sealed, heldSteps: 0b10n })).toEqual({ bits: 0b01n, isHalf: false, close: false, charter: 'sealed' })
    expect(nextSettlement(paying, { ...sealed, heldSteps: 0b11n })).toBeNull()
    expect(nextSettlement(hold, { ...sealed, heldSteps: 0b10n })).toBeNull()
    const disputed = { ...sealed, heldSteps: 0b10n, plan: { ...sealed.plan, codes: 0b1100n } }
    expect(nextSettlement(paying, disputed)).toEqual({ bits: 0b01n, isHalf: false, close: true, charter: 'sealed' })
    expect(nextSettlement(paying, sealed)).toEqual({ bits: 0b11n, isHalf: false, close: true, charter: 'sealed' })
  })

  it('pays whole steps first, and then halves, each in a call of its own', () => {
    const splitting = { ...hold, state: 'capturing', bits: 0b111n, halves: 0b110n } as Hold
    const sealed = { ...facts, unpaidSteps: [], plan: { ...plan, charter: 'authorized' as const } }
    expect(nextSettlement(splitting, sealed)).toEqual({ bits: 0b001n, isHalf: false, close: false, charter: 'sealed' })
    const paid = { ...sealed, plan: { ...sealed.plan, codes: 0b01n } }
    expect(nextSettlement(splitting, paid)).toEqual({ bits: 0b110n, isHalf: true, close: true, charter: 'sealed' })
    expect(nextSettlement(splitting, { ...paid, isPartUnderway: true })).toBeNull()
    const over = { ...sealed, plan: { ...sealed.plan, codes: 0b101001n } }
    expect(nextSettlement(splitting, over)).toEqual({ bits: 0n, isHalf: false, close: true, charter: 'sealed' })
  })

  it('seals a charter that is not on chain before it pays halves', () => {
    const splitting = { ...hold, state: 'capturing', bits: 0b11n, halves: 0b11n } as Hold
    const brought = { ...facts, canBring: true, unpaidSteps: [], plan: { ...plan, charter: 'none' as const } }
    expect(nextSettlement(splitting, brought)).toEqual({ bits: 0n, isHalf: false, close: false, charter: 'brought' })
    const sealed = { ...facts, unpaidSteps: [], plan: { ...plan, charter: 'authorized' as const } }
    expect(nextSettlement(splitting, sealed)).toEqual({ bits: 0b11n, isHalf: true, close: true, charter: 'sealed' })
  })
})

describe('the default payment', () => {
  it('leaves what is to be paid whole where the terms split, because it would pay half', () => {
    const terms = { onSilence: 7, reviewBy: 900 }
    const paying = { ...hold, state: 'capturing', fundedTx: '0x02', bits: 0b11n, halves: 0b10n, terms } as unknown as EscrowHold
    const submitted = { ...plan, charter: 'authorized' as const, submitted: 0b111n }
    expect(stepsToPayByDefault(paying, submitted, 1_000)).toBe(0b110n)
    const whole = { ...paying, terms: { ...terms, onSilence: 3 } } as EscrowHold
    expect(stepsToPayByDefault(whole, submitted, 1_000)).toBe(0b111n)
  })
})
