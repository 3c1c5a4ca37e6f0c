import type { TransferState } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { budgetFacts, loadFeeBudget, raiseFeeAlarm } from './fee-budget.ts'
import { bumpFees, maxReplacements } from './gas-fees.ts'
import { type ChainTransaction, isLiveTransaction, type SignedTransaction } from './transaction.ts'
import { listSignedTransactions, loadCall, lockTransaction, saveSignedTransaction } from './transaction-store.ts'

/**
 * Creates a replacement transaction with the same nonce and a higher fee: the same call, or a cancellation (`isCancel`). Stores it
 * beside the earlier ones; the chain includes one of them. Null if the fee limits do not allow it.
 */
export async function replaceTransaction(
  ctx: Context,
  transaction: ChainTransaction,
  isCancel: boolean,
): Promise<SignedTransaction | null> {
  const { rail } = ctx.ports
  const [newest] = await listSignedTransactions(ctx, transaction.id)
  const call = isCancel ? await rail.cancellation() : await loadCall(ctx, transaction.id)
  if (transaction.nonce === null || call === null || newest === undefined) return null
  // Another process has already replaced it.
  if (newest.hash !== transaction.hash) return newest
  const [market, budget] = await Promise.all([rail.fees(), loadFeeBudget(ctx, call)])
  const fees = bumpFees(newest, market, budget, isCancel ? 2 * maxReplacements : maxReplacements)
  if (fees === 'exhausted') return null
  if (typeof fees === 'string') {
    await raiseFeeAlarm(ctx, transaction, fees, { base_fee_per_gas: market.baseFeePerGas.toString(), ...budgetFacts(budget) })
    return null
  }
  const { raw, hash } = await rail.sign(call, transaction.nonce, fees)
  const candidate = { raw, hash, n: newest.n + 1, isCancel, ...fees }
  return inTransaction(ctx, async (tx) => {
    const { state, nonce } = await lockTransaction(tx, transaction.id)
    const [now = newest] = await listSignedTransactions(tx, transaction.id)
    if (nonce === null || !mayReplace(state, isCancel)) return null
    if (now.hash !== newest.hash) return now
    await saveSignedTransaction(tx, transaction.id, nonce, candidate)
    if (isLiveTransaction({ state })) await tx.db.chainTransaction.update({ where: { id: transaction.id }, data: { hash } })
    const facts = { key: transaction.key, nonce, n: candidate.n, maxFeePerGas: fees.maxFeePerGas }
    if (isCancel)
      tx.log.warn({ event: 'transaction.cancelled', ...facts }, 'A transaction was replaced by an empty one with the same nonce.')
    else tx.log.info({ event: 'transaction.replaced', ...facts }, 'A transaction was replaced by one with a higher fee.')
    return { ...candidate, createdAt: tx.clock.now() }
  })
}

/** An ended transaction may only be cancelled, because its effect was abandoned or another attempt carries it. */
function mayReplace(state: TransferState, isCancel: boolean): boolean {
  if (!isLiveTransaction({ state })) return isCancel
  return state === 'prepared' || state === 'submitted' || state === 'reorged'
}
