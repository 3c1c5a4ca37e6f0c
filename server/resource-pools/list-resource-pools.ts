import { limits, PoolEntry, type PoolState, poolStates } from '@parley/protocol'
import type { Context } from '../context.ts'
import { jsonBytes, limitPageBytes } from '../db/limit-page-bytes.ts'
import { getListing } from '../registry/index.ts'

/** A resource as its gateway agent last reported it. */
export type ResourceView = {
  readonly resource: string
  readonly name: string
  readonly kind: string
  readonly summary: string
  readonly skills: readonly string[]
  readonly topics: readonly string[]
  readonly region: string | null
  readonly pool: 'public' | 'private'
  readonly state: PoolState
  readonly reason: string
  readonly testedAt: string | null
  readonly changedAt: Date
}
/** A gateway agent with its resources, latest change first. `counts`: of all resources that the reader may see. */
export type PoolView = {
  readonly agentId: string
  readonly handle: string
  readonly name: string
  readonly summary: string
  readonly presence: 'online' | 'idle' | 'offline'
  readonly counts: { readonly [state in PoolState]: number }
  readonly resources: readonly ResourceView[]
}

const maxPools = 50
const maxShown = 200

/**
 * The gateway agents that have reported a pool. `isWhole`: the list is complete. Only operators and the gateway's owner see private pools
 * and refused resources.
 */
export async function listResourcePools(ctx: Context): Promise<{ pools: PoolView[]; isWhole: boolean }> {
  const ids = await ctx.db.poolEntry.findMany({
    distinct: ['agentId'],
    select: { agentId: true },
    orderBy: { agentId: 'asc' },
    take: maxPools + 1,
  })
  const shown = ids.slice(0, maxPools)
  const pools: PoolView[] = []
  let left: number = limits.pageBytes
  for (const [place, { agentId }] of shown.entries()) {
    const listing = await getListing(ctx, agentId)
    if (listing.withdrawn_at !== null) continue
    const { actor } = ctx
    const seesAll = actor.kind === 'system' || (actor.kind === 'person' && (actor.isOperator || actor.did === listing.owner_id))
    const where = { agentId, ...(!seesAll && { pool: 'public', state: { not: 'refused' } }) }
    const groups = await ctx.db.poolEntry.groupBy({ by: ['state'], where, _count: true })
    const rows = await ctx.db.poolEntry.findMany({ where, orderBy: [{ changedAt: 'desc' }, { resource: 'asc' }], take: maxShown })
    const countOf = new Map(groups.map((group) => [group.state, group._count]))
    // Each pool may use an equal share of the remaining bytes.
    const resources = limitPageBytes(rows.map(viewOf), jsonBytes, left / (shown.length - place))
    left -= jsonBytes(resources)
    pools.push({
      agentId,
      handle: listing.handle,
      name: listing.name,
      summary: listing.summary,
      presence: listing.presence,
      counts: Object.fromEntries(poolStates.map((state) => [state, countOf.get(state) ?? 0])) as PoolView['counts'],
      resources,
    })
  }
  return { pools, isWhole: shown.length === ids.length }
}

const Shown = PoolEntry.pick({ kind: true, summary: true, skills: true, topics: true, region: true, tested_at: true })
const unreadable = {
  kind: 'unknown',
  summary: 'The report on this resource can’t be read.',
  skills: [],
  topics: [],
  region: null,
  tested_at: null,
}

type Row = Awaited<ReturnType<Context['db']['poolEntry']['findMany']>>[number]

function viewOf({ resource, name, pool, state, reason, changedAt, body }: Row): ResourceView {
  const { kind, summary, skills, topics, region = null, tested_at: testedAt } = Shown.safeParse(body).data ?? unreadable
  return {
    resource,
    name,
    kind,
    summary,
    skills,
    topics,
    region,
    testedAt,
    changedAt,
    reason,
    pool: pool as ResourceView['pool'],
    state: state as PoolState,
  }
}
