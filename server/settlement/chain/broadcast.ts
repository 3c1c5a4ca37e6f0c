import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import type { SignedTransaction } from './transaction.ts'

/** `unclear`: the node gave no answer that says anything about the bytes. */
export type BroadcastResult = Awaited<ReturnType<Context['ports']['rail']['broadcast']>> | 'unclear'

/**
 * Hands bytes to the node. An error never ends the caller's work: otherwise bytes that the node never takes would keep their nonce from
 * being given up, and with it all that waits behind. A node that is away fails the next question, too.
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
    ctx.log.warn({ key, hash, err: error }, 'the node gave no clear answer to a transaction')
    return 'unclear'
  }
}
