import { describe, expect, it } from 'vitest'
import type { EscrowEvent } from '../../../../server/ports.ts'
import { settledStepBits, stepOutcomesFromEvents } from '../../../../server/settlement/holds/step-outcomes-from-events.ts'

const hash = `0x${'a'.repeat(64)}` as const
const event = (name: string, args: EscrowEvent['args'] = {}): EscrowEvent => ({
  contract: 'escrow',
  name,
  planId: hash,
  channelId: null,
  args,
  txHash: hash,
  logIndex: 0,
  block: 1,
  blockHash: hash,
  at: 0,
})
const settled = (bits: bigint) => event('StepsSettled', { bits: bits.toString(), conclusionHash: hash })
const steps = [
  { step: 1, payee: 'a', amount: 5n },
  { step: 2, payee: 'a', amount: 5n },
  { step: 3, payee: 'b', amount: 5n },
  { step: 4, payee: 'a', amount: 5n },
]

describe('stepOutcomesFromEvents', () => {
  it('marks the steps that the log names, and no other', () => {
    expect(stepOutcomesFromEvents(steps, [settled(0b1001n), event('Paid')])).toEqual([
      { step: 1, outcome: 'paid', amount: 5n },
      { step: 4, outcome: 'paid', amount: 5n },
    ])
    expect(stepOutcomesFromEvents(steps, [settled(0n), event('Refunded')])).toEqual([])
    expect(stepOutcomesFromEvents(steps, [])).toEqual([])
  })

  it('gives a refused transfer to all neighbouring steps that it was made for, and to them alone', () => {
    const outcomes = stepOutcomesFromEvents(steps, [settled(0b1111n), event('Credited'), event('Paid'), event('Paid')])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['credited', 'credited', 'paid', 'paid'])
  })

  it('takes steps of one payee for neighbours where the one between them was not chosen', () => {
    const outcomes = stepOutcomesFromEvents(steps, [settled(0b1011n), event('Credited')])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['credited', 'credited', 'credited'])
  })

  it('expects no transfer for steps that cost nothing', () => {
    const free = [
      { step: 1, payee: 'a', amount: 0n },
      { step: 2, payee: 'b', amount: 5n },
    ]
    expect(stepOutcomesFromEvents(free, [settled(0b11n), event('Credited')])).toEqual([
      { step: 1, outcome: 'paid', amount: 0n },
      { step: 2, outcome: 'credited', amount: 5n },
    ])
  })

  it('does not take the refused refund for a payment', () => {
    const outcomes = stepOutcomesFromEvents(steps, [settled(0b0100n), event('Paid'), event('Credited')])
    expect(outcomes).toEqual([{ step: 3, outcome: 'paid', amount: 5n }])
  })

  it('takes royalties off what the payee was sent', () => {
    const royalty = event('RoyaltyCredited', { step: 2, amount: '2' })
    expect(stepOutcomesFromEvents(steps, [settled(0b0100n), royalty, event('Paid')])).toEqual([{ step: 3, outcome: 'paid', amount: 3n }])
  })

  it('reads a ruling and an agreement as parts of one step, rounded down, and 0 and 10000 as nothing and all', () => {
    const ruled = (step: number, payeeBps: number) => event('StepRuled', { step, payeeBps })
    expect(stepOutcomesFromEvents(steps, [ruled(1, 5_000), event('Paid')])).toEqual([{ step: 2, outcome: 'split', amount: 2n }])
    expect(stepOutcomesFromEvents(steps, [ruled(1, 0), event('Refunded')])).toEqual([{ step: 2, outcome: 'refunded', amount: 0n }])
    expect(stepOutcomesFromEvents(steps, [ruled(1, 10_000), event('Credited')])).toEqual([{ step: 2, outcome: 'credited', amount: 5n }])
    const agreed = event('OfferAccepted', { step: 3, payeeBps: 6_000 })
    expect(stepOutcomesFromEvents(steps, [agreed, event('Credited')])).toEqual([{ step: 4, outcome: 'split', amount: 3n }])
  })

  it('gives each payment to the event before it that names steps', () => {
    const ruled = event('StepRuled', { step: 2, payeeBps: 10_000 })
    expect(stepOutcomesFromEvents(steps, [settled(0b0001n), event('Credited'), ruled, event('Paid')])).toEqual([
      { step: 1, outcome: 'credited', amount: 5n },
      { step: 3, outcome: 'paid', amount: 5n },
    ])
  })
})

describe('settledBits', () => {
  it('adds up what several settlements of one transaction name', () => {
    expect(settledStepBits([settled(0b01n), settled(0b10n)])).toBe(0b11n)
  })
})
