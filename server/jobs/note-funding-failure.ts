import type { Context } from '../context.ts'
import { wake } from '../signals/signal.ts'

/** The client's page shows the hold's own failure; it only has to read again. */
export async function noteFundingFailure(ctx: Context, goalId: string): Promise<void> {
  await wake(ctx, { topic: 'goal', id: goalId })
}
