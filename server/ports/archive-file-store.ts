/** A message as the table stored it. `receivedAt`: RFC 3339, in UTC. */
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
/** The crash points of a write: half of the messages are written, the file is synced, the file has its final name. */
export type WritingPoint = 'half' | 'synced' | 'named'
/** Archive files. Each is written once and never changed. */
export type ArchiveFileStore = {
  /** Resolves when the file is durable; otherwise there is no file. `rows`: by room in code unit order, then by sequence number. */
  write(name: string, rows: AsyncIterable<readonly ArchivedRow[]>, reached?: (point: WritingPoint) => Promise<void>): Promise<ArchivedFile>
  /** Messages of a room after `after`, in order, at most `limit`. */
  read(file: FileName, input: { roomId: string; after: number; limit: number }): Promise<ArchivedRow[]>
  /** All messages of the file, in the order in which they were written. */
  all(file: FileName): AsyncIterable<readonly ArchivedRow[]>
  /** Deletes the file permanently. A missing file is no error. */
  remove(file: FileName): Promise<void>
}
export type FileName = Pick<ArchivedFile, 'name' | 'sha256'>
