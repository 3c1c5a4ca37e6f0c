import type { Context } from '../context.ts'
import { clearAlarms, raiseAlarmOf } from './chain-alarm.ts'
import { driveTransactions } from './drive-transactions.ts'
import { isAtRest } from './is-at-rest.ts'
import { postTransactions } from './post-transactions.ts'
import { readChain } from './read-chain.ts'

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
