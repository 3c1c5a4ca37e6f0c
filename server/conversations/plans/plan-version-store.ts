import type { Context } from '../../context.ts'
import { limitPageBytes } from '../../db/limit-page-bytes.ts'
import { requireReader } from '../rooms/room-member-store.ts'

/** One version of a room's plan, as its lead wrote it. */
export type PlanVersion = {
  readonly version: number
  readonly authorId: string
  /** The sequence number of the message that contains it. */
  readonly seq: number
  readonly text: string
  readonly at: Date
}
const fields = { version: true, authorId: true, seq: true, text: true, at: true } as const

/** Versions per answer; each has up to 16,000 characters. */
const maxVersions = 50

/** The newest versions first, as many as fit into one answer. `isWhole`: there are no others. @throws room.not_member */
export async function listPlanVersions(ctx: Context, roomId: string): Promise<{ versions: PlanVersion[]; isWhole: boolean }> {
  await requireReader(ctx, roomId)
  const rows = await ctx.db.planVersion.findMany({
    where: { roomId },
    orderBy: { version: 'desc' },
    take: maxVersions + 1,
    select: fields,
  })
  const versions = limitPageBytes(rows.slice(0, maxVersions))
  return { versions, isWhole: versions.length === rows.length }
}

export async function findNewestPlan(ctx: Context, roomId: string): Promise<PlanVersion | null> {
  return ctx.db.planVersion.findFirst({ where: { roomId }, orderBy: { version: 'desc' }, select: fields })
}
