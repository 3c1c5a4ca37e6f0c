import { canFollow, type TransferState, transferStates, transferTransitions } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { attemptKey, decideNextAttempt } from '../../../../server/settlement/chain/decide-next-attempt.ts'
import { retryDelayMs } from '../../../../server/settlement/chain/retry-delay.ts'
import {
  advanceTransaction,
  type ChainObservation,
  type ChainTransaction,
  isConfirmed,
  isLiveTransaction,
  requiredConfirmations,
} from '../../../../server/settlement/chain/transaction.ts'

const hash = `0x${'a'.repeat(64)}` as const
const other = `0x${'b'.repeat(64)}` as const
const receipt = { hash, block: 7, blockHash: hash, succeeded: true, hasEvents: true }
const now = new Date('2026-03-01T12:00:00Z')
const at = (state: TransferState, change: Partial<ChainTransaction> = {}): ChainTransaction => ({
  id: 'x',
  key: 'fund:x',
  purpose: 'fund',
  goalId: null,
  value: 0n,
  attempt: 1,
  attempts: 3,
  nonce: 0,
  hash,
  state,
  block: state === 'seen' ? 7 : null,
  blockHash: state === 'seen' ? hash : null,
  failure: null,
  retryAt: null,
  reopenedAt: null,
  cancelRequestedAt: null,
  ...change,
})
const go = (state: TransferState, sighting: ChainObservation, change: Partial<ChainTransaction> = {}) =>
  advanceTransaction(at(state, change), sighting)?.state ?? state

describe('advanceTransaction', () => {
  it('follows a transaction from its bytes to completion', () => {
    expect(go('prepared', { type: 'broadcast' })).toBe('submitted')
    expect(go('submitted', { type: 'broadcast' })).toBe('submitted')
    expect(go('prepared', { type: 'mined', receipt })).toBe('seen')
    expect(go('submitted', { type: 'mined', receipt })).toBe('seen')
    expect(go('seen', { type: 'settled', receipt, at: now })).toBe('final')
    expect(go('final', { type: 'posted' })).toBe('posted')
  })

  it('tries again after a pause, as often as is allowed', () => {
    const reverted: ChainObservation = { type: 'settled', receipt: { ...receipt, succeeded: false }, at: now }
    expect(advanceTransaction(at('seen'), reverted)).toMatchObject({ state: 'failed_retryable', retryAt: new Date(now.getTime() + 2_000) })
    expect(go('seen', reverted, { attempt: 3 })).toBe('failed_final')
    const refused: ChainObservation = { type: 'refused', failure: 'No.', isFinal: false, at: now }
    expect(go('rail_chosen', refused)).toBe('failed_retryable')
    expect(go('rail_chosen', { ...refused, isFinal: true })).toBe('failed_final')
    expect(go('final', { type: 'unproved', at: now })).toBe('failed_retryable')
  })

  it('steps back where the chain lost it, is sent again, and counts wherever it lands', () => {
    const lost = advanceTransaction(at('seen'), { type: 'vanished' })
    expect(lost).toMatchObject({ state: 'reorged', block: null, blockHash: null })
    expect(go('prepared', { type: 'vanished' })).toBe('prepared')
    expect(go('posted', { type: 'vanished' })).toBe('reorged')
    expect(go('reorged', { type: 'broadcast' })).toBe('submitted')
    const elsewhere = { ...receipt, hash: other, block: 8, blockHash: other }
    expect(advanceTransaction(at('reorged'), { type: 'mined', receipt: elsewhere })).toMatchObject({ state: 'seen', block: 8, hash: other })
    expect(advanceTransaction(at('seen'), { type: 'mined', receipt })).toBeNull()
    expect(advanceTransaction(at('seen'), { type: 'mined', receipt: elsewhere })).toMatchObject({ state: 'seen', block: 8 })
  })

  it('gives way where its nonce was used up, and is asked for again a bounded number of times', () => {
    const cancelled: ChainObservation = { type: 'cancelled', receipt, at: now }
    expect(advanceTransaction(at('seen'), cancelled)).toMatchObject({ state: 'replaced', retryAt: new Date(now.getTime() + 2_000) })
    // Includes single attempts with a client's signature, because the call was never rejected.
    const last = at('replaced', { attempts: 1, retryAt: new Date(now.getTime() + 2_000) })
    expect(decideNextAttempt(last, { attempts: 1, isSameCall: true, now })).toBe('wait')
    expect(decideNextAttempt(last, { attempts: 1, isSameCall: true, now: new Date(now.getTime() + 2_000) })).toBe('new')
    expect(go('seen', cancelled, { attempt: 5, attempts: 5 })).toBe('failed_final')
    expect(go('seen', cancelled, { attempt: 5, attempts: 9 })).toBe('failed_final')
    // A refund is retried without a practical maximum.
    expect(go('seen', cancelled, { attempt: 9, attempts: 10_000 })).toBe('replaced')
  })

  it('ends where another transaction has its nonce', () => {
    for (const state of ['prepared', 'submitted', 'reorged'] as const) expect(go(state, { type: 'displaced' })).toBe('replaced')
  })

  it('goes nowhere that the protocol does not lead', () => {
    const sightings: ChainObservation[] = [
      { type: 'refused', failure: 'No.', isFinal: false, at: now },
      { type: 'broadcast' },
      { type: 'mined', receipt },
      { type: 'vanished' },
      { type: 'settled', receipt, at: now },
      { type: 'displaced' },
      { type: 'posted' },
      { type: 'unproved', at: now },
    ]
    for (const state of transferStates)
      for (const sighting of sightings) {
        let next: TransferState
        try {
          next = go(state, sighting)
        } catch (error) {
          expect(String(error)).toMatch(/can't go/)
          continue
        }
        expect(next === state || canFollow(transferTransitions, state, next), `${state} → ${next}`).toBe(true)
      }
    for (const state of ['prepared', 'submitted', 'replaced', 'failed_final'] as const)
      expect(() => go(state, { type: 'settled', receipt, at: now })).toThrow(/can't go/)
    for (const state of transferStates.filter((one) => one !== 'final')) expect(() => go(state, { type: 'posted' })).toThrow(/can't go/)
  })
})

describe('isLive', () => {
  it('holds for all that may still change the chain', () => {
    expect(transferStates.filter((state) => !isLiveTransaction({ state }))).toEqual([
      'final',
      'posted',
      'replaced',
      'failed_retryable',
      'failed_final',
    ])
  })
})

describe('mayFollow', () => {
  const next = { attempts: 3, isSameCall: true, now }
  it.each([
    ['submitted', {}, 'wait'],
    ['posted', {}, 'wait'],
    ['replaced', { attempt: 3 }, 'new'],
    ['failed_retryable', { retryAt: new Date(now.getTime() + 1) }, 'wait'],
    ['failed_retryable', { retryAt: now }, 'new'],
    ['failed_retryable', { retryAt: new Date(now.getTime() + 600_000) }, 'wait'],
    // No delay is that long, so a clock was wrong.
    ['failed_retryable', { retryAt: new Date(now.getTime() + 600_001) }, 'new'],
    ['failed_retryable', { retryAt: now, attempt: 3 }, 'no'],
    ['failed_retryable', { retryAt: new Date(now.getTime() + 1), reopenedAt: now }, 'new'],
    ['failed_final', {}, 'no'],
    ['failed_final', { attempts: 2 }, 'new'],
    ['failed_final', { reopenedAt: now }, 'new'],
  ] as const)('answers after %s with %o: %s', (state, change, answer) => {
    expect(decideNextAttempt(at(state, change), next)).toBe(answer)
  })

  it('takes another call for another matter', () => {
    expect(decideNextAttempt(at('failed_final'), { ...next, isSameCall: false })).toBe('new')
  })
})

describe('attemptKey', () => {
  it('keeps the first attempt under the plain key', () => {
    expect([1, 2].map((attempt) => attemptKey('seal:x:1', attempt))).toEqual(['seal:x:1', 'seal:x:1#2'])
  })
})

describe('retryDelayMs', () => {
  it('grows, and stays bounded', () => {
    expect([1, 2, 3, 4, 5, 50].map(retryDelayMs)).toEqual([2_000, 8_000, 32_000, 128_000, 512_000, 600_000])
  })
})

describe('confirmationsFor', () => {
  it('asks for more blocks on what is worth more, and never for fewer than the least', () => {
    const policy = {
      confirmations: 2,
      depths: [
        { from: 1_000n, confirmations: 12 },
        { from: 100n, confirmations: 6 },
        { from: 0n, confirmations: 1 },
      ],
    }
    expect([0n, 99n, 100n, 999n, 1_000n, 10n ** 30n].map((value) => requiredConfirmations(value, policy))).toEqual([2, 2, 6, 6, 12, 12])
    expect(requiredConfirmations(10n ** 30n, { confirmations: 0, depths: [] })).toBe(0)
  })
})

describe('isBuried', () => {
  it('counts the blocks on top', () => {
    expect(isConfirmed(10, 10, 0)).toBe(true)
    expect(isConfirmed(10, 12, 3)).toBe(false)
    expect(isConfirmed(10, 13, 3)).toBe(true)
  })
})
