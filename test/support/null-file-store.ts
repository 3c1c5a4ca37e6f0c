import type { ArchiveFileStore } from '../../server/ports.ts'

/** For tests without archived messages. */
export const nullFileStore: ArchiveFileStore = {
  write: async () => {
    throw new Error('this world has no files of messages')
  },
  read: async () => {
    throw new Error('this world has no files of messages')
  },
  all: () => {
    throw new Error('this world has no files of messages')
  },
  remove: async () => {
    throw new Error('this world has no files of messages')
  },
}
