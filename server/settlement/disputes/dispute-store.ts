import { canFollow, type DisputeState, disputeTransitions } from '@parley/protocol'
import type { Dispute } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { disputeNotFound, disputeWrongState } from '../errors.ts'

/** Columns that a state transition may write. */
type DisputeChange = Partial<
  Pick<Dispute, 'failure' | 'openedTx' | 'openedAt' | 'payeeBps' | 'reason' | 'rulingHash' | 'ruledBy' | 'closedTx' | 'closedAt'>
>

/** @throws dispute.wrong_state */
export function requireDisputeTransition(from: DisputeState, to: DisputeState, action: string): void {
  if (!canFollow(disputeTransitions, from, to)) throw disputeWrongState(from, action)
}

/** Locks the dispute until this transaction ends. @throws dispute.not_found */
export async function lockDispute(tx: Context, id: string): Promise<Dispute> {
  await tx.db.$queryRaw`select 1 from "dispute" where "id" = ${id} for update`
  const row = await tx.db.dispute.findUnique({ where: { id } })
  if (!row) throw disputeNotFound(id)
  return row
}

/** @throws dispute.wrong_state */
export async function transitionDispute(tx: Context, dispute: Dispute, to: DisputeState, change: DisputeChange = {}): Promise<Dispute> {
  requireDisputeTransition(dispute.state, to, `become ${to}`)
  return tx.db.dispute.update({ where: { id: dispute.id }, data: { ...change, state: to } })
}
