import type { Context } from '../../context.ts'
import { readableGoals } from '../../goals/index.ts'
import { type ChainTransactionView, getChainTransaction } from '../../settlement/index.ts'

const goalIds = /gol_[0-9a-f]{32}/g

/**
 * A transaction as anybody may see it on the chain, with the goal that it is about for who may read that goal. Its name here has
 * the ids of goals in it, and its failure may.
 */
export async function readTransaction(ctx: Context, hash: string): Promise<ChainTransactionView | null> {
  const found = await getChainTransaction(ctx, hash)
  if (!found) return null
  const named = [found.goalId, found.key, found.failure].flatMap((text) => text?.match(goalIds) ?? [])
  const readable = await readableGoals(ctx, named)
  return named.every((goalId) => readable.has(goalId)) ? found : { ...found, goalId: null, key: null, failure: null }
}
