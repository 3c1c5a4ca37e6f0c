import { type TransferState, transferStates } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import {
  advanceTransaction,
  attemptKey,
  type ChainTransaction,
  isBuried,
  isLive,
  type Sighting,
} from '../../../server/settlement/chain-transaction.ts'

const hash = `0x${'a'.repeat(64)}` as const
const other = `0x${'b'.repeat(64)}` as const
const receipt = { hash, block: 7, blockHash: hash, succeeded: true }
const at = (state: TransferState): ChainTransaction => ({
  id: 'x',
  key: 'fund:x',
  purpose: 'fund',
  goalId: null,
  nonce: 0,
  raw: '0x',
  hash,
  state,
  block: state === 'seen' ? 7 : null,
  blockHash: state === 'seen' ? hash : null,
  failure: null,
})
const go = (state: TransferState, sighting: Sighting) => advanceTransaction(at(state), sighting)?.state ?? state

describe('advanceTransaction', () => {
  it('follows a transaction from its bytes to its end', () => {
    expect(go('prepared', { type: 'broadcast' })).toBe('submitted')
    expect(go('submitted', { type: 'broadcast' })).toBe('submitted')
    expect(go('prepared', { type: 'mined', receipt })).toBe('seen')
    expect(go('submitted', { type: 'mined', receipt })).toBe('seen')
    expect(go('seen', { type: 'settled', receipt })).toBe('final')
    expect(go('seen', { type: 'settled', receipt: { ...receipt, succeeded: false } })).toBe('reverted')
  })

  it('steps back where the chain lost it, and notes the new block where it moved', () => {
    expect(advanceTransaction(at('seen'), { type: 'vanished' })).toEqual({
      state: 'submitted',
      block: null,
      blockHash: null,
      failure: null,
    })
    expect(go('prepared', { type: 'vanished' })).toBe('prepared')
    expect(advanceTransaction(at('seen'), { type: 'mined', receipt })).toBeNull()
    expect(advanceTransaction(at('seen'), { type: 'mined', receipt: { ...receipt, block: 8, blockHash: other } })).toMatchObject({
      state: 'seen',
      block: 8,
    })
  })

  it('ends where another transaction has its nonce', () => {
    expect(go('prepared', { type: 'displaced' })).toBe('reverted')
    expect(go('submitted', { type: 'displaced' })).toBe('reverted')
  })

  it('is never called final without having been seen, and never changes after its end', () => {
    for (const state of ['prepared', 'submitted', 'final', 'reverted'] as const)
      expect(() => advanceTransaction(at(state), { type: 'settled', receipt })).toThrow(/can't go/)
    for (const state of ['final', 'reverted'] as const)
      expect(() => advanceTransaction(at(state), { type: 'mined', receipt })).toThrow(/can't go/)
  })
})

describe('isLive', () => {
  it('holds for all but the two ends', () => {
    expect(transferStates.filter((state) => !isLive({ state }))).toEqual(['final', 'reverted'])
  })
})

describe('attemptKey', () => {
  it('keeps the first attempt under the plain key', () => {
    expect([1, 2].map((attempt) => attemptKey('seal:x:1', attempt))).toEqual(['seal:x:1', 'seal:x:1#2'])
  })
})

describe('isBuried', () => {
  it('counts the blocks on top', () => {
    expect(isBuried(10, 10, 0)).toBe(true)
    expect(isBuried(10, 12, 3)).toBe(false)
    expect(isBuried(10, 13, 3)).toBe(true)
  })
})
