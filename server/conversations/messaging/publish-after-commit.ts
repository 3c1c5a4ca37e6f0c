import type { Context } from '../../context.ts'
import { afterCommit } from '../../db.ts'
import type { Appended } from '../../delivery/index.ts'
import type { Talk } from '../rooms/conversation-store.ts'
import { switchboardOf } from './group-commit.ts'

/**
 * What a verb has said in its own transaction goes to this process's readers with the commit, without being read again.
 * `talk`: the conversation as it stands after it, where that is known.
 */
export function tellCommitted(tx: Context, { message, horizon }: NonNullable<Appended['written']>, talk: Talk | null): void {
  const board = switchboardOf(tx)
  const groupId = message.spelled.envelope.group_id
  afterCommit(
    tx,
    () => board.hear(message, talk && { talk, log: { head: message.head, hash: message.hash, earlier: new Map(), horizon } }),
    () => board.lookAgain([groupId]),
  )
}
