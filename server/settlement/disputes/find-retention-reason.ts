import type { Context } from '../../context.ts'

const live = ['authorized', 'capturing', 'voiding', 'refunding'] as const
const disputed = ['signed', 'open', 'ruling'] as const

/** Why the data of a goal is still needed as payment evidence, as a sentence; null if it is not. */
export async function findRetentionReason(ctx: Context, goalId: string): Promise<string | null> {
  const hold = await ctx.db.hold.findUnique({ where: { goalId }, select: { state: true } })
  if (hold && live.some((state) => state === hold.state)) return `Its hold is ${hold.state}.`
  const open = await ctx.db.dispute.findFirst({ where: { goalId, state: { in: [...disputed] } }, select: { step: true } })
  if (open) return `Step ${open.step} is disputed.`
  const card = await ctx.db.cardHold.findUnique({ where: { goalId }, select: { dispute: true } })
  return card?.dispute === 'open' ? 'Its payment is disputed at the bank.' : null
}
