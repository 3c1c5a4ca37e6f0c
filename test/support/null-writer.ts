import type { Writer } from '../../server/db.ts'

/** For worlds in which no one talks. */
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
