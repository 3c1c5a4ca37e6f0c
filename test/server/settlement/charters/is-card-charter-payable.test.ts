import { describe, expect, it } from 'vitest'
import { isCardCharterPayable, vetoWindowEnd } from '../../../../server/settlement/charters/is-card-charter-payable.ts'

const day = 86_400
const createdAt = new Date('2026-11-01T12:00:00Z')
const start = createdAt.getTime() / 1_000
const terms = { vetoSeconds: day, workBy: start + 4 * day }
const signed = { signer: '0x01', signature: '0x02' } as const
const charter = { createdAt, authorization: null, veto: null }
const later = (seconds: number) => new Date((start + seconds) * 1_000)
const mayPay = (own: typeof charter | object, at: Date, others: (typeof charter | object)[] = [], of = terms) => {
  const newest = { ...charter, ...own }
  return isCardCharterPayable(newest, [newest, ...others.map((one) => ({ ...charter, ...one }))], of, at)
}

describe('isCardCharterPayable', () => {
  it('refuses a charter that the client has not approved until its veto window has ended', () => {
    expect(mayPay({}, later(day - 1))).toBe(false)
    expect(mayPay({}, later(day))).toBe(true)
  })

  it('takes an approved charter at once', () => {
    expect(mayPay({ authorization: signed }, later(0))).toBe(true)
  })

  it('never takes a vetoed charter, nor a later one that the client has not approved', () => {
    expect(mayPay({ veto: signed }, later(3 * day))).toBe(false)
    expect(mayPay({}, later(3 * day), [{ veto: signed }])).toBe(false)
    expect(mayPay({ authorization: signed }, later(0), [{ veto: signed }])).toBe(true)
  })

  it('never replaces an approved charter without another approval', () => {
    expect(mayPay({}, later(3 * day), [{ authorization: signed }])).toBe(false)
  })

  it('needs an approval where the goal has no window, or one that ends too late for the work', () => {
    expect(mayPay({}, later(3 * day), [], { ...terms, vetoSeconds: 0 })).toBe(false)
    expect(mayPay({}, later(3 * day), [], { vetoSeconds: day, workBy: start + day })).toBe(false)
  })
})

describe('vetoWindowEnd', () => {
  it('is the end of the window, and null where only an approval counts', () => {
    expect(vetoWindowEnd(charter, [charter], terms)).toBe(start + day)
    expect(vetoWindowEnd(charter, [{ ...charter, veto: signed }], terms)).toBeNull()
  })
})
