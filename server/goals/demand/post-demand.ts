import { type DemandState, maxOpenDemands, type PostDemand } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { requireAcceptableText } from '../../safety/index.ts'
import { demandsFull, goalNotClient } from '../errors.ts'

export type DemandResult = { readonly demand_id: string; readonly state: DemandState }

/**
 * Publishes what the person wants and no agent online can do. It holds no money.
 * @throws demand.quota_exceeded, content.refused
 */
export async function postDemand(ctx: Context, input: PostDemand): Promise<DemandResult> {
  await permit(ctx, 'demand.post')
  const { actor } = ctx
  if (actor.kind !== 'person') throw goalNotClient(actor.kind)
  requireAcceptableText(ctx, input.text, 'text')
  return inTransaction(ctx, async (tx) => {
    await claimIdempotencyKey(tx, input.id, input)
    // Two concurrent posts of one person would both find the last free place.
    await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`demand:${actor.did}`}, 0))`
    const posted = await tx.db.demand.findUnique({ where: { clientId_postId: { clientId: actor.did, postId: input.id } } })
    if (posted) return { demand_id: posted.id, state: posted.state as DemandState }
    const open = await tx.db.demand.count({ where: { clientId: actor.did, state: 'open' } })
    if (open >= maxOpenDemands) throw demandsFull(maxOpenDemands)
    const id = tx.ids.next('dmd')
    const now = tx.clock.now()
    const row = { id, postId: input.id, clientId: actor.did, text: input.text, state: 'open', postedAt: now, checkedAt: now }
    await tx.db.demand.create({ data: row })
    await appendAudit(tx, { stream: id, action: 'demand.post', after: { state: 'open' } })
    return { demand_id: id, state: 'open' }
  })
}
