import { describe, expect, it } from 'vitest'
import type { EscrowEvent } from '../../../server/ports.ts'
import { settledBits, settledSteps } from '../../../server/settlement/settled-steps.ts'

const hash = `0x${'a'.repeat(64)}` as const
const event = (name: string, args: EscrowEvent['args'] = {}): EscrowEvent => ({
  name,
  planId: hash,
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

describe('settledSteps', () => {
  it('marks the steps that the log names, and no other', () => {
    expect(settledSteps(steps, [settled(0b1001n), event('Paid')])).toEqual([
      { step: 1, outcome: 'paid' },
      { step: 4, outcome: 'paid' },
    ])
    expect(settledSteps(steps, [settled(0n), event('Refunded')])).toEqual([])
    expect(settledSteps(steps, [])).toEqual([])
  })

  it('gives a refused transfer to all neighbouring steps that it was made for, and to them alone', () => {
    const outcomes = settledSteps(steps, [settled(0b1111n), event('Credited'), event('Paid'), event('Paid')])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['credited', 'credited', 'paid', 'paid'])
  })

  it('takes steps of one payee for neighbours where the one between them was not chosen', () => {
    const outcomes = settledSteps(steps, [settled(0b1011n), event('Credited')])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['credited', 'credited', 'credited'])
  })

  it('expects no transfer for steps that cost nothing', () => {
    const free = [
      { step: 1, payee: 'a', amount: 0n },
      { step: 2, payee: 'b', amount: 5n },
    ]
    expect(settledSteps(free, [settled(0b11n), event('Credited')])).toEqual([
      { step: 1, outcome: 'paid' },
      { step: 2, outcome: 'credited' },
    ])
  })

  it('does not take the refused refund for a payment', () => {
    const outcomes = settledSteps(steps, [settled(0b0100n), event('Paid'), event('Credited')])
    expect(outcomes).toEqual([{ step: 3, outcome: 'paid' }])
  })
})

describe('settledBits', () => {
  it('adds up what several settlements of one transaction name', () => {
    expect(settledBits([settled(0b01n), settled(0b10n)])).toBe(0b11n)
  })
})
