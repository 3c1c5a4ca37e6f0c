import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { EscrowCall } from '../../ports.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { type EscrowHold, requireEscrowHold } from '../holds/hold.ts'
import { escrowCharter, listCharters, loadHold, lockHold } from '../holds/hold-store.ts'
import { reclaimCardHold } from '../stripe/settle-card-hold.ts'
import { nextReclaim } from './next-settlement-or-reclaim.ts'
import { submitTransaction } from './submit-transaction.ts'

/** Practically unlimited, because only the escrow knows when the expiry has come. */
const attempts = 10_000

/**
 * Closes an expired plan: refunds the client, and pays disputed steps without a ruling where the terms allow it. The contract allows
 * this to anyone. The goal may still be open, but unsettled money is no longer available.
 */
export async function submitReclaim(ctx: Context, goalId: string): Promise<void> {
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return reclaimCardHold(ctx, goalId)
  await submitTransaction(ctx, async (tx) => {
    const hold = requireEscrowHold(await lockHold(tx, goalId))
    const plan = await tx.ports.rail.plan(hold.planId)
    const kind = nextReclaim(hold, plan, seconds(tx.clock.now()))
    if (kind === null) return null
    const prepared = await createTransactionIntent(tx, {
      key: `reclaim:${goalId}`,
      purpose: 'reclaim',
      goalId,
      call: await reclaimOf(tx, hold, { kind, version: plan.version }),
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    tx.log.debug({ event: 'hold.reclaim_refused', goal: goalId, refused: prepared.refused }, 'The escrow does not refund the hold yet.')
    return null
  })
}

/** Uses the charter in force on chain, which may be ahead of our index. */
async function reclaimOf(
  tx: Context,
  { terms, goalId }: EscrowHold,
  { kind, version }: { kind: 'refund' | 'closeExpired'; version: number },
): Promise<EscrowCall> {
  if (kind === 'refund') return { kind, terms }
  const charter = (await listCharters(tx, goalId)).find((one) => one.version === version)
  if (!charter) throw new Error(`the charter that the escrow has sealed for ${goalId} is not among ours`)
  return { kind, terms, charter: escrowCharter(charter) }
}
