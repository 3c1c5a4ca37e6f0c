import type { Context } from '../../context.ts'
import { raiseAlarm } from '../alarms/operator-alarms.ts'
import { broadcastTransaction } from './broadcast-transaction.ts'
import { replaceTransaction } from './replace-transaction.ts'
import { shouldFillNonce } from './stuck-nonce-policy.ts'
import { type ChainTransaction, liveStates } from './transaction.ts'
import { chainTransactionFromRow, listSignedTransactions } from './transaction-store.ts'

/** Maximum number of nonces to inspect per cycle, lowest first, because the chain includes them in this order. */
const maxRead = 200

/**
 * Fills nonce gaps after a chain reorganization. A reorganization can remove the transaction that used the nonce of an ended row.
 * That row is not sent again, so all transactions with higher nonces stay pending. A cancellation fills the gap: the row's effect
 * was abandoned, or a later attempt carries it. Raises the alarm `stuck_nonce` for each gap.
 * @returns the keys of the rows whose nonces are unused
 */
export async function fillNonceGaps(ctx: Context): Promise<string[]> {
  const own = { chainId: ctx.market.chainId, sender: ctx.ports.rail.sender }
  const isWaiting = { ...own, state: { in: [...liveStates] } }
  const { _max: highest } = await ctx.db.chainTransaction.aggregate({ where: isWaiting, _max: { nonce: true } })
  if (highest.nonce === null) return []
  const counts = { count: await ctx.ports.rail.chainNonce(), highest: highest.nonce }
  const near = { ...own, nonce: { gte: counts.count, lt: counts.highest } }
  const rows = await ctx.db.chainTransaction.findMany({ where: near, orderBy: { nonce: 'asc' }, take: maxRead })
  const freed = rows.map(chainTransactionFromRow).filter((one) => shouldFillNonce(one, counts))
  const filled: string[] = []
  for (const one of freed) if (await fillGap(ctx, one)) filled.push(one.key)
  return filled
}

/** False if the chain has included one of its transactions. Then the node only reports an outdated nonce count. */
async function fillGap(ctx: Context, transaction: ChainTransaction): Promise<boolean> {
  const { rail } = ctx.ports
  const candidates = await listSignedTransactions(ctx, transaction.id)
  for (const { hash } of candidates) if (await rail.receipt(hash)) return false
  const [newest] = candidates
  if (!newest) return false
  const facts = { nonce: transaction.nonce ?? 0, offers: newest.n }
  await raiseAlarm(ctx, { kind: 'stuck_nonce', subject: transaction.key, facts })
  const answer = newest.isCancel ? await broadcastTransaction(ctx, transaction.key, newest) : 'underpriced'
  const ageMs = Math.abs(ctx.clock.now().getTime() - newest.createdAt.getTime())
  if (answer !== 'underpriced' && ageMs < rail.replaceAfterMs) return true
  const next = await replaceTransaction(ctx, { ...transaction, hash: newest.hash }, true)
  if (next) await broadcastTransaction(ctx, transaction.key, next)
  return true
}
