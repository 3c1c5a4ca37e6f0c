import { canFollow, type TransferState, transferTransitions } from '@parley/protocol'
import type { ChainReceipt } from '../ports.ts'

/** What a transaction of ours is for. */
export type Purpose = 'fund' | 'seal' | 'settle' | 'reclaim' | 'faucet'

export type ChainTransaction = {
  readonly id: string
  readonly key: string
  readonly purpose: Purpose
  readonly goalId: string | null
  readonly nonce: number
  readonly raw: `0x${string}`
  readonly hash: `0x${string}`
  readonly state: TransferState
  readonly block: number | null
  readonly blockHash: string | null
  readonly failure: string | null
}

/** What we have learnt about it from the node. */
export type Sighting =
  | { readonly type: 'broadcast' }
  | { readonly type: 'mined'; readonly receipt: ChainReceipt }
  | { readonly type: 'vanished' }
  | { readonly type: 'settled'; readonly receipt: ChainReceipt }
  | { readonly type: 'displaced' }

/** The columns that change, or null where nothing does. Final and reverted ones never change again. */
export function advanceTransaction(
  transaction: ChainTransaction,
  sighting: Sighting,
): Pick<ChainTransaction, 'state' | 'block' | 'blockHash' | 'failure'> | null {
  const { state, block, blockHash, failure } = transaction
  const to = (next: TransferState, columns: { block: number | null; blockHash: string | null; failure: string | null }) => {
    if (!canFollow(transferTransitions, state, next)) throw new Error(`transaction ${transaction.hash} can't go from ${state} to ${next}`)
    return { state: next, ...columns }
  }
  switch (sighting.type) {
    case 'broadcast':
      return state === 'prepared' ? to('submitted', { block, blockHash, failure }) : null
    case 'mined':
      if (state === 'seen' && blockHash === sighting.receipt.blockHash) return null
      if (state === 'seen') return { state, block: sighting.receipt.block, blockHash: sighting.receipt.blockHash, failure }
      return to('seen', { block: sighting.receipt.block, blockHash: sighting.receipt.blockHash, failure })
    case 'vanished':
      return state === 'seen' ? to('submitted', { block: null, blockHash: null, failure }) : null
    case 'settled':
      return to(sighting.receipt.succeeded ? 'final' : 'reverted', {
        block: sighting.receipt.block,
        blockHash: sighting.receipt.blockHash,
        failure: sighting.receipt.succeeded ? null : 'The chain executed it and took its effect back.',
      })
    case 'displaced':
      return to('reverted', { block: null, blockHash: null, failure: 'Another transaction of the same key took its nonce.' })
    default:
      return sighting satisfies never
  }
}

/** Whether it may still change the chain. */
export function isLive(transaction: Pick<ChainTransaction, 'state'>): boolean {
  return transaction.state === 'prepared' || transaction.state === 'submitted' || transaction.state === 'seen'
}

/** The key of the n-th attempt at one purpose: the purpose's own key, then `…#2`. */
export function attemptKey(key: string, attempt: number): string {
  return attempt === 1 ? key : `${key}#${attempt}`
}

/** Whether enough blocks stand on top of it. */
export function isBuried(block: number, head: number, confirmations: number): boolean {
  return head - block >= confirmations
}
