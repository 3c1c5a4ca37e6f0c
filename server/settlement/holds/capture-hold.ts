import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { charterUnpayable, holdWrongState } from '../errors.ts'
import { requireClient } from './get-funding-terms.ts'
import { advanceHold, hasStep, isFunded, stepsToBits } from './hold.ts'
import { lockHold, saveHold } from './hold-store.ts'
import { scheduleSealNow } from './schedule-sealing.ts'
import { silenceOutcomeOfTerms } from './silence-outcome-mapping.ts'
import { voidHold } from './void-hold.ts'

export type CaptureHold = {
  readonly goalId: string
  /** Bit `step - 1` for each step to pay. The rest is refunded to the client. */
  readonly bits: bigint
  /** Those of them of which half is paid, because the terms split them. Unset: none. */
  readonly halves?: bigint
  /** Hash of the recorded message that concludes the goal. */
  readonly conclusionHash: `0x${string}`
  /** Task that is paid for, by step. */
  readonly taskIds: { readonly [step: number]: string }
  /** See `getDisputeBy`. Unset: unpaid money is refunded at once. */
  readonly disputeBy?: number | null
}

/**
 * Requests the settlement, a partial capture: pays the steps in `bits`, or half of those in `halves`. Then refunds the rest and closes the
 * plan, but not before `disputeBy`. Only the contract's events confirm payments. Without bits this is a void. Idempotent.
 */
export async function captureHold(tx: Context, input: CaptureHold): Promise<void> {
  const { bits, halves = 0n, conclusionHash, disputeBy = null } = input
  if (bits === 0n) return voidHold(tx, input)
  const hold = await lockHold(tx, input.goalId)
  requireClient(tx, hold)
  if (hold.state === 'capturing' || hold.state === 'captured') {
    if (hold.bits === bits && hold.halves === halves && hold.conclusionHash === conclusionHash) return
    throw holdWrongState(hold.state, 'be captured otherwise')
  }
  const payouts = await tx.db.payout.findMany({ where: { goalId: input.goalId, state: { not: 'replaced' } } })
  const unknown = bits & ~stepsToBits(payouts.map((payout) => payout.step))
  if (halves !== 0n && silenceOutcomeOfTerms(hold.terms) !== 'split')
    throw charterUnpayable('The terms split no step.', { halves: halves.toString() })
  if (!isFunded(hold) || hold.charter === null || (unknown | (halves & ~bits)) !== 0n)
    throw charterUnpayable('Only steps of a sealed charter can be paid.', { bits: bits.toString(), unknown: unknown.toString() })

  const next = await saveHold(tx, advanceHold(hold, { type: 'capture', bits, halves, conclusionHash, disputeBy }))
  for (const payout of payouts)
    if (payout.state === 'sealed' && hasStep(bits, payout.step))
      await tx.db.payout.update({ where: { id: payout.id }, data: { state: 'paying', taskId: input.taskIds[payout.step] ?? null } })
  await appendAudit(tx, {
    stream: holdAuditStreamName(input.goalId),
    action: 'hold.capture',
    before: { state: hold.state },
    after: { state: next.state, bits, ...(halves !== 0n && { halves }), conclusion_hash: conclusionHash, dispute_by: disputeBy },
  })
  if (disputeBy !== null) await scheduleSealNow(tx, input.goalId)
  await enqueue(tx, { type: 'hold.capturing', goal_id: input.goalId })
  await sendSignal(tx, { topic: 'goal', id: input.goalId })
}
