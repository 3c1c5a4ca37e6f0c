import type { SignalBus } from '../../server/signals/signal.ts'

/** For worlds of one process, in which nobody waits. */
export const noSignals: SignalBus = {
  isTransactional: false,
  write: async () => {},
  publish: () => {},
  on: () => () => undefined,
  close: async () => {},
}
