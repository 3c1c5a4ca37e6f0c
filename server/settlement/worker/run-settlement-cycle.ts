import type { Context } from '../../context.ts'
import { clearAlarms, raiseAlarmForError } from '../alarms/operator-alarms.ts'
import { indexEvents } from '../indexer/index-events.ts'
import { verifyTransactionEffects } from '../indexer/verify-transaction-effects.ts'
import { isSettlementIdle } from './is-settlement-idle.ts'
import { runTransactionRound } from './run-transaction-round.ts'

/** One settlement cycle: processes pending transactions, indexes events and posts results. Recovers everything after a crash. */
export async function runSettlementCycle(ctx: Context): Promise<void> {
  const begunAt = ctx.clock.now()
  try {
    if (await isSettlementIdle(ctx)) return
    // With two nodes, both must agree on past events before new transactions.
    if (ctx.ports.rail.nodes > 1) await indexEvents(ctx)
    const errors = await runTransactionRound(ctx)
    await indexEvents(ctx)
    await verifyTransactionEffects(ctx)
    if (errors.length > 0) throw errors[0]
    await clearAlarms(ctx, ['nodes_disagree'], { before: begunAt })
  } catch (error) {
    await raiseAlarmForError(ctx, error)
    throw error
  }
}
