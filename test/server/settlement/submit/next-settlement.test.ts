/** Tests the next settlement call from hold and plan alone. */
import { describe, expect, it } from 'vitest'
import type { Hold } from '../../../../server/settlement/holds/hold.ts'
import { nextSettlement, type SettlementFacts } from '../../../../server/settlement/submit/next-settlement.ts'

const charter = { version: 1, hash: '0x01' as const }
const hold = { state: 'voiding', charter, disputeBy: null } as unknown as Hold
const plan = { status: 1, version: 1, codes: 0n, closing: false, payableFrom: 0, submitted: 0n }
const facts = { unpaidSteps: [1], isOverwritten: false, heldSteps: 0n, canBring: false, isPartUnderway: false, now: 1_000 }
const next = (of: Hold, state: SettlementFacts['plan']['charter']) => nextSettlement(of, { ...facts, plan: { ...plan, charter: state } })

describe('the next call of a settlement', () => {
  it('closes a plan whose charter was vetoed after its money was asked back', () => {
    expect(next(hold, 'none')).toEqual({ bits: 0n, close: true, charter: 'none' })
  })

  it('pays nothing under a charter that was vetoed, and waits for a veto window to end', () => {
    expect(next({ ...hold, state: 'capturing', bits: 1n } as Hold, 'none')).toBeNull()
    expect(nextSettlement(hold, { ...facts, plan: { ...plan, charter: 'proposed', payableFrom: 2_000 } })).toBeNull()
  })

  it('pays the other steps while a word on one is in progress, and closes once that has come or is awaited no longer', () => {
    const paying = { ...hold, state: 'capturing', bits: 0b11n } as Hold
    const sealed = { ...facts, unpaidSteps: [], plan: { ...plan, charter: 'authorized' as const } }
    expect(nextSettlement(paying, { ...sealed, heldSteps: 0b10n })).toEqual({ bits: 0b01n, close: false, charter: 'sealed' })
    expect(nextSettlement(paying, { ...sealed, heldSteps: 0b11n })).toBeNull()
    expect(nextSettlement(hold, { ...sealed, heldSteps: 0b10n })).toBeNull()
    const disputed = { ...sealed, heldSteps: 0b10n, plan: { ...sealed.plan, codes: 0b1100n } }
    expect(nextSettlement(paying, disputed)).toEqual({ bits: 0b01n, close: true, charter: 'sealed' })
    expect(nextSettlement(paying, sealed)).toEqual({ bits: 0b11n, close: true, charter: 'sealed' })
  })
})
