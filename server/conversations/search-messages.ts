import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../context.ts'
import type { Prisma } from '../db.ts'
import { allFiled, inOrder, replacePoison, requireWithinHead, type StoredMessage } from '../delivery/index.ts'
import type { FiledRow } from '../ports.ts'
import { requireReader } from './members.ts'
import { type MessagePage, pageBytes } from './read-messages.ts'

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

/** Like `readMessages`, of those that match, with how many match in all. @throws group.not_member, cursor.beyond_head */
export async function searchMessages(ctx: Context, input: Asked): Promise<MessagePage & { total: number }> {
  await requireReader(ctx, input.groupId)
  await requireWithinHead(ctx, input.groupId, input.after)
  const where = conditions(input)
  const take = Math.min(input.limit, 500)
  const [seqs, total] = await Promise.all([
    ctx.db.message.findMany({ where: { ...where, seq: { gt: input.after } }, orderBy: { seq: 'asc' }, take, select: { seq: true } }),
    ctx.db.message.count({ where }),
  ])
  const rows = await readWithinBytes(ctx, input.groupId, seqs)
  // Afterwards: what leaves the tables meanwhile is found twice then, and not never.
  const filed = await searchFiled(ctx, input)
  const later = inOrder<Found>([...rows, ...filed.filter((row) => row.seq > input.after)])
  const found = withinBytes(later.slice(0, take))
  const isMore = seqs.length === take || rows.length < seqs.length || found.length < later.length
  const sound = await replacePoison(ctx, input.groupId, found)
  return { messages: sound.map((row) => JSON.parse(row.body) as DeliveredEnvelope), isMore, total: total + filed.length }
}

type Found = StoredMessage & { readonly bodyHash: string }
/** So many are read at a time, until an answer is full. */
const readAtOnce = 50

async function readWithinBytes(ctx: Context, groupId: string, seqs: readonly { seq: number }[]): Promise<Found[]> {
  const found: Found[] = []
  for (let from = 0, bytes = 0; from < seqs.length && bytes <= pageBytes; from += readAtOnce) {
    const some = seqs.slice(from, from + readAtOnce).map(({ seq }) => seq)
    const rows = await ctx.db.message.findMany({
      where: { groupId, seq: { in: some } },
      orderBy: { seq: 'asc' },
      select: { seq: true, body: true, hash: true, bodyHash: true },
    })
    for (const row of rows) bytes += Buffer.byteLength(row.body)
    found.push(...rows)
  }
  return found
}

/** As many of the first as fit into one answer, and one in any case. */
function withinBytes(rows: readonly Found[]): Found[] {
  let left = pageBytes
  const end = rows.findIndex(({ body }, index) => {
    left -= Buffer.byteLength(body)
    return left < 0 && index > 0
  })
  return end < 0 ? [...rows] : rows.slice(0, end)
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
