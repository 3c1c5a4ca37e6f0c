import type { Context } from '../../context.ts'
import { readableGoals } from '../../goals/index.ts'
import { type ChainTransactionView, getChainTransaction } from '../../settlement/index.ts'

const goalIds = /gol_[0-9a-f]{32}/g

/** A transaction as it is public on the chain, with its goal only for readers of that goal. The key and the failure may name goals. */
export async function readChainTransaction(ctx: Context, hash: string): Promise<ChainTransactionView | null> {
  const found = await getChainTransaction(ctx, hash)
  if (!found) return null
  const named = [found.goalId, found.key, found.failure].flatMap((text) => text?.match(goalIds) ?? [])
  const readable = await readableGoals(ctx, named)
  return named.every((goalId) => readable.has(goalId)) ? found : { ...found, goalId: null, key: null, failure: null }
}
