import type { Context } from '../context.ts'
import { runReconciliation } from '../settlement/index.ts'

/**
 * Runs the reconciliation, logs its result, and stores it for the operators' page. Repairs nothing. `full`: also compares what agreed
 * before.
 */
export async function reconcileLedgerAndLog(ctx: Context, mode: 'full' | 'incremental' = 'incremental'): Promise<void> {
  try {
    const { isBalanced, onlyLedger, onlyChain, onlyStripe, differing, stripeDiffering, heldDiffering } = await runReconciliation(ctx, {
      mode,
    })
    const lists = { onlyLedger, onlyChain, onlyStripe, differing, stripeDiffering, heldDiffering }
    const found = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length]))
    if (isBalanced) ctx.log.info({ event: 'reconciliation.completed', mode }, 'The reconciliation found no difference.')
    else ctx.log.error({ event: 'reconciliation.differences_found', mode, ...found }, 'The reconciliation found differences.')
  } catch (error) {
    ctx.log.warn({ event: 'reconciliation.failed', err: error }, 'The reconciliation failed.')
  }
}
