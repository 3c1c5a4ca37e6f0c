import type { DemandState } from '@parley/protocol'
import type { Context } from '../../context.ts'

export type DemandView = {
  readonly id: string
  readonly text: string
  readonly state: DemandState
  readonly posted_at: string
  readonly met_at: string | null
  /** Whether the reader posted it. */
  readonly is_own: boolean
}

const pageSize = 50
/** Those of one person that its page shows. */
const maxOwn = 40

/** Open demands, newest first. `next`: the cursor of the next page, or null. */
export async function listDemands(ctx: Context, after?: string): Promise<{ demands: DemandView[]; next: string | null }> {
  const rows = await ctx.db.demand.findMany({
    where: { state: 'open', ...(after !== undefined && { id: { lt: after } }) },
    orderBy: { id: 'desc' },
    take: pageSize + 1,
  })
  const shown = rows.slice(0, pageSize)
  return { demands: shown.map((row) => viewOf(ctx, row)), next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null }
}

/** The actor's own demands, newest first; not those that it has withdrawn. Empty without a login. */
export async function listOwnDemands(ctx: Context): Promise<DemandView[]> {
  if (ctx.actor.kind !== 'person') return []
  const where = { clientId: ctx.actor.did, state: { not: 'withdrawn' } }
  const rows = await ctx.db.demand.findMany({ where, orderBy: { id: 'desc' }, take: maxOwn })
  return rows.map((row) => viewOf(ctx, row))
}

type Row = { id: string; text: string; state: string; postedAt: Date; metAt: Date | null; clientId: string }

const viewOf = ({ actor }: Context, { id, text, state, postedAt, metAt, clientId }: Row): DemandView => ({
  ...{ id, text, state: state as DemandState },
  posted_at: postedAt.toISOString(),
  met_at: metAt?.toISOString() ?? null,
  is_own: actor.kind === 'person' && actor.did === clientId,
})
