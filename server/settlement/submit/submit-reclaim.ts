import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { EscrowCall } from '../../ports.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { type EscrowHold, onEscrow } from '../holds/hold.ts'
import { escrowCharter, listCharters, loadHold, lockHold } from '../holds/hold-store.ts'
import { reclaimCardHold } from '../stripe/settle.ts'
import { nextReclaim } from './next-settlement.ts'
import { submitTransaction } from './submit-transaction.ts'

/** It is asked for as long as it takes: the escrow alone knows when its time has come. */
const attempts = 10_000

/**
 * After a plan's expiry: has the escrow send what is left back to the client, and pay what was disputed and never ruled upon
 * where silence pays. Anybody may do this, so it is only a courtesy that we do. The goal need not have ended: whatever was
 * not settled by now isn't any more.
 */
export async function submitReclaim(ctx: Context, goalId: string): Promise<void> {
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return reclaimCardHold(ctx, goalId)
  await submitTransaction(ctx, async (tx) => {
    const hold = onEscrow(await lockHold(tx, goalId))
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
    tx.log.debug({ goal: goalId, refused: prepared.refused }, 'the escrow does not refund yet')
    return null
  })
}

/** By the charter that the chain has in force, which may be ahead of what we have read. */
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
