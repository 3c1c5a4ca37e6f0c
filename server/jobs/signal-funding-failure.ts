import type { Context } from '../context.ts'
import { sendSignal } from '../signals/signal.ts'

/** The client's page shows the failure of the hold, so it only has to reload. */
export async function signalFundingFailure(ctx: Context, goalId: string): Promise<void> {
  await sendSignal(ctx, { topic: 'goal', id: goalId })
}
