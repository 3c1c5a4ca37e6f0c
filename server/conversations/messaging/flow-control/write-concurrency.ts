import { availableParallelism } from 'node:os'

/** What takes longer is slept through. */
const briefMs = 1
/** Writes under way at a time, each about other rooms: while one waits for the disk, the next is got ready. */
const fewWrites = 2
/** As many beyond these only where so much waits: small ones in numbers cost more than they carry, and keep one another small. */
const worthAnother = 64
const mostWrites = 4
/** With fewer, a brief write is alone: two would be in each other's way, and what waits for it goes together. */
const coresForTwo = 3

/** How writes follow on one another and are waited for, by how long the last of them took. */
export type Pace = {
  /** Whether to begin one beside so many others, while so many messages wait. */
  isWorthOne(others: number, waiting: number): boolean
  /**
   * One begins; it ends with the function that this gives. Where the last one was brief, the process looks for the answer
   * meanwhile instead of sleeping: to be woken takes a tenth of the time that a write takes.
   */
  begin(): () => void
}

/**
 * `onLong`: one that was thought to be brief is not, and others may go beside it now. `polls`: whether it may keep a core busy by
 * looking; it does only where another one is there to do the work, so that who shares its only one with the database sleeps.
 */
export function createPace(
  onLong: () => void,
  polls: boolean,
  cores = availableParallelism(),
  now: () => number = () => performance.now(),
): Pace {
  const mayLook = polls && cores > 1
  let [underWay, until, wasBrief, isLooking] = [0, 0, true, false]

  function look(): void {
    isLooking = underWay > 0 && now() < until
    if (isLooking) setImmediate(look)
    else if (underWay > 0) onLong()
  }

  return {
    isWorthOne(others, waiting) {
      const few = isLooking && cores < coresForTwo ? 1 : fewWrites
      return others < few || (others < mostWrites && waiting >= worthAnother)
    },
    begin() {
      const began = now()
      underWay++
      if (wasBrief && mayLook) {
        until = began + briefMs
        if (!isLooking) look()
      }
      return () => {
        underWay--
        wasBrief = now() - began < briefMs
      }
    },
  }
}
