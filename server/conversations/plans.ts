import type { Context } from '../context.ts'
import { requireReader } from './members.ts'

/** One version of a room's plan, as its lead has written it. */
export type PlanVersion = {
  readonly version: number
  readonly authorId: string
  /** The message that says it. */
  readonly seq: number
  readonly text: string
  readonly at: Date
}
const fields = { version: true, authorId: true, seq: true, text: true, at: true } as const

/** All versions, the newest first. @throws group.not_member */
export async function listPlans(ctx: Context, groupId: string): Promise<PlanVersion[]> {
  await requireReader(ctx, groupId)
  return ctx.db.planVersion.findMany({ where: { groupId }, orderBy: { version: 'desc' }, take: 200, select: fields })
}

export async function findNewestPlan(ctx: Context, groupId: string): Promise<PlanVersion | null> {
  return ctx.db.planVersion.findFirst({ where: { groupId }, orderBy: { version: 'desc' }, select: fields })
}
