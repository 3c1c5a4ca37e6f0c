import type { Context } from '../../context.ts'
import type { SettlementPoint } from '../../ports.ts'

/** Reports a crash point to tests. In production nothing listens. */
export async function hitFailpoint(ctx: Context, point: SettlementPoint): Promise<void> {
  await ctx.ports.onSettlementPoint?.(point)
}
