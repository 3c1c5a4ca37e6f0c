import type { Context } from '../../context.ts'
import { appendBatchSteps, findArchivedDuplicates, type LogBatch } from '../../delivery/index.ts'
import { bumpVersion } from '../rooms/conversation.ts'
import { lockRooms, membersCondition, type RoomRow, saveConversationsStep } from '../rooms/conversation-store.ts'
import { readBudgets, saveBudgetsStep } from '../rooms/message-budget-store.ts'
import { authorizePosts } from './authorize-posts.ts'
import type { PostOutcome } from './post-result.ts'
import { type RoomSnapshot, sequenceMessages } from './sequence-messages.ts'
import { dedupeId, type ValidatedPost } from './validate-post.ts'

export type AppendResult = {
  readonly outcomes: readonly PostOutcome[]
  readonly logs: readonly LogBatch[]
  /** The rooms that got new messages, with their state after the append. */
  readonly rooms: ReadonlyMap<string, RoomSnapshot>
}

/**
 * The path with pessimistic locking: appends many posts in one transaction under row locks, in their order.
 * `wait`: wait for rooms that another transaction has locked. Otherwise their posts are `busy` and are not written.
 * Fails without writing anything if a sender left its room in the meantime: membership is read before the lock is held.
 */
export async function appendWithLocks(ctx: Context, posts: readonly ValidatedPost[], options: { wait: boolean }): Promise<AppendResult> {
  const roomIds = [...new Set(posts.map((post) => post.roomId))].sort()
  return ctx.ports.writer.transact(async (lane) => {
    const asked = posts.flatMap((post) => {
      const id = dedupeId(post)
      return id === null ? [] : [{ roomId: post.roomId, id }]
    })
    const senders = [...new Set(posts.map((post) => post.sender))]
    const locked = await lockRooms(lane, { roomIds, senders, asked }, { skip: !options.wait })
    const { rows } = locked
    const logs = await findArchivedDuplicates(ctx, locked.logs, asked)
    const budgets = await readBudgets(lane, rows)
    const at = ctx.clock.now()
    const authorized = authorizePosts(ctx, posts, { rows, logs, budgets, at, waited: options.wait })
    const rooms = new Map<string, RoomSnapshot>()
    for (const [roomId, log] of logs) {
      const row = rows.get(roomId)
      if (row) rooms.set(roomId, { row, log })
    }
    const sequenced = await sequenceMessages(ctx, authorized.messages, rooms, at)
    const { batches } = sequenced
    const after = batches.map(({ roomId }) => rowAfter(rooms, sequenced.rows, roomId))
    const changed = after.flatMap(({ conversation }) =>
      conversation === rows.get(conversation.roomId)?.conversation ? [] : [conversation],
    )
    if (batches.length > 0) {
      await lane.pipelineAndCommit([
        ...appendBatchSteps(batches, membersCondition(authorized.messages)),
        ...(changed.length > 0 ? [saveConversationsStep(changed)] : []),
        ...(authorized.budgets.length > 0 ? [saveBudgetsStep(authorized.budgets)] : []),
      ])
    }
    const outcomes = authorized.positions.map(
      (place): PostOutcome => (typeof place === 'number' ? (sequenced.outcomes[place] ?? 'busy') : place),
    )
    return { outcomes, logs: batches, rooms: roomsAfter(batches, after, rooms) }
  })
}

function rowAfter(before: ReadonlyMap<string, RoomSnapshot>, after: ReadonlyMap<string, RoomRow>, roomId: string): RoomRow {
  const [former, now] = [before.get(roomId)?.row, after.get(roomId)]
  if (!former || !now) throw new Error('a room was written to that was not locked')
  return { ...now, conversation: bumpVersion(former.conversation, now.conversation) }
}

/**
 * The room state to cache after the append; `rows` in the order of `batches`. Only ids that clients chose are kept, because no other id
 * can repeat.
 */
export function roomsAfter(
  batches: readonly LogBatch[],
  rows: readonly RoomRow[],
  before: ReadonlyMap<string, RoomSnapshot>,
): Map<string, RoomSnapshot> {
  return new Map(
    batches.flatMap(({ roomId, messages }, index) => {
      const [last, row] = [messages.at(-1), rows[index]]
      if (!last || !row) return []
      const given = messages.filter(({ canonical }) => canonical.envelope.sig !== undefined)
      const knownIds = new Map(given.map(({ canonical, head }) => [canonical.envelope.id, { seq: head, bodyHash: canonical.bodyHash }]))
      const minNewId = before.get(roomId)?.log.minNewId ?? ''
      return [[roomId, { row, log: { head: last.head, hash: last.hash, knownIds, minNewId } }] as const]
    }),
  )
}
