import type { ChainCandidate, ChainTransaction as Row } from '../../../prisma/client/client.ts'
import { actingAs, type Context } from '../../context.ts'
import type { EscrowCall } from '../../ports.ts'
import {
  advanceTransaction,
  type ChainObservation,
  type ChainTransaction,
  type Purpose,
  type SignedTransaction,
  type StoredCall,
} from './transaction.ts'

/** Rows hold what was checked on its way in. */
type Hex = `0x${string}`

export function readTransaction(row: Row): ChainTransaction {
  const { id, key, goalId, value, attempt, attempts, nonce, state, block, blockHash, failure, retryAt, reopenedAt, cancelAskedAt } = row
  return {
    id,
    key,
    purpose: row.purpose as Purpose,
    goalId,
    value,
    attempt,
    attempts,
    nonce,
    hash: row.hash as Hex | null,
    state,
    block,
    blockHash,
    failure,
    retryAt,
    reopenedAt,
    cancelAskedAt,
  }
}

/** Everything that may have been sent for it, newest first. */
export async function listSignedTransactions(ctx: Context, transactionId: string): Promise<SignedTransaction[]> {
  const rows = await ctx.db.chainCandidate.findMany({ where: { transactionId }, orderBy: { n: 'desc' } })
  return rows.map(readSignedTransaction)
}

export function readSignedTransaction(row: ChainCandidate): SignedTransaction {
  const { n, isCancel, maxFeePerGas, maxPriorityFeePerGas, createdAt } = row
  return { hash: row.hash as Hex, raw: row.raw as Hex, n, isCancel, maxFeePerGas, maxPriorityFeePerGas, createdAt }
}

/** What every candidate of it calls that does not cancel it. */
export async function loadCall(ctx: Context, transactionId: string): Promise<StoredCall> {
  const row = await ctx.db.chainTransaction.findUniqueOrThrow({ where: { id: transactionId } })
  if (row.callTo === null || row.callData === null) return null
  return { to: row.callTo as Hex, data: row.callData as Hex, value: row.callWei, gas: row.callGas }
}

/** The wish as JSON, for people to read: bigints as decimal strings. */
export function serializeCall(call: EscrowCall): object {
  return JSON.parse(JSON.stringify(call, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))) as object
}

/** Writes what was learnt. Where another process was faster, it is what that one wrote that is brought on. */
export async function recordObservation(
  ctx: Context,
  transaction: ChainTransaction,
  sighting: ChainObservation,
): Promise<ChainTransaction> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const change = advanceTransaction(transaction, sighting)
  if (!change) return transaction
  const now = ctx.clock.now()
  const { count } = await system.db.chainTransaction.updateMany({
    where: { id: transaction.id, state: transaction.state, blockHash: transaction.blockHash },
    data: {
      ...change,
      ...(change.state === 'submitted' ? { submittedAt: now } : {}),
      ...(change.state === 'final' ? { finalAt: now } : {}),
      ...(change.state === 'posted' ? { postedAt: now } : {}),
    },
  })
  const current = readTransaction(await system.db.chainTransaction.findUniqueOrThrow({ where: { id: transaction.id } }))
  if (count === 1) return current
  // What it has become meanwhile is no place for this sighting any more, or it is one to bring on from.
  return current.state === transaction.state ? recordObservation(ctx, current, sighting) : current
}
