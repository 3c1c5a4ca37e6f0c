import type { MessageBatch } from './message-batch.ts'

/** The size limit over all rooms. A reader that is further behind reads the log. */
const maxBytes = 64 * 2 ** 20
/** Long enough for readers delayed by CPU load; a slower reader has a slow connection. */
const retentionMs = 2_000

/** Recent batches that some reader was late for. If each late reader read the log instead, the load would keep all of them late. */
export type ReplayBuffer = {
  add(batch: MessageBatch): void
  /** The batch that starts after `seq`, if buffered. */
  after(roomId: string, seq: number): MessageBatch | null
  /** The number of messages between `seq` and the next buffered batch; infinite if there is none. */
  gapAfter(roomId: string, seq: number): number
  close(): void
}

export function createReplayBuffer(byteLimit = maxBytes, now: () => number = () => performance.now()): ReplayBuffer {
  const byRoom = new Map<string, MessageBatch[]>()
  /** All batches, oldest first. */
  let kept: { readonly batch: MessageBatch; readonly at: number }[] = []
  let first = 0
  let bytes = 0
  let expiryTimer: NodeJS.Timeout | undefined

  function prune(): void {
    for (let oldest = kept[first]; oldest && (bytes > byteLimit || now() - oldest.at > retentionMs); oldest = kept[++first]) {
      const { roomId } = oldest.batch
      const ofRoom = byRoom.get(roomId)
      ofRoom?.shift()
      if (ofRoom?.length === 0) byRoom.delete(roomId)
      bytes -= oldest.batch.bytes
    }
    if (first > kept.length / 2) {
      kept = kept.slice(first)
      first = 0
    }
  }

  /** The first batch that starts after `seq`. */
  function firstBeyond(roomId: string, seq: number): MessageBatch | undefined {
    const ofRoom = byRoom.get(roomId) ?? []
    let [low, high] = [0, ofRoom.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ofRoom[middle]?.first ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return ofRoom[low]
  }

  function expire(): void {
    expiryTimer = undefined
    prune()
    if (kept.length > 0) scheduleExpiry()
  }
  function scheduleExpiry(): void {
    expiryTimer ??= setTimeout(expire, retentionMs).unref()
  }

  return {
    add(batch) {
      kept.push({ batch, at: now() })
      bytes += batch.bytes
      const ofRoom = byRoom.get(batch.roomId)
      if (ofRoom) ofRoom.push(batch)
      else byRoom.set(batch.roomId, [batch])
      prune()
      scheduleExpiry()
    },
    after(roomId, seq) {
      const found = firstBeyond(roomId, seq)
      return found?.first === seq + 1 ? found : null
    },
    gapAfter: (roomId, seq) => (firstBeyond(roomId, seq)?.first ?? Number.POSITIVE_INFINITY) - seq - 1,
    close: () => clearTimeout(expiryTimer),
  }
}
