import { actingAs, type Context } from '../../context.ts'
import type { ChainReceipt } from '../../ports.ts'
import { clearAlarms, raiseAlarm } from '../alarms/operator-alarms.ts'
import { hitFailpoint } from '../chain-events/failpoint.ts'
import { type BroadcastResult, broadcastTransaction } from './broadcast-transaction.ts'
import { getFinalizedBlock } from './get-finalized-block.ts'
import { replaceTransaction } from './replace-transaction.ts'
import { signTransaction } from './sign-transaction.ts'
import { shouldCancelStuckNonce } from './stuck-nonce-policy.ts'
import {
  type ChainTransaction,
  isConfirmed,
  isLiveTransaction,
  isMined,
  requiredConfirmations,
  type SignedTransaction,
} from './transaction.ts'
import { listSignedTransactions, recordObservation } from './transaction-store.ts'

/** Advances one transaction as far as possible: sign, broadcast, find the receipt, await confirmations. */
export async function processTransaction(ctx: Context, transaction: ChainTransaction): Promise<ChainTransaction> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { rail } = system.ports
  let current = transaction
  if (current.state === 'intent' || current.state === 'rail_chosen') current = await signTransaction(system, current)
  if (!isLiveTransaction(current) || current.nonce === null) return current
  const candidates = await listSignedTransactions(system, current.id)
  let receipt = await findReceipt(system, candidates)
  if (isMined(current) && receipt?.blockHash !== current.blockHash) current = await recordObservation(system, current, { type: 'vanished' })
  if (!receipt) {
    const sent = await broadcastNewest(system, current, candidates)
    current = sent.transaction
    receipt = sent.receipt
  }
  if (!receipt || !isLiveTransaction(current)) return current
  await hitFailpoint(system, 'mined')
  current = await recordObservation(system, current, { type: 'mined', receipt })
  await hitFailpoint(system, 'seen')
  const head = await rail.head()
  if (!isConfirmed(receipt.block, head.number, requiredConfirmations(current.value, rail))) return current
  if (receipt.block > (await getFinalizedBlock(rail, head.number))) return current
  if ((await rail.blockHash(receipt.block)) !== receipt.blockHash || current.state !== 'seen') return current
  const isCancelled = (await listSignedTransactions(system, current.id)).some((one) => one.isCancel && one.hash === receipt.hash)
  current = await recordObservation(system, current, { type: isCancelled ? 'cancelled' : 'settled', receipt, at: system.clock.now() })
  await clearAlarms(system, ['stuck_nonce', 'fee_cap', 'transaction_cap'], { subject: current.key })
  await hitFailpoint(system, 'final')
  return current
}

type Sent = { readonly transaction: ChainTransaction; readonly receipt: ChainReceipt | null }

/** Broadcasts the newest signed transaction, and replaces it if the fee is too low. */
async function broadcastNewest(ctx: Context, transaction: ChainTransaction, candidates: readonly SignedTransaction[]): Promise<Sent> {
  const [newest] = candidates
  if (!newest) throw new Error(`transaction ${transaction.key} has a nonce and no bytes`)
  const answer = await broadcastTransaction(ctx, transaction.key, newest)
  await hitFailpoint(ctx, answer === 'known' || answer === 'nonce_used' ? answer : 'sent')
  const receipt = await findReceipt(ctx, candidates)
  if (receipt) return { transaction, receipt }
  if (answer === 'nonce_used') return { transaction: await markReplaced(ctx, transaction, candidates), receipt: null }
  if (answer === 'refused')
    ctx.log.warn({ event: 'transaction.broadcast_refused', key: transaction.key, hash: newest.hash }, 'The node refused a transaction.')
  const isTaken = answer === 'sent' || answer === 'known'
  const submitted = isTaken ? await recordObservation(ctx, transaction, { type: 'broadcast' }) : transaction
  const next = await decideReplacement(ctx, { ...submitted, hash: newest.hash }, candidates, answer)
  if (next === null) return { transaction: submitted, receipt: null }
  const replacement = await replaceTransaction(ctx, { ...submitted, hash: newest.hash }, next === 'cancel')
  if (!replacement) return { transaction: submitted, receipt: null }
  const second = await broadcastTransaction(ctx, submitted.key, replacement)
  const replaced = { ...submitted, hash: replacement.hash }
  if (second !== 'sent' && second !== 'known') return { transaction: replaced, receipt: null }
  const observed = await recordObservation(ctx, replaced, { type: 'broadcast' })
  return { transaction: observed, receipt: await findReceipt(ctx, [replacement, ...candidates]) }
}

/** Decides whether to broadcast a replacement: the same call with a higher fee, or a cancellation. Null: not yet. */
async function decideReplacement(
  ctx: Context,
  transaction: ChainTransaction,
  candidates: readonly SignedTransaction[],
  answer: BroadcastResult,
): Promise<'more' | 'cancel' | null> {
  const { cancelAfterMs, replaceAfterMs } = ctx.ports.rail
  const [newest] = candidates
  if (!newest) return null
  const now = ctx.clock.now()
  // A timestamp in the future comes from a process with a wrong clock. It counts as overdue.
  const isOverdue = Math.abs(now.getTime() - newest.createdAt.getTime()) >= replaceAfterMs
  const isAsked = transaction.cancelRequestedAt !== null
  if (!isOverdue && !isAsked && answer !== 'underpriced') return null
  const next = (isOverdue || isAsked) && (await isNextNonce(ctx, transaction))
  if (shouldCancelStuckNonce({ transaction, candidates, isNext: next, now, cancelAfterMs })) {
    await raiseAlarm(ctx, { kind: 'stuck_nonce', subject: transaction.key, facts: { nonce: transaction.nonce ?? 0, offers: newest.n } })
    return 'cancel'
  }
  if (answer !== 'underpriced' && !(isOverdue && next)) return null
  // A cancelled transaction stays cancelled: further replacements are cancellations, too.
  return newest.isCancel ? 'cancel' : 'more'
}

/** Finds the receipt of any replacement. The chain may include an older one than the newest. */
async function findReceipt(ctx: Context, candidates: readonly SignedTransaction[]): Promise<ChainReceipt | null> {
  for (const { hash } of candidates) {
    const receipt = await ctx.ports.rail.receipt(hash)
    if (receipt) return receipt
  }
  return null
}

/** Whether the chain expects this nonce next. A higher fee does not help a later nonce. */
async function isNextNonce(ctx: Context, transaction: ChainTransaction): Promise<boolean> {
  return (await ctx.ports.rail.chainNonce()) === transaction.nonce
}

/**
 * The node reports a used nonce but knows none of our transactions with it. A lagging node reports the same, and a reorganization
 * can undo it. So this checks the nonce count below the confirmation depth, and the receipts once more.
 */
async function markReplaced(
  ctx: Context,
  transaction: ChainTransaction,
  candidates: readonly SignedTransaction[],
): Promise<ChainTransaction> {
  const { rail } = ctx.ports
  const count = await rail.chainNonce(requiredConfirmations(transaction.value, rail))
  if (transaction.nonce === null || count <= transaction.nonce || (await findReceipt(ctx, candidates))) return transaction
  ctx.log.warn({ event: 'transaction.nonce_lost', key: transaction.key, nonce: transaction.nonce }, 'Another transaction used the nonce.')
  return recordObservation(ctx, transaction, { type: 'displaced' })
}
