import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import type { SettleCall } from '../../ports.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { type ExternalReads, recordReads } from '../chain/restartable-database-transaction.ts'
import { isLiveTransaction } from '../chain/transaction.ts'
import { findFrozenSince } from '../chain-events/frozen-subjects.ts'
import { requireEscrowHold } from '../holds/hold.ts'
import { loadHold, lockHold } from '../holds/hold-store.ts'
import { countEntries, settlementGas } from '../rails/max-transaction-gas.ts'
import { type BatchMember, groupSettlementsIntoBatches, maxBatchSize, maxBatchSizeAfter } from './group-settlements-into-batches.ts'
import { buildSettlement, lockDueSettlement, submitSettlement } from './submit-settlement.ts'
import { submitTransaction } from './submit-transaction.ts'

type DueSettlement = BatchMember & { readonly call: SettleCall }

/**
 * Settles several goals in batches: one for sealed charters, one for charters sealed with their settlement. The escrow isolates
 * each item, so a failing one is retried alone and delays no other.
 */
export async function submitSettlementBatches(ctx: Context, goalIds: readonly string[]): Promise<void> {
  const answers: ExternalReads = new Map()
  const failures: unknown[] = []
  const due = await findDue(recordReads(ctx, answers), goalIds, failures)
  // No batch carries halves.
  for (const one of due.filter(({ call }) => call.isHalf)) await settleBatch(ctx, [one], { answers, failures })
  for (const isSealed of [true, false])
    for (const batch of groupSettlementsIntoBatches(due.filter(({ call }) => !call.isHalf && isCharterOnChain(call) === isSealed)))
      await settleBatch(ctx, batch, { answers, failures })
  if (failures.length > 0) throw failures[0]
}

/** Builds each goal's settlement call. Queries the node, so it holds no locks. */
async function findDue(ctx: Context, goalIds: readonly string[], failures: unknown[]): Promise<DueSettlement[]> {
  const due: DueSettlement[] = []
  for (const goalId of goalIds) {
    try {
      const call = (await findFrozenSince(ctx, { goalId }))
        ? null
        : await buildSettlement(ctx, requireEscrowHold(await loadHold(ctx, goalId)))
      if (!call) continue
      const gas = settlementGas(countEntries(call.charter), !isCharterOnChain(call))
      due.push({ goalId, call, gas, maxBatch: await maxBatchSizeFor(ctx, goalId) })
    } catch (error) {
      if (isOutage(error)) throw error
      failures.push(error)
    }
  }
  return due
}

/** Maximum batch size of a goal after its earlier batches. */
async function maxBatchSizeFor(ctx: Context, goalId: string): Promise<number> {
  const own = await ctx.db.batchedSettlement.findMany({ where: { goalId }, select: { transactionId: true } })
  const ids = own.map((one) => one.transactionId)
  if (ids.length === 0) return maxBatchSize
  const rows = await ctx.db.chainTransaction.findMany({ where: { id: { in: ids } }, select: { id: true, state: true } })
  const sizes = await ctx.db.batchedSettlement.groupBy({ by: ['transactionId'], where: { transactionId: { in: ids } }, _count: true })
  return maxBatchSizeAfter(
    rows.map(({ id, state }) => ({
      size: sizes.find(({ transactionId }) => transactionId === id)?._count ?? 1,
      succeeded: state === 'final' || state === 'posted',
    })),
  )
}

type Round = { readonly answers: ExternalReads; readonly failures: unknown[] }

/** Splits a batch that could not be prepared: the signer may be too slow for all, or one item may be the cause. */
async function settleBatch(ctx: Context, batch: readonly DueSettlement[], round: Round): Promise<void> {
  const [first] = batch
  if (!first) return
  try {
    if (batch.length === 1) await submitSettlement(ctx, first.goalId, round.answers)
    else await submitBatch(ctx, batch, round.answers)
  } catch (error) {
    // A single signature failed, too, so the signer is down.
    const isSignerAway = batch.length === 1 && error instanceof DomainError && error.code === 'hold.signer_unavailable'
    if (isOutage(error) || isSignerAway) throw error
    if (batch.length === 1) {
      round.failures.push(error)
      return
    }
    ctx.log.warn(
      { event: 'settlement.batch_split', goals: batch.length, err: error },
      'A batch of settlements was not prepared, so it is split in half.',
    )
    const half = Math.ceil(batch.length / 2)
    await settleBatch(ctx, batch.slice(0, half), round)
    await settleBatch(ctx, batch.slice(half), round)
  }
}

/** Signs without locks, then decides again under the locks. Omits goals that are no longer due or were frozen. */
async function submitBatch(ctx: Context, batch: readonly DueSettlement[], answers: ExternalReads): Promise<void> {
  const [first] = batch
  const isSealed = first !== undefined && isCharterOnChain(first.call)
  // A fixed lock order prevents deadlocks between batches.
  const members = [...batch].sort((a, b) => (a.goalId < b.goalId ? -1 : 1))
  await submitTransaction(
    ctx,
    async (tx) => {
      const due: { goalId: string; call: SettleCall }[] = []
      for (const { goalId, maxBatch } of members) {
        const call = await lockDueSettlement(tx, goalId)
        // Failed in another batch in the meantime. The next cycle uses a smaller one.
        const isTried = (await maxBatchSizeFor(tx, goalId)) !== maxBatch
        if (call && !call.isHalf && isCharterOnChain(call) === isSealed && !isTried && !(await findFrozenSince(tx, { goalId })))
          due.push({ goalId, call })
      }
      if (due.length === 0) return null
      let value = 0n
      for (const { goalId } of due) value += (await lockHold(tx, goalId)).terms.total
      const prepared = await createTransactionIntent(tx, {
        key: `settle-batch:${tx.ids.uuid()}`,
        purpose: 'settle',
        goalId: null,
        members: due.map(({ goalId }) => goalId),
        call: { kind: 'settleMany', settlements: due.map(({ call }) => call) },
        attempts: 1,
        value,
      })
      return 'transaction' in prepared && isLiveTransaction(prepared.transaction) ? prepared.transaction : null
    },
    answers,
  )
}

/** Whether the charter is already on chain. Otherwise it is sealed with the settlement. */
function isCharterOnChain({ authorization }: SettleCall): boolean {
  return authorization === undefined
}

/** An outage of the node or the database, which a smaller batch cannot avoid. */
function isOutage(error: unknown): boolean {
  const codes = ['hold.chain_unavailable', 'hold.chain_inconsistent', 'server.unavailable']
  return error instanceof DomainError && codes.includes(error.code)
}
