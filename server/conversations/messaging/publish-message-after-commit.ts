import type { Context } from '../../context.ts'
import { afterCommit } from '../../db.ts'
import type { Appended } from '../../delivery/index.ts'
import type { RoomRow } from '../rooms/conversation-store.ts'
import { groupCommitWriterOf } from './group-commit-writer.ts'

/**
 * Publishes a message that a command wrote in its own transaction to the readers of this process, after the commit and without a read.
 * `row`: the conversation afterwards, if known.
 */
export function publishMessageAfterCommit(tx: Context, { message, minNewId }: NonNullable<Appended['written']>, row: RoomRow | null): void {
  const writer = groupCommitWriterOf(tx)
  const roomId = message.canonical.envelope.room_id
  afterCommit(
    tx,
    () => writer.noteCommitted(message, row && { row, log: { head: message.head, hash: message.hash, knownIds: new Map(), minNewId } }),
    () => writer.invalidate([roomId]),
  )
}
