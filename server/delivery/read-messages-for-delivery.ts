import type { Context } from '../context.ts'
import { sortUniqueBySeq } from './archive/read-archived-messages.ts'
import { findCorruptMessages, missingSeqs } from './find-corrupt-messages.ts'
import { recordDeadLetter } from './message-dead-letter-store.ts'
import { type LogPage, type LogPageQuery, type PageBounds, readLogPage, type StoredMessage } from './read-stored-messages.ts'

/**
 * Reads the log for delivery. A message that cannot be delivered goes to the dead letter queue.
 * A placeholder of the server takes its sequence number, so that order and cursors stay valid.
 * @throws server.unavailable if an archive file cannot be read
 */
export async function readMessagesForDelivery(ctx: Context, input: LogPageQuery): Promise<StoredMessage[]> {
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
