import { canonicalize, type Did, deadLetteredKind, type Json, type RoomId, signEnvelope } from '@parley/protocol'
import type { Context } from '../context.ts'
import { sortUniqueBySeq } from './archive/read-archived-messages.ts'
import { findCorruptMessages, missingSeqs } from './find-corrupt-messages.ts'
import { type LogPage, type LogPageQuery, type PageBounds, readLogPage, type StoredMessage } from './read-log.ts'

/**
 * Reads the log for delivery. A message that cannot be delivered goes to the dead letter queue.
 * A placeholder of the server takes its sequence number, so that order and cursors stay valid.
 * @throws server.unavailable if an archive file cannot be read
 */
export async function readForDelivery(ctx: Context, input: LogPageQuery): Promise<StoredMessage[]> {
  return (await readPageForDelivery(ctx, input)).messages
}

/** The same with the head of the log. More messages follow unless the page ends there. */
export async function readPageForDelivery(ctx: Context, input: LogPageQuery): Promise<LogPage> {
  const { roomId, limit } = input
  const page = await readLogPage(ctx, input)
  const messages = await replaceCorrupt(ctx, roomId, page.messages, page)
  if (missingFromPage(page, input).length === 0) return { ...page, messages }
  // A message may be in transit to the archive, so a second read confirms that it is missing.
  const again = await readLogPage(ctx, input)
  const placeholders = await Promise.all(
    missingFromPage(again, input).map((seq) => recordDeadLetter(ctx, { roomId, seq, reason: 'The message is missing.' })),
  )
  return {
    ...again,
    messages: sortUniqueBySeq([...placeholders, ...(await replaceCorrupt(ctx, roomId, again.messages, again))]).slice(0, limit),
  }
}

/** Sequence numbers missing from this page, including the last ones of the log. */
const missingFromPage = ({ messages, upTo }: LogPage, { after }: LogPageQuery): number[] => missingSeqs(messages, after, upTo)

/** Replaces corrupt messages by placeholders. Each message is checked against the one before it. */
export async function replaceCorrupt<Row extends StoredMessage>(
  ctx: Context,
  roomId: string,
  rows: readonly Row[],
  ends?: PageBounds,
): Promise<(Row | StoredMessage)[]> {
  const sound: (Row | StoredMessage)[] = []
  const faults = findCorruptMessages(rows, roomId, ends)
  for (const [index, row] of rows.entries()) {
    const reason = faults[index] ?? null
    sound.push(reason === null ? row : { ...(await recordDeadLetter(ctx, { roomId, seq: row.seq, reason })), hash: row.hash })
  }
  return sound
}

/** Records a dead letter and returns its placeholder, which is the same each time. */
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
