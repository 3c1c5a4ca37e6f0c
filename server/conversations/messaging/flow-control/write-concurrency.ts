import { availableParallelism } from 'node:os'

/** Writes up to this duration are awaited by busy polling, longer ones by sleeping. */
const shortWriteMs = 1
/** Concurrent writes, each to different rooms: one waits for the disk while the process prepares the next. */
const baseWrites = 2
/** More writes start only with this queue length: many small batches cost more than a few large ones. */
const minQueueForExtraWrite = 64
const maxWrites = 4
/** With fewer cores only one short write runs at a time, so that the queue forms one larger batch. */
const minCoresForTwoWrites = 3

/** Adaptive concurrency of group commits, controlled by the duration of the last write. */
export type WriteConcurrency = {
  /** True if one more write may start beside `others`, with `waiting` messages in the queue. */
  mayStartWrite(others: number, waiting: number): boolean
  /**
   * Starts a write and returns the function that ends it.
   * After a short write the process busy-polls instead of sleeping, because a wake-up takes a tenth of the duration of a write.
   */
  startWrite(): () => void
}

/**
 * `onLongWrite`: a write expected to be short is not, so another one may start.
 * `polls`: busy polling is allowed. It needs a second core, because the database may share the only one.
 */
export function createWriteConcurrency(
  onLongWrite: () => void,
  polls: boolean,
  cores = availableParallelism(),
  now: () => number = () => performance.now(),
): WriteConcurrency {
  const mayPoll = polls && cores > 1
  let [inFlight, until, wasShort, isPolling] = [0, 0, true, false]

  function poll(): void {
    isPolling = inFlight > 0 && now() < until
    if (isPolling) setImmediate(poll)
    else if (inFlight > 0) onLongWrite()
  }

  return {
    mayStartWrite(others, waiting) {
      const base = isPolling && cores < minCoresForTwoWrites ? 1 : baseWrites
      return others < base || (others < maxWrites && waiting >= minQueueForExtraWrite)
    },
    startWrite() {
      const began = now()
      inFlight++
      if (wasShort && mayPoll) {
        until = began + shortWriteMs
        if (!isPolling) poll()
      }
      return () => {
        inFlight--
        wasShort = now() - began < shortWriteMs
      }
    },
  }
}
