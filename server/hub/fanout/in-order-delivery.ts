import type { SeqRange, StoredMessage } from '../../delivery/index.ts'
import type { Log } from '../../log.ts'
import type { MessageBatch } from './message-batch.ts'
import { createMessageBatch } from './message-batch.ts'

/**
 * Delivers the messages of each group to all its readers, once and in order.
 * It reorders messages that arrive early, and fills gaps from the log. A reader that is further behind reads the log itself.
 */
export type InOrderDelivery = {
  /** The group has a reader on this hub, which has or reads all messages up to `head`. */
  track(groupId: string, head: number): void
  /** The group ends at `seq`. */
  noteHead(groupId: string, seq: number): void
  /** Messages that were just committed, starting at `first`. They are delivered at once, or after the messages before them. */
  accept(groupId: string, first: number, bodies: readonly Buffer[]): void
  /** The group has no readers on this hub any more. */
  untrack(groupId: string): void
}

/** Consecutive messages. */
type MessageRun = { readonly first: number; readonly last: number; readonly bodies: readonly Buffer[] }

/** `delivered`: the last message given to readers. `knownHead`: the last one known to exist. `buffered`: messages after a gap. */
type GroupProgress = { delivered: number; knownHead: number; isReading: boolean; buffered: MessageRun[]; bufferedBytes: number }

const batch = 100
/** Messages beyond this limit are read from the log later. */
const maxBufferedBytes = 1_048_576

/** `read`: reads a range of the log. `deliver`: gives a batch to all readers. `notifyReaders`: readers catch up themselves. */
export function createInOrderDelivery(
  log: Log,
  read: (span: SeqRange) => Promise<readonly StoredMessage[]>,
  deliver: (live: MessageBatch) => void,
  notifyReaders: (groupId: string, seq: number) => void,
): InOrderDelivery {
  const groups = new Map<string, GroupProgress>()
  const startAt = (delivered: number): GroupProgress => ({
    delivered,
    knownHead: delivered,
    isReading: false,
    buffered: [],
    bufferedBytes: 0,
  })

  async function catchUp(groupId: string, progress: GroupProgress): Promise<void> {
    progress.isReading = true
    // Signals come in bursts, so one read covers all signals of this turn.
    await null
    try {
      while (progress.delivered < progress.knownHead) {
        const next = progress.buffered[0]
        if (next && next.first <= progress.delivered + 1) {
          releaseBuffered(groupId, progress, next)
          continue
        }
        const upTo = Math.min(progress.knownHead, progress.delivered + batch, next ? next.first - 1 : progress.knownHead)
        const messages = await read({ groupId, after: progress.delivered, upTo })
        const [first, last] = [messages[0], messages.at(-1)]
        if (!first || !last) break
        progress.delivered = last.seq
        const bodies = messages.map(({ body }) => Buffer.from(body))
        deliver(createMessageBatch(groupId, [first.seq, last.seq], bodies))
      }
    } catch (error) {
      log.debug(
        { event: 'fanout.gap_fill_failed', err: error, groupId },
        'Messages of another process were not read. Subscriptions read them.',
      )
      progress.delivered = Math.max(progress.delivered, progress.knownHead)
      notifyReaders(groupId, progress.knownHead)
    } finally {
      progress.isReading = false
      progress.buffered = []
      progress.bufferedBytes = 0
    }
  }

  /** Delivers the next buffered run. Part of it may have been read from the log. */
  function releaseBuffered(groupId: string, progress: GroupProgress, { first, last, bodies }: MessageRun): void {
    progress.buffered.shift()
    progress.bufferedBytes -= sizeOf(bodies)
    const from = progress.delivered + 1
    if (last < from) return
    progress.delivered = last
    deliver(createMessageBatch(groupId, [from, last], bodies.slice(from - first)))
  }

  function buffer(progress: GroupProgress, run: MessageRun): void {
    const bytes = sizeOf(run.bodies)
    const behind = progress.buffered.at(-1)?.last ?? 0
    if (run.first <= behind || progress.bufferedBytes + bytes > maxBufferedBytes) return
    progress.buffered.push(run)
    progress.bufferedBytes += bytes
  }

  return {
    track(groupId, head) {
      if (!groups.has(groupId)) groups.set(groupId, startAt(head))
    },
    noteHead(groupId, seq) {
      const place = groups.get(groupId)
      if (!place) {
        groups.set(groupId, startAt(seq))
        return notifyReaders(groupId, seq)
      }
      if (seq <= place.knownHead) return
      place.knownHead = seq
      if (!place.isReading && place.delivered < seq) void catchUp(groupId, place)
    },
    accept(groupId, first, bodies) {
      const last = first + bodies.length - 1
      const place = groups.get(groupId) ?? startAt(first - 1)
      groups.set(groupId, place)
      if (last <= place.delivered) return
      place.knownHead = Math.max(place.knownHead, last)
      if (place.isReading || first > place.delivered + 1) {
        buffer(place, { first, last, bodies })
        if (!place.isReading) void catchUp(groupId, place)
        return
      }
      const from = place.delivered + 1
      place.delivered = last
      try {
        deliver(createMessageBatch(groupId, [from, last], first === from ? bodies : bodies.slice(from - first)))
      } catch (error) {
        // The messages are durable, and an error in one room must not affect others. Readers of this room read the log.
        log.error({ event: 'fanout.encode_failed', err: error, groupId }, 'A new message could not be encoded as a frame.')
        notifyReaders(groupId, last)
      }
    },
    untrack: (groupId) => void groups.delete(groupId),
  }
}

const sizeOf = (bodies: readonly Buffer[]) => bodies.reduce((sum, { length }) => sum + length, 0)
