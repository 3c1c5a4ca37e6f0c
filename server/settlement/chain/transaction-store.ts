import type { ChainTransaction as Row, SignedTransaction as SignedTransactionRow } from '../../../prisma/client/client.ts'
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

/** The values were validated before they were written. */
type Hex = `0x${string}`

export function chainTransactionFromRow(row: Row): ChainTransaction {
  const { id, key, goalId, value, attempt, attempts, nonce, state, block, blockHash, failure, retryAt, reopenedAt, cancelRequestedAt } = row
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
    cancelRequestedAt,
  }
}

/** All signed transactions that may have been sent, newest first. */
export async function listSignedTransactions(ctx: Context, transactionId: string): Promise<SignedTransaction[]> {
  const rows = await ctx.db.signedTransaction.findMany({ where: { transactionId }, orderBy: { n: 'desc' } })
  return rows.map(signedTransactionFromRow)
}

export function signedTransactionFromRow(row: SignedTransactionRow): SignedTransaction {
  const { n, isCancel, maxFeePerGas, maxPriorityFeePerGas, createdAt } = row
  return { hash: row.hash as Hex, raw: row.raw as Hex, n, isCancel, maxFeePerGas, maxPriorityFeePerGas, createdAt }
}

/** The call of all its signed transactions, except cancellations. */
export async function loadCall(ctx: Context, transactionId: string): Promise<StoredCall> {
  const row = await ctx.db.chainTransaction.findUniqueOrThrow({ where: { id: transactionId } })
  if (row.callTo === null || row.callData === null) return null
  return { to: row.callTo as Hex, data: row.callData as Hex, value: row.callWei, gas: row.callGas }
}

/** The intent as JSON for human readers: bigints as decimal strings. */
export function serializeCall(call: EscrowCall): object {
  return JSON.parse(JSON.stringify(call, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))) as object
}

/** Stores an observation by compare-and-swap on state and block. If another process was faster, continues with its result. */
export async function recordObservation(
  ctx: Context,
  transaction: ChainTransaction,
  observation: ChainObservation,
): Promise<ChainTransaction> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const change = advanceTransaction(transaction, observation)
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
  const current = chainTransactionFromRow(await system.db.chainTransaction.findUniqueOrThrow({ where: { id: transaction.id } }))
  if (count === 1) return current
  // If the state changed in the meantime, this observation no longer applies.
  return current.state === transaction.state ? recordObservation(ctx, current, observation) : current
}

export async function saveSignedTransaction(
  tx: Context,
  transactionId: string,
  nonce: number,
  candidate: Omit<SignedTransaction, 'createdAt'>,
): Promise<void> {
  await tx.db.signedTransaction.create({ data: { ...candidate, transactionId, nonce, createdAt: tx.clock.now() } })
}

/** Locks the row until the database transaction ends. */
export async function lockTransaction(tx: Context, id: string): Promise<ChainTransaction> {
  await tx.db.$queryRaw`select 1 from "chain_transaction" where "id" = ${id} for update`
  return chainTransactionFromRow(await tx.db.chainTransaction.findUniqueOrThrow({ where: { id } }))
}
