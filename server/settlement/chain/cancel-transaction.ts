import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { requireOperator } from '../../policy/index.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { transactionNotCancellable, transactionNotFound } from '../errors.ts'
import { isMined } from './transaction.ts'
import { chainTransactionFromRow } from './transaction-store.ts'

export type CancelTransaction = { readonly transaction_id: string }

/**
 * An operator cancels a stuck transaction. The next cycle broadcasts a cancellation with the same nonce and creates a new attempt
 * with another nonce. Whichever of the two the chain includes counts. Idempotent.
 * @throws permission.denied for all but operators; hold.not_found; hold.wrong_state if it has no nonce, is mined or has ended
 */
export async function cancelTransaction(ctx: Context, input: CancelTransaction): Promise<{ transaction_id: string; state: string }> {
  requireOperator(ctx, 'settlement.cancel')
  const id = input.transaction_id
  return inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "chain_transaction" where "id" = ${id} for update`
    const row = await tx.db.chainTransaction.findUnique({ where: { id } })
    if (!row || row.chainId !== tx.market.chainId) throw transactionNotFound(id)
    const transaction = chainTransactionFromRow(row)
    const { state, key, nonce, cancelRequestedAt } = transaction
    const isWaiting = state === 'prepared' || state === 'submitted' || state === 'reorged'
    if (nonce === null || isMined(transaction) || !isWaiting) throw transactionNotCancellable(state)
    if (cancelRequestedAt !== null) return { transaction_id: id, state }
    await tx.db.chainTransaction.update({ where: { id }, data: { cancelRequestedAt: tx.clock.now() } })
    await appendAudit(tx, {
      stream: row.goalId === null ? `transaction:${id}` : holdAuditStreamName(row.goalId),
      action: 'settlement.cancel',
      before: { state },
      after: { state, key, nonce },
    })
    return { transaction_id: id, state }
  })
}
