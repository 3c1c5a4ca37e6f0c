import type { SignalBus } from '../../server/signals/signal.ts'

/** For tests with one process, in which no reader waits for signals. */
export const nullSignals: SignalBus = {
  isTransactional: false,
  write: async () => {},
  publish: () => {},
  on: () => () => undefined,
  close: async () => {},
}
