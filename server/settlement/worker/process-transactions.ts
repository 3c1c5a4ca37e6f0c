import type { Context } from '../../context.ts'
import { DomainError } from '../../errors.ts'
import { fillNonceGaps } from '../chain/fill-nonce-gaps.ts'
import { processTransaction } from '../chain/process-transaction.ts'
import { liveStates } from '../chain/transaction.ts'
import { readTransaction } from '../chain/transaction-store.ts'
import { verifyNetwork } from '../chain/verify-network.ts'
import { clearAlarms, listAlarms, raiseAlarmForError } from '../events/alarm.ts'
import { postTransactions } from '../indexer/post-transactions.ts'
import { submitDueActions } from './submit-due-actions.ts'

/**
 * Fills nonces that a chain rewrite has freed, brings every live transaction on (sends its bytes, again if need be, and notes what the chain made of them), then begins
 * what is wanted and was never begun. Called at start and again and again: all that a process left undone is found here.
 * Any number of processes may do it at once, and any of them may die anywhere in it.
 * @returns what kept single transactions from being brought on; none of it has kept another
 */
export async function processTransactions(ctx: Context): Promise<unknown[]> {
  await verifyNetwork(ctx)
  const freed = await fillNonceGaps(ctx)
  const rows = await ctx.db.chainTransaction.findMany({
    where: { chainId: ctx.market.chainId, sender: ctx.ports.rail.sender, state: { in: [...liveStates] } },
    // Those with a nonce in its order, then those that get one.
    orderBy: [{ nonce: { sort: 'asc', nulls: 'last' } }, { createdAt: 'asc' }],
    take: 200,
  })
  const troubles: unknown[] = []
  for (const row of rows) {
    try {
      await processTransaction(ctx, readTransaction(row))
    } catch (error) {
      if (await stopsAllTransactions(ctx, error)) throw error
      await raiseAlarmForError(ctx, error)
      troubles.push(error)
    }
  }
  await clearAlarmsOfEnded(ctx, freed)
  await postTransactions(ctx)
  await submitDueActions(ctx)
  return troubles
}

/** Nodes that contradict each other or a node that is away stop all transactions; any other error stops its own alone. */
async function stopsAllTransactions(ctx: Context, error: unknown): Promise<boolean> {
  if (!(error instanceof DomainError)) return false
  if (error.code !== 'hold.chain_unavailable') return error.code === 'hold.chain_inconsistent' || error.code === 'server.unavailable'
  return ctx.ports.rail.head().then(
    () => false,
    () => true,
  )
}

/**
 * Alarms about single transactions end with them: who noted the end may have died before it could say so. `freed`: ended ones
 * whose nonces are free again.
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
