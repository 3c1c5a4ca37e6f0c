import type { ChainCandidate, ChainTransaction as Row } from '../../../prisma/client/client.ts'
import { actingAs, type Context } from '../../context.ts'
import type { EscrowCall } from '../../ports.ts'
import { advanceTransaction, type Candidate, type ChainTransaction, type Purpose, type Sighting, type StoredCall } from './transaction.ts'

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
export async function listCandidates(ctx: Context, transactionId: string): Promise<Candidate[]> {
  const rows = await ctx.db.chainCandidate.findMany({ where: { transactionId }, orderBy: { n: 'desc' } })
  return rows.map(readCandidate)
}

export function readCandidate(row: ChainCandidate): Candidate {
  const { n, isCancel, maxFeePerGas, maxPriorityFeePerGas, createdAt } = row
  return { hash: row.hash as Hex, raw: row.raw as Hex, n, isCancel, maxFeePerGas, maxPriorityFeePerGas, createdAt }
}

/** What every candidate of it calls that does not cancel it. */
export async function readCall(ctx: Context, transactionId: string): Promise<StoredCall> {
  const row = await ctx.db.chainTransaction.findUniqueOrThrow({ where: { id: transactionId } })
  if (row.callTo === null || row.callData === null) return null
  return { to: row.callTo as Hex, data: row.callData as Hex, value: row.callWei, gas: row.callGas }
}

/** The wish as JSON, for people to read: bigints as decimal strings. */
export function writeWish(call: EscrowCall): object {
  return JSON.parse(JSON.stringify(call, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))) as object
}

/** Writes what was learnt. Where another process was faster, it is what that one wrote that is brought on. */
export async function noteSighting(ctx: Context, transaction: ChainTransaction, sighting: Sighting): Promise<ChainTransaction> {
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
  return current.state === transaction.state ? noteSighting(ctx, current, sighting) : current
}
