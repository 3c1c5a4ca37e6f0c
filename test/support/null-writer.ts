import type { Writer } from '../../server/db.ts'

/** For tests without messages. */
export const nullWriter: Writer = {
  transact: async () => {
    throw new Error('this world has no writer')
  },
  send: async () => {
    throw new Error('this world has no writer')
  },
  busyPolling: false,
  close: async () => {},
}
