import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../context.ts'
import type { Prisma } from '../db.ts'
import { readLog } from '../delivery/index.ts'
import { requireReader } from './members.ts'

/** Messages after `after`, in order. @throws group.not_member */
export async function readMessages(ctx: Context, input: { groupId: string; after: number; limit: number }): Promise<DeliveredEnvelope[]> {
  await requireReader(ctx, input.groupId)
  const rows = await readLog(ctx, input)
  return rows.map((row) => JSON.parse(row.body) as DeliveredEnvelope)
}

/** All conditions hold together; a left-out one doesn't filter. */
export type MessageFilter = {
  readonly senders?: readonly string[]
  readonly states?: readonly string[]
  readonly types?: readonly string[]
  readonly taskId?: string
  readonly text?: string
  readonly errorsOnly?: boolean
  readonly withFiles?: boolean
}

/** Like `readMessages`, of those that match, with how many match in all. @throws group.not_member */
export async function searchMessages(
  ctx: Context,
  input: { groupId: string; filter: MessageFilter; after: number; limit: number },
): Promise<{ messages: DeliveredEnvelope[]; total: number }> {
  await requireReader(ctx, input.groupId)
  const { filter } = input
  const where: Prisma.MessageWhereInput = {
    groupId: input.groupId,
    ...(filter.senders?.length ? { senderId: { in: [...filter.senders] } } : {}),
    ...(filter.states?.length ? { state: { in: [...filter.states] } } : {}),
    ...(filter.types?.length ? { type: { in: [...filter.types] } } : {}),
    ...(filter.errorsOnly ? { type: 'error' } : {}),
    ...(filter.taskId ? { taskId: filter.taskId } : {}),
    ...(filter.text ? { body: { contains: filter.text, mode: 'insensitive' as const } } : {}),
    ...(filter.withFiles ? { AND: [{ body: { contains: '"artifact":' } }] } : {}),
  }
  const [rows, total] = await Promise.all([
    ctx.db.message.findMany({
      where: { ...where, seq: { gt: input.after } },
      orderBy: { seq: 'asc' },
      take: Math.min(input.limit, 500),
      select: { body: true },
    }),
    ctx.db.message.count({ where }),
  ])
  return { messages: rows.map((row) => JSON.parse(row.body) as DeliveredEnvelope), total }
}
