import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowEvent } from '../../ports.ts'
import { findCharterUnknownToServer } from '../charters/find-charter-unknown-to-server.ts'
import { type Hold, hasStep } from '../holds/hold.ts'

/**
 * Applies `StepsSubmitted`, from any sender. Until the review ends, only a payment or a dispute changes what the escrow does with these
 * steps. Steps of a charter that this server never received are not ours.
 */
export async function applyStepsSubmitted(tx: Context, hold: Hold, event: EscrowEvent): Promise<void> {
  const { goalId } = hold
  if (hold.rail === 'escrow' && (await findCharterUnknownToServer(tx, hold, event))) return
  const bits = BigInt(String(event.args.bits))
  const open = await tx.db.payout.findMany({ where: { goalId, state: { not: 'replaced' }, submittedTx: null } })
  const submitted = open.filter(({ step }) => hasStep(bits, step))
  if (submitted.length === 0) return
  await tx.db.payout.updateMany({ where: { id: { in: submitted.map(({ id }) => id) } }, data: { submittedTx: event.txHash } })
  await enqueue(tx, { type: 'step.submitted', goal_id: goalId as never })
}
