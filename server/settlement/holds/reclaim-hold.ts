import type { ReclaimHold } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { schedule } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { holdNotExpired, holdWrongState } from '../errors.ts'
import { isFunded } from './hold.ts'
import { lockHold } from './hold-store.ts'

/**
 * Requests the refund of an expired hold now, before the scheduled job runs. The contract allows this to anyone; here any
 * signed-in person may. Idempotent.
 * @throws hold.wrong_state before the expiry, or if nothing is held
 */
export async function reclaimHold(ctx: Context, input: ReclaimHold): Promise<{ goal_id: string; state: string }> {
  await permit(ctx, 'hold.reclaim')
  const { goal_id: goalId } = input
  return inTransaction(ctx, async (tx) => {
    const hold = await lockHold(tx, goalId)
    await requireNotFrozen(tx, { goalId })
    if (hold.state === 'reclaimed') return { goal_id: goalId, state: hold.state }
    if (!isFunded(hold) || 'settledTx' in hold) throw holdWrongState(hold.state, 'be reclaimed')
    const now = seconds(tx.clock.now())
    if (now < hold.terms.expiry) throw holdNotExpired(hold.terms.expiry, now)
    await schedule(tx, 'reclaim-hold', { goalId }, { jobKey: `reclaim-hold:${goalId}`, runAt: tx.clock.now() })
    await appendAudit(tx, { stream: holdAuditStreamName(goalId), action: 'hold.reclaim', after: { state: hold.state } })
    return { goal_id: goalId, state: hold.state }
  })
}
