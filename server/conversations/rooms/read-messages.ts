import { type DeliveredEnvelope, limits } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { cursorBeyondHead, type LogPageQuery, readPageForDelivery } from '../../delivery/index.ts'
import { requireReader } from './membership.ts'

/** Bytes of messages in one answer, beside the last of them. */
export const { pageBytes } = limits

/** `isMore`: further messages follow on these, which a bound in number or in bytes has left out. */
export type MessagePage = { readonly messages: DeliveredEnvelope[]; readonly isMore: boolean }

/**
 * Messages after `after`, in order, no more than fit into one answer.
 * @throws group.not_member, cursor.beyond_head
 */
export async function readPage(ctx: Context, input: LogPageQuery): Promise<MessagePage> {
  const { groupId, after, maxBytes = pageBytes } = input
  await requireReader(ctx, groupId)
  const { messages, head } = await readPageForDelivery(ctx, { ...input, maxBytes })
  if (after > head) throw cursorBeyondHead(groupId, after, head)
  return { messages: messages.map(({ body }) => JSON.parse(body) as DeliveredEnvelope), isMore: (messages.at(-1)?.seq ?? after) < head }
}

/** The same without being told whether more follows. @throws as `readPage` */
export async function readMessages(ctx: Context, input: LogPageQuery): Promise<DeliveredEnvelope[]> {
  return (await readPage(ctx, input)).messages
}

/** The end of a room's talk, the latest last: at most `count` messages that fit into one answer. @throws group.not_member */
export async function readLastMessages(
  ctx: Context,
  input: { groupId: string; upTo: number; count: number },
): Promise<DeliveredEnvelope[]> {
  const { groupId, upTo, count } = input
  await requireReader(ctx, groupId)
  if (count === 0) return []
  const sizes = await ctx.db.$queryRaw<{ seq: number; bytes: number }[]>`
    select "seq", octet_length("body") as "bytes" from "message"
    where "groupId" = ${groupId} and "seq" <= ${upTo} order by "seq" desc limit ${count}`
  let left = pageBytes
  const fitting = sizes.findIndex((one) => {
    left -= one.bytes
    return left < 0
  })
  // What lies in files is asked for by number alone: the page itself is bounded.
  const first = fitting < 1 ? upTo - count : (sizes[fitting]?.seq ?? 0)
  const after = Math.max(0, first)
  return after < upTo ? (await readPage(ctx, { groupId, after, limit: upTo - after })).messages : []
}
