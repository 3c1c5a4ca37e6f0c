import type { Context } from '../context.ts'
import { reclaimCard } from './card/settle-card.ts'
import { onEscrow } from './hold.ts'
import { prepareTransaction } from './prepare-transaction.ts'
import { loadHold, lockHold } from './store.ts'
import { submit } from './submit.ts'

/** It is asked for as long as it takes: the escrow alone knows when its time has come. */
const attempts = 10_000

/**
 * After a plan's expiry: has the escrow send what is left back to the client. Anybody may do this, so it is only a courtesy
 * that we do. The goal need not have ended: whatever was not settled by now isn't any more.
 */
export async function reclaimHold(ctx: Context, goalId: string): Promise<void> {
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return reclaimCard(ctx, goalId)
  await submit(ctx, async (tx) => {
    const hold = onEscrow(await lockHold(tx, goalId))
    // A settlement that was asked for in time still counts, for as long as nobody else refunds.
    if (hold.state !== 'authorized') return null
    const plan = await tx.ports.rail.plan(hold.planId)
    if (plan.status !== 1) return null
    const prepared = await prepareTransaction(tx, {
      key: `reclaim:${goalId}`,
      purpose: 'reclaim',
      goalId,
      call: { kind: 'refund', terms: hold.terms },
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    tx.log.debug({ goal: goalId, refused: prepared.refused }, 'the escrow does not refund yet')
    return null
  })
}
