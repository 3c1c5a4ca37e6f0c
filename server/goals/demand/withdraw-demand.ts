import type { WithdrawDemand } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { demandNotFound, goalNotClient } from '../errors.ts'
import type { DemandResult } from './post-demand.ts'

/**
 * The client takes its demand back. A repeat changes nothing.
 * @throws demand.not_found
 */
export async function withdrawDemand(ctx: Context, { demand_id }: WithdrawDemand): Promise<DemandResult> {
  await permit(ctx, 'demand.withdraw')
  const { actor } = ctx
  if (actor.kind !== 'person') throw goalNotClient(actor.kind)
  return inTransaction(ctx, async (tx) => {
    const demand = await tx.db.demand.findFirst({ where: { id: demand_id, clientId: actor.did } })
    if (!demand) throw demandNotFound(demand_id)
    const { count } = await tx.db.demand.updateMany({ where: { id: demand_id, state: { not: 'withdrawn' } }, data: { state: 'withdrawn' } })
    if (count > 0)
      await appendAudit(tx, {
        stream: demand_id,
        action: 'demand.withdraw',
        before: { state: demand.state },
        after: { state: 'withdrawn' },
      })
    return { demand_id, state: 'withdrawn' }
  })
}
