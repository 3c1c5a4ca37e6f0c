import type { DeliveredEnvelope } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { limitPageBytes } from '../../db/limit-page-bytes.ts'
import type { Prisma } from '../../db.ts'
import { getHead, iterateArchived, replaceCorrupt, requireWithinHead, type StoredMessage, sortUniqueBySeq } from '../../delivery/index.ts'
import type { ArchivedRow } from '../../ports.ts'
import { type MessagePage, pageBytes } from './read-messages.ts'
import { requireReader } from './room-member-store.ts'

/** All given conditions must hold. */
export type MessageFilter = {
  readonly senders?: readonly string[]
  readonly states?: readonly string[]
  readonly types?: readonly string[]
  readonly taskId?: string
  readonly text?: string
  readonly errorsOnly?: boolean
  readonly withFiles?: boolean
}

/** `maxBytes`: of the messages of a page; at least one message is found. */
type Asked = { roomId: string; filter: MessageFilter; after: number; limit: number; maxBytes?: number }
/** `next`: the sequence number after which the next page starts; it may be beyond the last message found. */
export type FoundPage = MessagePage & { readonly next: number }
/** `total`: the number of matches; a lower bound unless `isCounted`. */
export type SearchPage = FoundPage & { readonly total: number; readonly isCounted: boolean }

/** Archived messages scanned per page or count, because archive files have no index. */
const maxScanned = 20_000

/** Like `readMessages`, for messages that match, with the number of matches. @throws room.not_member, cursor.beyond_head */
export async function searchMessages(ctx: Context, input: Asked): Promise<SearchPage> {
  const page = await findMessages(ctx, input)
  return { ...page, ...(await countMessages(ctx, input)) }
}

/** The same without the count. @throws as `searchMessages` */
export async function findMessages(ctx: Context, input: Asked): Promise<FoundPage> {
  const { roomId, after } = input
  await requireReader(ctx, roomId)
  await requireWithinHead(ctx, roomId, after)
  const take = Math.min(input.limit, 500)
  const where = { ...conditions(input), seq: { gt: after } }
  const seqs = await ctx.db.message.findMany({ where, orderBy: { seq: 'asc' }, take, select: { seq: true } })
  const rows = await readWithinBytes(ctx, roomId, seqs)
  const readUpTo = seqs.length === take || rows.length < seqs.length ? (rows.at(-1)?.seq ?? after) : Number.POSITIVE_INFINITY
  // The archive is read last. A message archived in the meantime is found twice instead of never.
  const filed = await searchFiled(ctx, input, take)
  // All matches up to this sequence number are known.
  const upTo = Math.min(readUpTo, filed.upTo)
  const later = sortUniqueBySeq<Found>([...rows, ...filed.rows]).filter((row) => row.seq <= upTo)
  const found = limitPageBytes(later.slice(0, take), bodyBytes, input.maxBytes ?? pageBytes)
  const isCut = found.length < later.length
  const sound = await replaceCorrupt(ctx, roomId, found)
  return {
    messages: sound.map((row) => JSON.parse(row.body) as DeliveredEnvelope),
    isMore: isCut || Number.isFinite(upTo),
    next: isCut || !Number.isFinite(upTo) ? (found.at(-1)?.seq ?? after) : upTo,
  }
}

async function countMessages(ctx: Context, input: Asked): Promise<{ total: number; isCounted: boolean }> {
  // Sequence numbers have no gaps, so the head is the count.
  if (Object.keys(input.filter).length === 0) return { total: (await getHead(ctx, input.roomId)).head, isCounted: true }
  let total = await ctx.db.message.count({ where: conditions(input) })
  let scanned = 0
  for await (const row of iterateArchived(ctx, input.roomId)) {
    if (matches(row, input.filter)) total += 1
    if (++scanned === maxScanned) return { total, isCounted: false }
  }
  return { total, isCounted: true }
}

type Found = StoredMessage & { readonly bodyHash: string }
/** Rows per query, until the answer is full. */
const readAtOnce = 50

const bodyBytes = ({ body }: { readonly body: string }) => Buffer.byteLength(body)

async function readWithinBytes(ctx: Context, roomId: string, seqs: readonly { seq: number }[]): Promise<Found[]> {
  const found: Found[] = []
  for (let from = 0, bytes = 0; from < seqs.length && bytes <= pageBytes; from += readAtOnce) {
    const some = seqs.slice(from, from + readAtOnce).map(({ seq }) => seq)
    const rows = await ctx.db.message.findMany({
      where: { roomId, seq: { in: some } },
      orderBy: { seq: 'asc' },
      select: { seq: true, body: true, hash: true, bodyHash: true },
    })
    for (const row of rows) bytes += bodyBytes(row)
    found.push(...rows)
  }
  return found
}

function conditions({ roomId, filter }: Asked): Prisma.MessageWhereInput {
  return {
    roomId,
    ...(filter.senders?.length ? { senderId: { in: [...filter.senders] } } : {}),
    ...(filter.states?.length ? { state: { in: [...filter.states] } } : {}),
    ...(filter.types?.length ? { type: { in: [...filter.types] } } : {}),
    ...(filter.errorsOnly ? { type: 'error' } : {}),
    ...(filter.taskId ? { taskId: filter.taskId } : {}),
    ...(filter.text ? { body: { contains: filter.text, mode: 'insensitive' as const } } : {}),
    ...(filter.withFiles ? { AND: [{ body: { contains: '"artifact":' } }] } : {}),
  }
}

/** `upTo`: `rows` holds all matches up to this sequence number; infinite if nothing is left. */
async function searchFiled(ctx: Context, { roomId, filter, after }: Asked, take: number): Promise<{ rows: ArchivedRow[]; upTo: number }> {
  const rows: ArchivedRow[] = []
  let [bytes, scanned] = [0, 0]
  for await (const row of iterateArchived(ctx, roomId, after)) {
    scanned += 1
    if (matches(row, filter)) {
      rows.push(row)
      bytes += bodyBytes(row)
    }
    if (rows.length >= take || bytes > pageBytes || scanned >= maxScanned) return { rows, upTo: row.seq }
  }
  return { rows, upTo: Number.POSITIVE_INFINITY }
}

/** The same conditions for archived messages. */
export function matches(row: Pick<ArchivedRow, 'senderId' | 'state' | 'type' | 'taskId' | 'body'>, filter: MessageFilter): boolean {
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
