import { demandDays } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { DomainError } from '../../errors.ts'
import { listOnlinePlanners, priceGoal } from '../planners/compute-goal-quote.ts'

/** One run plans for so many demands, so that other goals can be read between them. The next run continues. */
const maxChecked = 50
const dayMs = 86_400_000

/**
 * Looks for plans for the open demands that were not checked for the longest time. One that the agents online can do is `met`. Deletes
 * those that are too old. Returns how many were met.
 */
export async function matchDemandsWithOnlineAgents(ctx: Context): Promise<number> {
  const now = ctx.clock.now()
  await ctx.db.demand.deleteMany({ where: { postedAt: { lt: new Date(now.getTime() - demandDays * dayMs) } } })
  const open = await ctx.db.demand.findMany({ where: { state: 'open' }, orderBy: { checkedAt: 'asc' }, take: maxChecked })
  if (open.length === 0) return 0
  const online = await listOnlinePlanners(ctx)
  let met = 0
  for (const { id, text } of open) {
    const input = { text, criteria: [], files: [], budget: null }
    // A text that takes too long has no plan.
    const quote = await priceGoal(ctx, input, online).then((priced) => priced.quote, onlyDomainErrors)
    if (quote?.outcome === 'planned' && (await markMet(ctx, id))) met++
  }
  await ctx.db.demand.updateMany({ where: { id: { in: open.map(({ id }) => id) } }, data: { checkedAt: now } })
  return met
}

function onlyDomainErrors(error: unknown): null {
  if (error instanceof DomainError) return null
  throw error
}

async function markMet(ctx: Context, id: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.demand.updateMany({ where: { id, state: 'open' }, data: { state: 'met', metAt: tx.clock.now() } })
    if (count > 0) await appendAudit(tx, { stream: id, action: 'demand.met', before: { state: 'open' }, after: { state: 'met' } })
    return count > 0
  })
}
