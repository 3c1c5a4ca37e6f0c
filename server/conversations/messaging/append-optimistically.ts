import type { Context } from '../../context.ts'
import { advanceHeadsStep, copyMessagesStep } from '../../delivery/index.ts'
import type { DomainError } from '../../errors.ts'
import { bumpVersion } from '../rooms/conversation.ts'
import { expectConversations, membersCondition, saveConversationsStep } from '../rooms/conversation-store.ts'
import { type AppendResult, roomsAfter } from './append-with-locks.ts'
import { tryConsumeRoomRate } from './authorize-posts.ts'
import type { RoomCache } from './room-cache.ts'
import { type RoomSnapshot, sequenceMessages } from './sequence-messages.ts'
import type { ValidatedPost } from './validate-post.ts'

/** What to do with a post: append it optimistically, take the locked path, or reject it. */
export type PostRoute = 'append' | 'lock' | { readonly rejected: DomainError }

/**
 * Selects the posts whose rooms are cached. A post over the rate limit is rejected.
 * A signed post over the limit may be a duplicate, which only the log can decide. It takes the locked path, and so do later posts of its
 * room.
 */
export function partitionPosts(
  ctx: Context,
  posts: readonly ValidatedPost[],
  cache: RoomCache,
): { rooms: Map<string, RoomSnapshot>; routes: PostRoute[] } {
  const rooms = new Map<string, RoomSnapshot>()
  const locked = new Set<string>()
  const routes = posts.map((post): PostRoute => {
    const room = locked.has(post.roomId) ? undefined : cache.find(post)
    // A message budget is shared by all processes, so it needs the row lock.
    if (!room || room.row.isBounded) return 'lock'
    // The database looks up ids that may be in archive files.
    if (post.kind === 'signed' && post.signedEnvelope.canonical.envelope.id < room.log.minNewId) return 'lock'
    const isRepeat = post.kind === 'signed' && room.log.knownIds.has(post.signedEnvelope.canonical.envelope.id)
    const rejected = isRepeat ? null : tryConsumeRoomRate(ctx, post.roomId)
    if (rejected && post.kind === 'vouched') return { rejected }
    if (rejected) {
      locked.add(post.roomId)
      return 'lock'
    }
    rooms.set(post.roomId, room)
    return 'append'
  })
  return { rooms, routes }
}

/**
 * Optimistic concurrency: assigns sequence numbers from the cached room state and sends one pipelined batch.
 * The batch compares the cached heads and members with the stored ones, copies the messages and advances the heads.
 * Fails without writing anything if a room differs from its cached state, is locked, or already holds one of these ids.
 */
export async function appendOptimistically(
  ctx: Context,
  posts: readonly ValidatedPost[],
  rooms: ReadonlyMap<string, RoomSnapshot>,
): Promise<AppendResult> {
  const { outcomes, batches, rows } = await sequenceMessages(ctx, posts, rooms)
  const written = batches.flatMap(({ roomId, messages }) => {
    const [before, after] = [rooms.get(roomId), rows.get(roomId)]
    if (!before || !after) return []
    const conversation = bumpVersion(before.row.conversation, after.conversation)
    return [{ roomId, messages, before, saved: { ...after, conversation }, isMoved: conversation !== before.row.conversation }]
  })
  const rowsAfter = written.map((one) => one.saved)
  if (written.length > 0) {
    const changed = rowsAfter.flatMap(({ conversation }, index) => (written[index]?.isMoved ? [conversation] : []))
    const logs = written.map(({ roomId, messages, before }) => ({ roomId, messages, knownHead: before.log }))
    await ctx.ports.writer.send([
      // A conversation changes only with a message. The check of the log head therefore covers rooms whose conversation stays the same.
      ...(changed.length > 0
        ? [expectConversations(written.flatMap(({ before, isMoved }) => (isMoved ? [before.row.conversation] : [])))]
        : []),
      advanceHeadsStep(logs, membersCondition(posts)),
      copyMessagesStep(batches),
      ...(changed.length > 0 ? [saveConversationsStep(changed)] : []),
    ])
  }
  return { outcomes, logs: batches, rooms: roomsAfter(batches, rowsAfter, rooms) }
}
