import type { Context } from '../../context.ts'
import { clearAlarms, raiseAlarmForError } from '../events/alarm.ts'
import { indexEvents } from '../indexer/index-events.ts'
import { postTransactions } from '../indexer/post-transactions.ts'
import { isIdle } from './is-idle.ts'
import { processTransactions } from './process-transactions.ts'

/** Everything that money needs to arrive, once round: what is begun is brought on, and what the chain says is read. */
export async function runSettlementCycle(ctx: Context): Promise<void> {
  const begunAt = ctx.clock.now()
  try {
    if (await isIdle(ctx)) return
    // Two nodes have to tell the same of what has happened before anything more does.
    if (ctx.ports.rail.nodes > 1) await indexEvents(ctx)
    const troubles = await processTransactions(ctx)
    await indexEvents(ctx)
    await postTransactions(ctx)
    if (troubles.length > 0) throw troubles[0]
    await clearAlarms(ctx, ['nodes_disagree'], { before: begunAt })
  } catch (error) {
    await raiseAlarmForError(ctx, error)
    throw error
  }
}
