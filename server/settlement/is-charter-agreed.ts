import type { Context } from '../context.ts'
import { loadHold } from './store.ts'

/**
 * Whether the charter in force carries every payee's signature: the escrow's own word, by its log. Such a charter is
 * replaced only by one that its members sign too.
 */
export async function isCharterAgreed(ctx: Context, goalId: string): Promise<boolean> {
  const hold = await loadHold(ctx, goalId)
  if (hold.rail !== 'escrow') return false
  const sealed = await ctx.db.chainLog.findFirst({
    where: { planId: hold.planId, name: 'PlanSealed' },
    orderBy: [{ block: 'desc' }, { logIndex: 'desc' }],
    select: { args: true },
  })
  return (sealed?.args as { readonly agreed?: unknown } | undefined)?.agreed === true
}
