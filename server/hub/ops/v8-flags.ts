import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8 from marking the whole heap, a tenth of a second on every core beside messages that wait, more often than memory asks
 * for it. For all of the process; it has to be called before there is load.
 */
export function tuneGarbageCollector(): void {
  for (const flag of [...noPretenuring, ...lateMarking]) setFlagsFromString(flag)
}

/**
 * Every object begins in the young generation. Under load a message lives as long as it takes to collect that one, so that V8 takes
 * what a message is made of for long-lived, and makes it among the old from then on (allocation-site pretenuring). There it dies
 * within milliseconds all the same, and keeps alive what it points to, until all is marked.
 */
const noPretenuring = ['--no-allocation-site-pretenuring']

/**
 * Marking begins when so many percent are used of what the heap may grow by, not already when what is left of that is less than
 * the young generation holds: V8 lets the heap of a process with steady load grow by some eight megabytes more than this, and load
 * that has made the young generation large would have all of it marked every second. At the second one it doesn't wait for a quiet
 * moment.
 */
const lateMarking = ['--incremental-marking-soft-trigger=80', '--incremental-marking-hard-trigger=90']
