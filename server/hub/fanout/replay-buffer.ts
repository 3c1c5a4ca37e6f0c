import type { MessageBatch } from './message-batch.ts'

/** Of all rooms together; a reader that is later than this reads the log. */
const maxBytes = 64 * 2 ** 20
/** A reader may have to wait so long for the processor; who is slower than that has a slow line. */
const retentionMs = 2_000

/**
 * What was just given out and somebody was late for: to have each of them read the log for itself would cost more than all that was said,
 * and keep them late.
 */
export type ReplayBuffer = {
  add(batch: MessageBatch): void
  /** What follows on `seq` in this group, where it is still here. */
  after(groupId: string, seq: number): MessageBatch | null
  /** How many messages after `seq` are not here until some of this group are; infinite where none is. */
  gapAfter(groupId: string, seq: number): number
  close(): void
}

export function createReplayBuffer(byteLimit = maxBytes, now: () => number = () => performance.now()): ReplayBuffer {
  const byGroup = new Map<string, MessageBatch[]>()
  /** All of them, from the oldest on. */
  let kept: { readonly batch: MessageBatch; readonly at: number }[] = []
  let first = 0
  let bytes = 0
  let expiryTimer: NodeJS.Timeout | undefined

  function prune(): void {
    for (let oldest = kept[first]; oldest && (bytes > byteLimit || now() - oldest.at > retentionMs); oldest = kept[++first]) {
      const { groupId } = oldest.batch
      const ofGroup = byGroup.get(groupId)
      ofGroup?.shift()
      if (ofGroup?.length === 0) byGroup.delete(groupId)
      bytes -= oldest.batch.bytes
    }
    if (first > kept.length / 2) {
      kept = kept.slice(first)
      first = 0
    }
  }

  /** The first of these that begin after `seq`. */
  function firstBeyond(groupId: string, seq: number): MessageBatch | undefined {
    const ofGroup = byGroup.get(groupId) ?? []
    let [low, high] = [0, ofGroup.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ofGroup[middle]?.first ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return ofGroup[low]
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
      const ofGroup = byGroup.get(batch.groupId)
      if (ofGroup) ofGroup.push(batch)
      else byGroup.set(batch.groupId, [batch])
      prune()
      scheduleExpiry()
    },
    after(groupId, seq) {
      const found = firstBeyond(groupId, seq)
      return found?.first === seq + 1 ? found : null
    },
    gapAfter: (groupId, seq) => (firstBeyond(groupId, seq)?.first ?? Number.POSITIVE_INFINITY) - seq - 1,
    close: () => clearTimeout(expiryTimer),
  }
}
