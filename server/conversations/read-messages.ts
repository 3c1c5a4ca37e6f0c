import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../context.ts'
import type { Prisma } from '../db.ts'
import { allFiled, inOrder, readForDelivery, replacePoison } from '../delivery/index.ts'
import type { FiledRow } from '../ports.ts'
import { requireReader } from './members.ts'

/** Messages after `after`, in order. @throws group.not_member */
export async function readMessages(ctx: Context, input: { groupId: string; after: number; limit: number }): Promise<DeliveredEnvelope[]> {
  await requireReader(ctx, input.groupId)
  const rows = await readForDelivery(ctx, input)
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

type Asked = { groupId: string; filter: MessageFilter; after: number; limit: number }

/** Like `readMessages`, of those that match, with how many match in all. @throws group.not_member */
export async function searchMessages(ctx: Context, input: Asked): Promise<{ messages: DeliveredEnvelope[]; total: number }> {
  await requireReader(ctx, input.groupId)
  const where = conditions(input)
  const take = Math.min(input.limit, 500)
  const [rows, total] = await Promise.all([
    ctx.db.message.findMany({
      where: { ...where, seq: { gt: input.after } },
      orderBy: { seq: 'asc' },
      take,
      select: { seq: true, body: true, hash: true },
    }),
    ctx.db.message.count({ where }),
  ])
  // Afterwards: what leaves the tables meanwhile is found twice then, and not never.
  const filed = await searchFiled(ctx, input)
  const found = inOrder<(typeof rows)[number]>([...rows, ...filed.filter((row) => row.seq > input.after)]).slice(0, take)
  const sound = await replacePoison(ctx, input.groupId, found)
  return { messages: sound.map((row) => JSON.parse(row.body) as DeliveredEnvelope), total: total + filed.length }
}

function conditions({ groupId, filter }: Asked): Prisma.MessageWhereInput {
  return {
    groupId,
    ...(filter.senders?.length ? { senderId: { in: [...filter.senders] } } : {}),
    ...(filter.states?.length ? { state: { in: [...filter.states] } } : {}),
    ...(filter.types?.length ? { type: { in: [...filter.types] } } : {}),
    ...(filter.errorsOnly ? { type: 'error' } : {}),
    ...(filter.taskId ? { taskId: filter.taskId } : {}),
    ...(filter.text ? { body: { contains: filter.text, mode: 'insensitive' as const } } : {}),
    ...(filter.withFiles ? { AND: [{ body: { contains: '"artifact":' } }] } : {}),
  }
}

async function searchFiled(ctx: Context, { groupId, filter }: Asked): Promise<FiledRow[]> {
  const found: FiledRow[] = []
  for await (const row of allFiled(ctx, groupId)) if (matches(row, filter)) found.push(row)
  return found
}

/** The same conditions for messages that the database no longer has. */
export function matches(row: Pick<FiledRow, 'senderId' | 'state' | 'type' | 'taskId' | 'body'>, filter: MessageFilter): boolean {
  const { senders, states, types, taskId, text, errorsOnly, withFiles } = filter
  return (
    (!senders?.length || senders.includes(row.senderId)) &&
    (!states?.length || states.includes(row.state)) &&
    (!types?.length || types.includes(row.type)) &&
    (!errorsOnly || row.type === 'error') &&
    (!taskId || row.taskId === taskId) &&
    (!text || row.body.toLowerCase().includes(text.toLowerCase())) &&
    (!withFiles || row.body.includes('"artifact":'))
  )
}
