import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 begin every object in its young generation. Under load a message lives as long as it takes to collect that one, so that
 * V8 takes what a message is made of for long-lived, and makes it among the old from then on (allocation-site pretenuring). There
 * it dies within milliseconds all the same, and keeps alive what it points to, until the whole heap is marked: each time for a
 * tenth of a second, beside messages that wait. For all of the process; it has to be called before there is load.
 */
export function keepYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
