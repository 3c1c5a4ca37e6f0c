import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import type { SignedTransaction } from './transaction.ts'

/** `unclear`: the node did not state whether it accepted the transaction. */
export type BroadcastResult = Awaited<ReturnType<Context['ports']['rail']['broadcast']>> | 'unclear'

/**
 * Broadcasts a signed transaction. A refusal is returned, not thrown. Otherwise a transaction that the node never accepts would
 * keep its nonce from being cancelled and would block all later nonces. If the node is down, the next query fails as well.
 */
export async function broadcastTransaction(
  ctx: Context,
  key: string,
  { raw, hash }: Pick<SignedTransaction, 'raw' | 'hash'>,
): Promise<BroadcastResult> {
  try {
    return await ctx.ports.rail.broadcast(raw)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    ctx.log.warn({ event: 'transaction.broadcast_unclear', key, hash, err: error }, 'The answer of the node to a transaction is unclear.')
    return 'unclear'
  }
}
