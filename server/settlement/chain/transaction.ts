import { canFollow, type TransferState, transferTransitions } from '@parley/protocol'
import type { ChainReceipt, Depth, EncodedCall, Fees } from '../../ports.ts'
import { retryDelayMs } from './retry-delay.ts'

type Hex = `0x${string}`

/** Purpose of a transaction that the server sends. */
export type Purpose =
  | 'fund'
  | 'seal'
  | 'settle'
  | 'veto'
  | 'submit'
  | 'silence'
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

/** One attempt at one effect. Each further attempt has its own row and key. */
export type ChainTransaction = {
  readonly id: string
  readonly key: string
  readonly purpose: Purpose
  readonly goalId: string | null
  /** Amount at stake, in base units. */
  readonly value: bigint
  readonly attempt: number
  readonly attempts: number
  /** Null until signed. */
  readonly nonce: number | null
  readonly hash: Hex | null
  readonly state: TransferState
  readonly block: number | null
  readonly blockHash: string | null
  readonly failure: string | null
  readonly retryAt: Date | null
  readonly reopenedAt: Date | null
  readonly cancelRequestedAt: Date | null
}
/** A signed transaction that may have been sent. The newest of a nonce is the one to broadcast. */
export type SignedTransaction = Fees & {
  readonly hash: Hex
  readonly raw: Hex
  readonly n: number
  /** A cancellation: it has no effect except to use the nonce. */
  readonly isCancel: boolean
  readonly createdAt: Date
}
/** The call that all signed transactions of a row carry, except cancellations. Null if it is no longer known. */
export type StoredCall = EncodedCall | null

/** What the server has learned about a transaction. `at`: when. */
export type ChainObservation =
  | { readonly type: 'refused'; readonly failure: string; readonly isFinal: boolean; readonly at: Date }
  | { readonly type: 'broadcast' }
  | { readonly type: 'mined'; readonly receipt: ChainReceipt }
  | { readonly type: 'vanished' }
  | { readonly type: 'settled'; readonly receipt: ChainReceipt; readonly at: Date }
  | { readonly type: 'displaced' }
  | { readonly type: 'cancelled'; readonly receipt: ChainReceipt; readonly at: Date }
  | { readonly type: 'posted' }
  | { readonly type: 'unproved'; readonly at: Date }

type StateChange = Pick<ChainTransaction, 'state' | 'block' | 'blockHash' | 'failure' | 'retryAt' | 'hash'>

const cancelledFailure = 'The chain did not include it in time, so its nonce was used up by a transaction that does nothing.'
/**
 * A cancelled transaction gets no further attempt after this number, or after its regular maximum if that is higher. An operator
 * can request more.
 */
const maxCancelledAttempts = 5

/** The changed columns, or null if nothing changes. */
export function advanceTransaction(transaction: ChainTransaction, observation: ChainObservation): StateChange | null {
  const { state, block, blockHash, failure, retryAt, hash } = transaction
  const to = (next: TransferState, change: Partial<StateChange> = {}): StateChange => {
    if (!canFollow(transferTransitions, state, next)) throw new Error(`transaction ${transaction.key} can't go from ${state} to ${next}`)
    return { block, blockHash, failure, retryAt, hash, ...change, state: next }
  }
  const fail = (why: string, isFinal: boolean, at: Date): StateChange => {
    if (isFinal || transaction.attempt >= transaction.attempts) return to('failed_final', { failure: why })
    return to('failed_retryable', { failure: why, retryAt: new Date(at.getTime() + retryDelayMs(transaction.attempt)) })
  }
  switch (observation.type) {
    case 'refused':
      return fail(observation.failure, observation.isFinal, observation.at)
    case 'broadcast':
      return state === 'prepared' || state === 'reorged' ? to('submitted') : null
    case 'mined': {
      const found = { block: observation.receipt.block, blockHash: observation.receipt.blockHash, hash: observation.receipt.hash }
      if (state === 'seen' && blockHash === found.blockHash) return null
      // A reorganization moved it to another block.
      if (state === 'seen') return { state, failure, retryAt, ...found }
      return to('seen', found)
    }
    case 'vanished':
      return isMined(transaction) ? to('reorged', { block: null, blockHash: null }) : null
    case 'settled': {
      const found = { block: observation.receipt.block, blockHash: observation.receipt.blockHash, hash: observation.receipt.hash }
      if (observation.receipt.succeeded) return to('final', found)
      return { ...fail('The transaction was reverted.', false, observation.at), ...found }
    }
    case 'displaced':
      return to('replaced', { block: null, blockHash: null, failure: 'Another transaction of the same key used its nonce.' })
    case 'cancelled': {
      const found = { block: observation.receipt.block, blockHash: observation.receipt.blockHash, hash: observation.receipt.hash }
      // An excluded transaction gives no information about the validity of the call. So a new attempt follows, up to a maximum.
      const allowed = Math.max(maxCancelledAttempts, transaction.attempts - transaction.attempt + 1)
      if (transaction.attempt >= allowed) return to('failed_final', { ...found, failure: cancelledFailure })
      return to('replaced', {
        ...found,
        failure: cancelledFailure,
        retryAt: new Date(observation.at.getTime() + retryDelayMs(transaction.attempt)),
      })
    }
    case 'posted':
      return to('posted')
    case 'unproved':
      return fail('The node reports success, and the log of the escrow has no event of it.', false, observation.at)
    default:
      return observation satisfies never
  }
}

/** States in which the transaction still has to be processed. */
export const liveStates = ['intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged'] as const satisfies readonly TransferState[]

/** Whether it may still change the chain. */
export function isLiveTransaction(transaction: Pick<ChainTransaction, 'state'>): boolean {
  return liveStates.some((state) => state === transaction.state)
}

/** Whether a known block includes it. */
export function isMined(transaction: Pick<ChainTransaction, 'state'>): boolean {
  return transaction.state === 'seen' || transaction.state === 'final' || transaction.state === 'posted'
}

/** Required confirmations for this amount. */
export function requiredConfirmations(
  value: bigint,
  policy: { readonly confirmations: number; readonly depths: readonly Depth[] },
): number {
  return policy.depths.reduce((max, depth) => (value >= depth.from ? Math.max(max, depth.confirmations) : max), policy.confirmations)
}

/** Whether the block has enough confirmations. */
export function isConfirmed(block: number, head: number, confirmations: number): boolean {
  return head - block >= confirmations
}
