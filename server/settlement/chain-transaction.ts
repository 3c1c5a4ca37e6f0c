import { canFollow, type TransferState, transferTransitions } from '@parley/protocol'
import type { ChainReceipt, Depth, EncodedCall, Fees } from '../ports.ts'
import { latestRetryAt, retryDelayMs } from './retry-delay.ts'

type Hex = `0x${string}`

/** What a transaction of ours is for. */
export type Purpose =
  | 'fund'
  | 'seal'
  | 'settle'
  | 'reclaim'
  | 'dispute'
  | 'rule'
  | 'offer'
  | 'withdraw'
  | 'faucet'
  | 'open'
  | 'top_up'
  | 'claim'
  | 'close'

/** One attempt at one effect. A further attempt has a row of its own, under the next key. */
export type ChainTransaction = {
  readonly id: string
  readonly key: string
  readonly purpose: Purpose
  readonly goalId: string | null
  /** What is at stake, base units. */
  readonly value: bigint
  readonly attempt: number
  readonly attempts: number
  /** Null until it is signed. */
  readonly nonce: number | null
  readonly hash: Hex | null
  readonly state: TransferState
  readonly block: number | null
  readonly blockHash: string | null
  readonly failure: string | null
  readonly retryAt: Date | null
  readonly reopenedAt: Date | null
}
/** Bytes that may have been sent, the newest of a nonce being the one that is. */
export type Candidate = Fees & { readonly hash: Hex; readonly raw: Hex; readonly n: number; readonly createdAt: Date }
/** A call that every candidate of a transaction carries; null where it isn't known any more. */
export type StoredCall = EncodedCall | null

/** What we have learnt about it. `at`: when. */
export type Sighting =
  | { readonly type: 'refused'; readonly failure: string; readonly isFinal: boolean; readonly at: Date }
  | { readonly type: 'broadcast' }
  | { readonly type: 'mined'; readonly receipt: ChainReceipt }
  | { readonly type: 'vanished' }
  | { readonly type: 'settled'; readonly receipt: ChainReceipt; readonly at: Date }
  | { readonly type: 'displaced' }
  | { readonly type: 'posted' }
  | { readonly type: 'unproved'; readonly at: Date }

type Columns = Pick<ChainTransaction, 'state' | 'block' | 'blockHash' | 'failure' | 'retryAt' | 'hash'>

/** The columns that change, or null where nothing does. */
export function advanceTransaction(transaction: ChainTransaction, sighting: Sighting): Columns | null {
  const { state, block, blockHash, failure, retryAt, hash } = transaction
  const to = (next: TransferState, change: Partial<Columns> = {}): Columns => {
    if (!canFollow(transferTransitions, state, next)) throw new Error(`transaction ${transaction.key} can't go from ${state} to ${next}`)
    return { block, blockHash, failure, retryAt, hash, ...change, state: next }
  }
  const fail = (why: string, isFinal: boolean, at: Date): Columns => {
    if (isFinal || transaction.attempt >= transaction.attempts) return to('failed_final', { failure: why })
    return to('failed_retryable', { failure: why, retryAt: new Date(at.getTime() + retryDelayMs(transaction.attempt)) })
  }
  switch (sighting.type) {
    case 'refused':
      return fail(sighting.failure, sighting.isFinal, sighting.at)
    case 'broadcast':
      return state === 'prepared' || state === 'reorged' ? to('submitted') : null
    case 'mined': {
      const found = { block: sighting.receipt.block, blockHash: sighting.receipt.blockHash, hash: sighting.receipt.hash }
      if (state === 'seen' && blockHash === found.blockHash) return null
      // It moved to another block while we looked away.
      if (state === 'seen') return { state, failure, retryAt, ...found }
      return to('seen', found)
    }
    case 'vanished':
      return isMined(transaction) ? to('reorged', { block: null, blockHash: null }) : null
    case 'settled': {
      const found = { block: sighting.receipt.block, blockHash: sighting.receipt.blockHash, hash: sighting.receipt.hash }
      if (sighting.receipt.succeeded) return to('final', found)
      return { ...fail('The chain executed it and took its effect back.', false, sighting.at), ...found }
    }
    case 'displaced':
      return to('replaced', { block: null, blockHash: null, failure: 'Another transaction of the same key took its nonce.' })
    case 'posted':
      return to('posted')
    case 'unproved':
      return fail("The node said that it succeeded, and the escrow's log shows nothing of it.", false, sighting.at)
    default:
      return sighting satisfies never
  }
}

/** States in which it is still to be brought on. */
export const liveStates = ['intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged'] as const satisfies readonly TransferState[]

/** Whether it may still change the chain. */
export function isLive(transaction: Pick<ChainTransaction, 'state'>): boolean {
  return liveStates.some((state) => state === transaction.state)
}

/** Whether a block is known to hold it. */
export function isMined(transaction: Pick<ChainTransaction, 'state'>): boolean {
  return transaction.state === 'seen' || transaction.state === 'final' || transaction.state === 'posted'
}

/**
 * Whether another attempt at the same effect may begin. `isSameCall`: it would call what the last one called; where that was
 * given up, another call (another signature, another wish) is a new matter with attempts of its own, and so is the same one
 * where more attempts are allowed than were then (the client has signed the same terms once more).
 */
export function mayFollow(last: ChainTransaction, next: { attempts: number; isSameCall: boolean; now: Date }): 'new' | 'wait' | 'no' {
  const { state, attempt } = last
  if (isLive(last) || state === 'final' || state === 'posted') return 'wait'
  // Somebody else's transaction says nothing about ours; and an operator may ask for more.
  if (state === 'replaced' || last.reopenedAt !== null) return 'new'
  if (state === 'failed_final') return next.isSameCall && next.attempts <= last.attempts ? 'no' : 'new'
  if (attempt >= last.attempts) return 'no'
  return last.retryAt === null || last.retryAt <= next.now || last.retryAt > latestRetryAt(next.now) ? 'new' : 'wait'
}

/** The key of the n-th attempt at one purpose: the purpose's own key, then `…#2`. */
export function attemptKey(key: string, attempt: number): string {
  return attempt === 1 ? key : `${key}#${attempt}`
}

/** How many blocks must lie on top of what moves this amount. */
export function confirmationsFor(value: bigint, policy: { readonly confirmations: number; readonly depths: readonly Depth[] }): number {
  return policy.depths.reduce((most, depth) => (value >= depth.from ? Math.max(most, depth.confirmations) : most), policy.confirmations)
}

/** Whether enough blocks stand on top of it. */
export function isBuried(block: number, head: number, confirmations: number): boolean {
  return head - block >= confirmations
}
