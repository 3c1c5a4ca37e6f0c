import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { wake } from '../../wake.ts'
import { holdNotClient, holdWrongState } from '../errors.ts'
import { holdAuditStream } from '../events/audit-stream.ts'
import { requireClient } from './get-funding.ts'
import { advanceHold, type Hold } from './hold.ts'
import { lockHold, saveHold } from './hold-store.ts'
import { scheduleSealNow } from './schedule-sealing.ts'

export type VoidHold = {
  readonly goalId: string
  /** Names the recorded message that ends the goal. */
  readonly conclusionHash: `0x${string}`
  /** See `getDisputeBy`. Unset: everything goes back at once. */
  readonly disputeBy?: number | null
}

/**
 * Asks that everything go back to the client: nobody is paid, the plan is closed. A hold that was never funded ends here
 * and now. Repeating it changes nothing. An agent may come here by `goal.conclude`, whose room has asked whether it is the
 * principal.
 */
export async function voidHold(tx: Context, input: VoidHold): Promise<void> {
  const hold = await lockHold(tx, input.goalId)
  requireParty(tx, hold)
  if (hold.state === 'voiding' || hold.state === 'voided' || hold.state === 'failed') return
  const next = await saveHold(tx, stop(hold, input))
  await appendAudit(tx, {
    chain: holdAuditStream(input.goalId),
    action: 'hold.void',
    before: { state: hold.state },
    after: { state: next.state, conclusion_hash: input.conclusionHash, dispute_by: input.disputeBy ?? null },
  })
  // What was returned is disputed on chain, so its charter has to be there.
  if (input.disputeBy) await scheduleSealNow(tx, input.goalId)
  if (next.state === 'voiding') await enqueue(tx, { type: 'hold.voiding', goal_id: input.goalId })
  await wake(tx, { topic: 'goal', id: input.goalId })
}

function stop(hold: Hold, { conclusionHash, disputeBy = null }: VoidHold): Hold {
  if (hold.state === 'authorizing')
    return advanceHold(hold, { type: 'fail', failure: 'The goal was stopped before its money was set aside.' })
  if (hold.state !== 'authorized') throw holdWrongState(hold.state, 'be voided')
  return advanceHold(hold, { type: 'void', conclusionHash, disputeBy })
}

/** Sending everything back harms no client: whoever could get here by a command of its own may. */
function requireParty(tx: Context, hold: Hold): void {
  if (tx.actor.kind === 'anonymous') throw holdNotClient('anonymous')
  if (tx.actor.kind === 'person') requireClient(tx, hold)
}
