import type { Context } from '../../context.ts'
import { clearAlarms, raiseAlarmOf } from '../events/alarm.ts'
import { readChain } from '../indexer/index-events.ts'
import { postTransactions } from '../indexer/post-transactions.ts'
import { isAtRest } from './is-idle.ts'
import { driveTransactions } from './process-transactions.ts'

/** Everything that money needs to arrive, once round: what is begun is brought on, and what the chain says is read. */
export async function driveSettlement(ctx: Context): Promise<void> {
  const begunAt = ctx.clock.now()
  try {
    if (await isAtRest(ctx)) return
    // Two nodes have to tell the same of what has happened before anything more does.
    if (ctx.ports.rail.nodes > 1) await readChain(ctx)
    const troubles = await driveTransactions(ctx)
    await readChain(ctx)
    await postTransactions(ctx)
    if (troubles.length > 0) throw troubles[0]
    await clearAlarms(ctx, ['nodes_disagree'], { before: begunAt })
  } catch (error) {
    await raiseAlarmOf(ctx, error)
    throw error
  }
}
