import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { operatorsOnly, transactionNotCancellable, transactionNotFound } from '../errors.ts'
import { holdAuditStream } from '../events/audit-stream.ts'
import { isMined } from './transaction.ts'
import { readTransaction } from './transaction-store.ts'

export type CancelTransaction = { readonly transaction_id: string }

/**
 * An operator's word that a transaction of ours keeps others waiting for nothing. The next round uses up its nonce by a
 * transaction that does nothing, and asks for its effect again under another nonce; whichever of the two the chain takes
 * counts. Repeating it changes nothing.
 * @throws permission.denied for anybody else; hold.not_found; hold.wrong_state for one without a nonce, or that is mined or over
 */
export async function cancelTransaction(ctx: Context, input: CancelTransaction): Promise<{ transaction_id: string; state: string }> {
  const { actor } = ctx
  if (actor.kind !== 'system' && !(actor.kind === 'person' && actor.isOperator)) throw operatorsOnly('settlement.cancel')
  const id = input.transaction_id
  return inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "chain_transaction" where "id" = ${id} for update`
    const row = await tx.db.chainTransaction.findUnique({ where: { id } })
    if (!row || row.chainId !== tx.market.chainId) throw transactionNotFound(id)
    const transaction = readTransaction(row)
    const { state, key, nonce, cancelAskedAt } = transaction
    const isWaiting = state === 'prepared' || state === 'submitted' || state === 'reorged'
    if (nonce === null || isMined(transaction) || !isWaiting) throw transactionNotCancellable(state)
    if (cancelAskedAt !== null) return { transaction_id: id, state }
    await tx.db.chainTransaction.update({ where: { id }, data: { cancelAskedAt: tx.clock.now() } })
    await appendAudit(tx, {
      chain: row.goalId === null ? `transaction:${id}` : holdAuditStream(row.goalId),
      action: 'settlement.cancel',
      before: { state },
      after: { state, key, nonce },
    })
    return { transaction_id: id, state }
  })
}
