/** A message as it lay in the table. `receivedAt`: RFC 3339, in UTC. */
export type ArchivedRow = {
  readonly roomId: string
  readonly seq: number
  readonly id: string
  readonly senderId: string
  readonly type: string
  readonly state: string
  readonly taskId: string | null
  readonly body: string
  readonly bodyHash: string
  readonly hash: string
  readonly receivedAt: string
}
/** A file of messages: those of the table `name`. `sha256`: of its bytes, in hex. */
export type ArchivedFile = { readonly name: string; readonly messages: number; readonly bytes: number; readonly sha256: string }
/** How far a file has come: its messages are in it, it is on the disk, it has its name. */
export type WritingPoint = 'half' | 'synced' | 'named'
/** Files of messages, each written once and never changed. */
export type ArchiveFileStore = {
  /** Resolves once it is on the disk, else there is no file. `rows` by room, in code units' order, then by number make one file. */
  write(name: string, rows: AsyncIterable<readonly ArchivedRow[]>, reached?: (point: WritingPoint) => Promise<void>): Promise<ArchivedFile>
  /** Messages of a room behind `after`, in order, at most `limit`. */
  read(file: FileName, input: { roomId: string; after: number; limit: number }): Promise<ArchivedRow[]>
  /** Everything in it, from the disk, in the order in which it was written. */
  all(file: FileName): AsyncIterable<readonly ArchivedRow[]>
  /** Gone permanently; one that is gone already is no error. */
  remove(file: FileName): Promise<void>
}
export type FileName = Pick<ArchivedFile, 'name' | 'sha256'>
