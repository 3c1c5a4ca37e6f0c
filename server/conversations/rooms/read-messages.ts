import { type DeliveredEnvelope, limits } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { cursorBeyondHead, type LogPageQuery, readPageForDelivery } from '../../delivery/index.ts'
import { requireReader } from './room-member-store.ts'

/** The size limit of one answer, not counting its last message. */
export const { pageBytes } = limits

/** `isMore`: more messages follow, beyond the limit of number or bytes. */
export type MessagePage = { readonly messages: DeliveredEnvelope[]; readonly isMore: boolean }

/** Messages after `after`, in order, as many as fit into one answer. @throws room.not_member, cursor.beyond_head */
export async function readPage(ctx: Context, input: LogPageQuery): Promise<MessagePage> {
  const { roomId, after, maxBytes = pageBytes } = input
  await requireReader(ctx, roomId)
  const { messages, head } = await readPageForDelivery(ctx, { ...input, maxBytes })
  if (after > head) throw cursorBeyondHead(roomId, after, head)
  return { messages: messages.map(({ body }) => JSON.parse(body) as DeliveredEnvelope), isMore: (messages.at(-1)?.seq ?? after) < head }
}

/** The same without `isMore`. @throws as `readPage` */
export async function readMessages(ctx: Context, input: LogPageQuery): Promise<DeliveredEnvelope[]> {
  return (await readPage(ctx, input)).messages
}

/** The last messages of a room, newest last: at most `count`, as many as fit into one answer. @throws room.not_member */
export async function readLastMessages(ctx: Context, input: { roomId: string; upTo: number; count: number }): Promise<DeliveredEnvelope[]> {
  const { roomId, upTo, count } = input
  await requireReader(ctx, roomId)
  if (count === 0) return []
  const sizes = await ctx.db.$queryRaw<{ seq: number; bytes: number }[]>`
    select "seq", octet_length("body") as "bytes" from "message"
    where "roomId" = ${roomId} and "seq" <= ${upTo} order by "seq" desc limit ${count}`
  let left = pageBytes
  const fitting = sizes.findIndex((one) => {
    left -= one.bytes
    return left < 0
  })
  // Sizes of archived messages are unknown here; `readPage` limits the bytes.
  const first = fitting < 1 ? upTo - count : (sizes[fitting]?.seq ?? 0)
  const after = Math.max(0, first)
  return after < upTo ? (await readPage(ctx, { roomId, after, limit: upTo - after })).messages : []
}
