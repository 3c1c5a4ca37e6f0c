import { canonicalize, type Did, deadLetteredKind, type Json, type RoomId, signEnvelope } from '@parley/protocol'
import type { Context } from '../context.ts'
import { findCorruptMessages } from './find-corrupt-messages.ts'
import { readLogPage, type StoredMessage } from './read-stored-messages.ts'

/** Adds a message to the dead letter queue, and returns its placeholder, which is the same each time. */
export async function recordDeadLetter(ctx: Context, input: { roomId: string; seq: number; reason: string }): Promise<StoredMessage> {
  const { roomId, seq, reason } = input
  const key = { roomId_seq: { roomId, seq } }
  const known = await ctx.db.messageDeadLetter.findUnique({ where: key })
  if (known && known.releasedAt === null) return { seq, body: known.placeholder, hash: '' }
  ctx.log.error({ event: 'message.dead_lettered', roomId, seq, reason }, 'A message cannot be delivered and is a dead letter now.')
  const at = ctx.clock.now()
  const placeholder = known?.placeholder ?? (await placeholderFor(ctx, roomId, seq, at))
  const row = await ctx.db.messageDeadLetter.upsert({
    where: key,
    create: { roomId, seq, reason, at, placeholder },
    update: { reason, at, releasedAt: null },
  })
  return { seq, body: row.placeholder, hash: '' }
}

async function placeholderFor(ctx: Context, roomId: string, seq: number, at: Date): Promise<string> {
  const envelope = await signEnvelope(ctx.ports.signer, {
    id: ctx.ids.uuid(),
    room_id: roomId as RoomId,
    sender_id: ctx.market.serverDid as Did,
    state: 'discussion',
    type: 'error',
    parts: [{ text: `Message ${seq} of this room can't be delivered just now.` }, { data: { kind: deadLetteredKind, seq } }],
  })
  return canonicalize({ ...envelope, seq, received_at: at.toISOString() } as Json)
}

/** A dead letter that was not released yet. */
export type DeadLetter = { readonly roomId: string; readonly seq: number; readonly reason: string; readonly at: Date }

export async function listMessageDeadLetters(ctx: Context): Promise<DeadLetter[]> {
  return ctx.db.messageDeadLetter.findMany({
    where: { releasedAt: null },
    orderBy: { at: 'desc' },
    take: 200,
    select: { roomId: true, seq: true, reason: true, at: true },
  })
}

/**
 * Checks a dead letter again, in the caller's transaction.
 * Null if the message is sound; it is released and later reads return it. Otherwise the reason; undefined if it is not a dead letter.
 */
export async function recheckDeadLetter(tx: Context, { roomId, seq }: { roomId: string; seq: number }): Promise<string | null | undefined> {
  await tx.db.$queryRaw`select 1 from "message_dead_letter" where "roomId" = ${roomId} and "seq" = ${seq} for update`
  const deadLetter = await tx.db.messageDeadLetter.findUnique({ where: { roomId_seq: { roomId, seq } } })
  if (!deadLetter || deadLetter.releasedAt !== null) return undefined
  const page = await readLogPage(tx, { roomId, after: seq - 1, limit: 1 })
  const [reason = null] = page.messages[0]?.seq === seq ? findCorruptMessages(page.messages, roomId, page) : ['The message is missing.']
  const data = reason === null ? { releasedAt: tx.clock.now() } : { reason }
  await tx.db.messageDeadLetter.update({ where: { roomId_seq: { roomId, seq } }, data })
  return reason
}
