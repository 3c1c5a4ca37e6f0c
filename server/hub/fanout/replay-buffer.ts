import type { LiveMessages } from './message-batch.ts'

/** Of all rooms together; a reader that is later than this reads the log. */
const mostBytes = 64 * 2 ** 20
/** A reader may have to wait so long for the processor; who is slower than that has a slow line. */
const keptMs = 2_000

/**
 * What was just given out and somebody was late for: to have each of them read the log for itself would cost more than all that was said,
 * and keep them late.
 */
export type Recent = {
  note(live: LiveMessages): void
  /** What follows on `seq` in this group, where it is still here. */
  after(groupId: string, seq: number): LiveMessages | null
  /** How many messages after `seq` are not here until some of this group are; infinite where none is. */
  gapAfter(groupId: string, seq: number): number
  close(): void
}

export function createRecent(most = mostBytes, now: () => number = () => performance.now()): Recent {
  const byGroup = new Map<string, LiveMessages[]>()
  /** All of them, from the oldest on. */
  let kept: { readonly live: LiveMessages; readonly at: number }[] = []
  let first = 0
  let bytes = 0
  let forgetting: NodeJS.Timeout | undefined

  function prune(): void {
    for (let oldest = kept[first]; oldest && (bytes > most || now() - oldest.at > keptMs); oldest = kept[++first]) {
      const { groupId } = oldest.live
      const ofGroup = byGroup.get(groupId)
      ofGroup?.shift()
      if (ofGroup?.length === 0) byGroup.delete(groupId)
      bytes -= oldest.live.bytes
    }
    if (first > kept.length / 2) {
      kept = kept.slice(first)
      first = 0
    }
  }

  /** The first of these that begin after `seq`. */
  function firstBeyond(groupId: string, seq: number): LiveMessages | undefined {
    const ofGroup = byGroup.get(groupId) ?? []
    let [low, high] = [0, ofGroup.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ofGroup[middle]?.first ?? 0) <= seq) low = middle + 1
      else high = middle
    }
    return ofGroup[low]
  }

  function forgetInTime(): void {
    forgetting = undefined
    prune()
    if (kept.length > 0) expect()
  }
  function expect(): void {
    forgetting ??= setTimeout(forgetInTime, keptMs).unref()
  }

  return {
    note(live) {
      kept.push({ live, at: now() })
      bytes += live.bytes
      const ofGroup = byGroup.get(live.groupId)
      if (ofGroup) ofGroup.push(live)
      else byGroup.set(live.groupId, [live])
      prune()
      expect()
    },
    after(groupId, seq) {
      const found = firstBeyond(groupId, seq)
      return found?.first === seq + 1 ? found : null
    },
    gapAfter: (groupId, seq) => (firstBeyond(groupId, seq)?.first ?? Number.POSITIVE_INFINITY) - seq - 1,
    close: () => clearTimeout(forgetting),
  }
}
