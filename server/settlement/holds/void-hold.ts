import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { holdNotClient, holdWrongState } from '../errors.ts'
import { requireClient } from './get-funding-terms.ts'
import { advanceHold, type Hold } from './hold.ts'
import { lockHold, saveHold } from './hold-store.ts'
import { scheduleSealNow } from './schedule-sealing.ts'

export type VoidHold = {
  readonly goalId: string
  /** Hash of the recorded message that ends the goal. */
  readonly conclusionHash: `0x${string}`
  /** See `getDisputeBy`. Unset: everything is refunded at once. */
  readonly disputeBy?: number | null
}

/**
 * Requests a full refund, pays no step and the plan is closed. An unfunded hold ends immediately. Idempotent. An agent can get
 * here by `goal.conclude`, after the goals module has checked that it is the principal.
 */
export async function voidHold(tx: Context, input: VoidHold): Promise<void> {
  const hold = await lockHold(tx, input.goalId)
  requireParty(tx, hold)
  if (hold.state === 'voiding' || hold.state === 'voided' || hold.state === 'failed') return
  const next = await saveHold(tx, stop(hold, input))
  await appendAudit(tx, {
    stream: holdAuditStreamName(input.goalId),
    action: 'hold.void',
    before: { state: hold.state },
    after: { state: next.state, conclusion_hash: input.conclusionHash, dispute_by: input.disputeBy ?? null },
  })
  // Returned steps are disputed on chain, so their charter must be sealed.
  if (input.disputeBy) await scheduleSealNow(tx, input.goalId)
  if (next.state === 'voiding') await enqueue(tx, { type: 'hold.voiding', goal_id: input.goalId })
  await sendSignal(tx, { topic: 'goal', id: input.goalId })
}

function stop(hold: Hold, { conclusionHash, disputeBy = null }: VoidHold): Hold {
  if (hold.state === 'authorizing') return advanceHold(hold, { type: 'fail', failure: 'The goal was stopped before its hold was funded.' })
  if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'be voided')
  return advanceHold(hold, { type: 'void', conclusionHash, disputeBy })
}

/** A full refund harms no client, so every actor that can reach this through its own command may request it. */
function requireParty(tx: Context, hold: Hold): void {
  if (tx.actor.kind === 'anonymous') throw holdNotClient('anonymous')
  if (tx.actor.kind === 'person') requireClient(tx, hold)
}
