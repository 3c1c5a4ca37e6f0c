import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 mark the whole heap less often. Marking takes a tenth of a second on every core and delays messages.
 * Affects the whole process; call it before there is load.
 */
export function tuneGarbageCollector(): void {
  for (const flag of [...noPretenuring, ...lateMarking]) setFlagsFromString(flag)
}

/**
 * Allocates every object in the young generation. Under load, V8 would otherwise classify message objects as long-lived (allocation-site
 * pretenuring).
 * They die within milliseconds, but in the old generation they keep others alive until the next marking.
 */
const noPretenuring = ['--no-allocation-site-pretenuring']

/**
 * Starts marking at these percentages of the heap limit. By default V8 starts when the free space is smaller than the young generation.
 * Under steady load the limit grows by only about 8 MB, so a large young generation would cause marking every second.
 * At the hard limit V8 does not wait for an idle moment.
 */
const lateMarking = ['--incremental-marking-soft-trigger=80', '--incremental-marking-hard-trigger=90']
