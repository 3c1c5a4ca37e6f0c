import { canFollow, type HoldState, holdStates, holdTransitions } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import {
  acceptableWindows,
  advanceHold,
  authorizationWindow,
  type Hold,
  type HoldEvent,
  hasStep,
  stepsToBits,
} from '../../../../server/settlement/holds/hold.ts'

const hex = `0x${'1'.repeat(64)}` as const
const address = `0x${'2'.repeat(40)}` as const
const terms = {
  client: address,
  token: address,
  total: 1n,
  workBy: 1,
  reviewBy: 2,
  expiry: 2,
  feeBps: 0,
  feeTo: address,
  evaluator: address,
  arbitrator: address,
  authorizer: address,
  vetoSeconds: 86_400,
  onSilence: 1,
  charter: hex,
  briefHash: hex,
  salt: 0n,
}
const agreed = {
  goalId: 'gol_1',
  rail: 'escrow',
  planId: hex,
  chainId: 1,
  escrow: address,
  asset: 'x',
  terms,
  createdAt: new Date(0),
  version: 1,
} as const
const funded = { ...agreed, fundedTx: hex, charter: { version: 1, hash: hex }, failure: null, disputeBy: null }
const concluded = { ...funded, bits: 1n, halves: 0n, conclusionHash: hex }

const holds: { readonly [S in HoldState]: Hold } = {
  authorizing: { ...agreed, state: 'authorizing', authorization: null },
  failed: { ...agreed, state: 'failed', failure: 'no' },
  authorized: { ...funded, state: 'authorized' },
  capturing: { ...concluded, state: 'capturing' },
  captured: { ...concluded, state: 'captured', settledTx: hex },
  refunding: { ...concluded, state: 'refunding', settledTx: hex },
  refunded: { ...concluded, state: 'refunded', settledTx: hex },
  voiding: { ...funded, state: 'voiding', conclusionHash: hex },
  voided: { ...funded, state: 'voided', conclusionHash: hex, settledTx: hex },
  reclaimed: { ...funded, state: 'reclaimed', settledTx: hex },
}
const events: { readonly [name: string]: HoldEvent } = {
  authorize: { type: 'authorize', authorization: { validAfter: 0, validBefore: 1, signature: hex, attempt: 1 } },
  fail: { type: 'fail', failure: 'no' },
  fund: { type: 'fund', tx: hex },
  seal: { type: 'seal', charter: { version: 2, hash: hex } },
  refuse: { type: 'refuse', failure: 'no' },
  capture: { type: 'capture', bits: 1n, conclusionHash: hex, disputeBy: null },
  void: { type: 'void', conclusionHash: hex, disputeBy: null },
  settlement_failed: { type: 'settlement_failed', failure: 'no' },
  captured: { type: 'close', to: 'captured', tx: hex, bits: 1n, conclusionHash: hex },
  voided: { type: 'close', to: 'voided', tx: hex, conclusionHash: hex },
  reclaimed: { type: 'close', to: 'reclaimed', tx: hex },
}
/** Targets of events that are not transitions of the table: the state stays, or the chain overrules the request. */
const exceptions = new Set([
  'authorizing authorize authorizing',
  'failed fund authorized',
  'authorized seal authorized',
  'capturing seal capturing',
  'voiding seal voiding',
  'authorized refuse authorized',
  'capturing voided voided',
  'voiding captured captured',
])

describe('advanceHold', () => {
  for (const from of holdStates)
    for (const [name, event] of Object.entries(events))
      it(`${name} on ${from} follows the table, or is refused`, () => {
        let next: Hold
        try {
          next = advanceHold(holds[from], event)
        } catch (error) {
          expect(error).toMatchObject({ code: 'hold.wrong_state', facts: { state: from } })
          return
        }
        const isException = exceptions.has(`${from} ${name} ${next.state}`)
        expect(isException || canFollow(holdTransitions, from, next.state)).toBe(true)
      })

  it('never leaves captured, voided or reclaimed by anything that the escrow says or that is asked', () => {
    for (const state of ['captured', 'voided', 'reclaimed'] as const)
      for (const event of Object.values(events)) expect(() => advanceHold(holds[state], event)).toThrow()
  })

  it('reaches every state that the escrow can bring about', () => {
    const reached = new Set<string>(['authorizing'])
    for (const hold of Object.values(holds))
      for (const event of Object.values(events)) {
        try {
          reached.add(advanceHold(hold, event).state)
        } catch {
          // Rejected: tested above.
        }
      }
    // The last two belong to the card rail.
    expect([...reached].sort()).toEqual(holdStates.filter((state) => state !== 'refunding' && state !== 'refunded').sort())
  })
})

describe('authorizationWindow', () => {
  it('is valid for an hour at least, and the same for all who ask within one hour', () => {
    for (const now of [0, 1, 3_599, 3_600, 1_800_000_000]) {
      expect(authorizationWindow(now).validBefore - now).toBeGreaterThanOrEqual(3_600)
      expect(authorizationWindow(now).validBefore - now).toBeLessThanOrEqual(7_200)
    }
    expect(authorizationWindow(7_200)).toEqual(authorizationWindow(10_799))
  })

  it('is accepted for an hour after it was read', () => {
    const read = authorizationWindow(10_799)
    expect(acceptableWindows(10_799 + 3_600)).toContainEqual(read)
    expect(acceptableWindows(10_799 + 7_201)).not.toContainEqual(read)
  })
})

describe('bitsOf', () => {
  it('sets bit n-1 for step n, up to 60', () => {
    expect(stepsToBits([1, 3])).toBe(0b101n)
    expect(stepsToBits([60])).toBe(1n << 59n)
    expect([1, 2, 3].filter((step) => hasStep(0b101n, step))).toEqual([1, 3])
  })
})
