import type { Context } from '../context.ts'
import { sendSignal } from '../signals/signal.ts'

/** The client's page shows the hold's own failure; it only has to read again. */
export async function signalFundingFailure(ctx: Context, goalId: string): Promise<void> {
  await sendSignal(ctx, { topic: 'goal', id: goalId })
}
