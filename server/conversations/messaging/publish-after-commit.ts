import type { Context } from '../../context.ts'
import { afterCommit } from '../../db.ts'
import type { Appended } from '../../delivery/index.ts'
import type { RoomRow } from '../rooms/conversation-store.ts'
import { messageWriterOf } from './group-commit.ts'

/**
 * What a verb has said in its own transaction goes to this process's readers with the commit, without being read again.
 * `talk`: the conversation as it stands after it, where that is known.
 */
export function publishAfterCommit(tx: Context, { message, minNewId }: NonNullable<Appended['written']>, row: RoomRow | null): void {
  const writer = messageWriterOf(tx)
  const groupId = message.canonical.envelope.group_id
  afterCommit(
    tx,
    () => writer.noteCommitted(message, row && { row, log: { head: message.head, hash: message.hash, knownIds: new Map(), minNewId } }),
    () => writer.invalidate([groupId]),
  )
}
