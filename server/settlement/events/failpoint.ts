import type { Context } from '../../context.ts'
import type { SettlementPoint } from '../../ports.ts'

/** Says where a settlement stands, to whoever the world was composed with. Nobody, outside of tests. */
export async function hitFailpoint(ctx: Context, point: SettlementPoint): Promise<void> {
  await ctx.ports.reached?.(point)
}
