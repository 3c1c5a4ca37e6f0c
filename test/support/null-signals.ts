import type { SignalBus } from '../../server/signals/signal.ts'

/** For worlds of one process, in which no one waits. */
export const nullSignals: SignalBus = {
  isTransactional: false,
  write: async () => {},
  publish: () => {},
  on: () => () => undefined,
  close: async () => {},
}
