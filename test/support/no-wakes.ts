import type { Wakes } from '../../server/signals/signal.ts'

/** For worlds of one process, in which nobody waits. */
export const noWakes: Wakes = {
  byDatabase: false,
  write: async () => {},
  publish: () => {},
  on: () => () => undefined,
  close: async () => {},
}
