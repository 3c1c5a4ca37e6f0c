import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { clearAlarms, listAlarms, raiseAlarmForError } from '../alarms/operator-alarms.ts'
import { fillNonceGaps } from '../chain/fill-nonce-gaps.ts'
import { processTransaction } from '../chain/process-transaction.ts'
import { liveStates } from '../chain/transaction.ts'
import { chainTransactionFromRow } from '../chain/transaction-store.ts'
import { verifyNetwork } from '../chain/verify-network.ts'
import { verifyTransactionEffects } from '../indexer/verify-transaction-effects.ts'
import { submitDueHoldActions } from './submit-due-hold-actions.ts'

/**
 * Processes all pending transactions: fills nonce gaps after reorganizations, broadcasts and observes pending transactions, then
 * submits due actions. Runs at start and in every cycle, so it recovers everything after a crash. Safe with concurrent processes.
 * @returns the errors of single transactions; none of them affected others
 */
export async function runTransactionRound(ctx: Context): Promise<unknown[]> {
  await verifyNetwork(ctx)
  const freed = await fillNonceGaps(ctx)
  const rows = await ctx.db.chainTransaction.findMany({
    where: { chainId: ctx.market.chainId, sender: ctx.ports.rail.sender, state: { in: [...liveStates] } },
    // By nonce, then those without one.
    orderBy: [{ nonce: { sort: 'asc', nulls: 'last' } }, { createdAt: 'asc' }],
    take: 200,
  })
  const errors: unknown[] = []
  for (const row of rows) {
    try {
      await processTransaction(ctx, chainTransactionFromRow(row))
    } catch (error) {
      if (await stopsAllTransactions(ctx, error)) throw error
      await raiseAlarmForError(ctx, error)
      errors.push(error)
    }
  }
  await clearAlarmsOfEnded(ctx, freed)
  await verifyTransactionEffects(ctx)
  await submitDueHoldActions(ctx)
  return errors
}

/** An unreachable node, or two that disagree, stop all transactions. Other errors concern one transaction. */
async function stopsAllTransactions(ctx: Context, error: unknown): Promise<boolean> {
  if (!(error instanceof DomainError)) return false
  if (error.code !== 'hold.chain_unavailable') return error.code === 'hold.chain_inconsistent' || error.code === 'server.unavailable'
  return ctx.ports.rail.head().then(
    () => false,
    () => true,
  )
}

/**
 * Clears alarms of ended transactions, in case a process crashed before it could. `freed`: keys of ended transactions with nonce
 * gaps.
 */
async function clearAlarmsOfEnded(ctx: Context, freed: readonly string[]): Promise<void> {
  const kinds = ['stuck_nonce', 'fee_cap', 'transaction_cap'] as const
  const raised = (await listAlarms(ctx)).filter((alarm) => kinds.some((kind) => kind === alarm.kind))
  const subjects = raised.map((alarm) => alarm.subject)
  const where = { chainId: ctx.market.chainId, key: { in: subjects }, state: { in: [...liveStates] } }
  const rows = await ctx.db.chainTransaction.findMany({ where, select: { key: true } })
  const live = new Set([...rows.map(({ key }) => key), ...freed])
  for (const subject of new Set(subjects)) if (!live.has(subject)) await clearAlarms(ctx, kinds, { subject })
}
