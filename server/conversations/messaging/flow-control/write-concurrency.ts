import { availableParallelism } from 'node:os'

/** What takes longer is slept through. */
const shortWriteMs = 1
/** Writes under way at a time, each about other rooms: while one waits for the disk, the next is got ready. */
const baseWrites = 2
/** As many beyond these only where so much waits: small ones in numbers cost more than they carry, and keep one another small. */
const minQueueForExtraWrite = 64
const maxWrites = 4
/** With fewer, a brief write is alone: two would be in each other's way, and what waits for it goes together. */
const minCoresForTwoWrites = 3

/** How writes follow on one another and are waited for, by how long the last of them took. */
export type WriteConcurrency = {
  /** Whether to begin one beside so many others, while so many messages wait. */
  mayStartWrite(others: number, waiting: number): boolean
  /**
   * One begins; it ends with the function that this gives. Where the last one was brief, the process looks for the answer
   * meanwhile instead of sleeping: to be woken takes a tenth of the time that a write takes.
   */
  startWrite(): () => void
}

/**
 * `onLong`: one that was thought to be brief is not, and others may go beside it now. `polls`: whether it may keep a core busy by
 * looking; it does only where another one is there to do the work, so that who shares its only one with the database sleeps.
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
