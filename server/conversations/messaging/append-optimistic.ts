import type { Context } from '../../context.ts'
import { advanceHeadsStep, copyMessagesStep } from '../../delivery/index.ts'
import type { DomainError } from '../../errors.ts'
import { bumpVersion } from '../rooms/conversation.ts'
import { expectConversations, membersCondition, saveConversationsStep } from '../rooms/conversation-store.ts'
import { type AppendResult, roomsAfter } from './append-locked.ts'
import { rateLimitError } from './authorize-batch.ts'
import type { RoomCache } from './room-cache.ts'
import { type RoomSnapshot, sequenceMessages } from './sequence-messages.ts'
import type { ValidatedPost } from './validate-post.ts'

/** What is to be done with a post: say it, ask the database first, or refuse it. */
export type PostRoute = 'append' | 'lock' | { readonly rejected: DomainError }

/**
 * Which of these posts can be said in rooms that are known. One too many is refused; with a signature it may be a repeated
 * one, which only the room's log can tell, and what follows on it in its room waits with it.
 */
export function partitionPosts(
  ctx: Context,
  posts: readonly ValidatedPost[],
  cache: RoomCache,
): { rooms: Map<string, RoomSnapshot>; routes: PostRoute[] } {
  const rooms = new Map<string, RoomSnapshot>()
  const locked = new Set<string>()
  const routes = posts.map((post): PostRoute => {
    const room = locked.has(post.groupId) ? undefined : cache.find(post)
    // Where talk is bounded, each word counts on the one before it, whichever process it came through.
    if (!room || room.row.isBounded) return 'lock'
    // What lies in files the database is asked about.
    if (post.kind === 'signed' && post.signedEnvelope.canonical.envelope.id < room.log.minNewId) return 'lock'
    const isRepeat = post.kind === 'signed' && room.log.knownIds.has(post.signedEnvelope.canonical.envelope.id)
    const rejected = isRepeat ? null : rateLimitError(ctx, post.groupId)
    if (rejected && post.kind === 'vouched') return { rejected }
    if (rejected) {
      locked.add(post.groupId)
      return 'lock'
    }
    rooms.set(post.groupId, room)
    return 'append'
  })
  return { rooms, routes }
}

/**
 * Says posts in rooms that are known, by one message to the database. It fails, and nothing is said, where a room stands
 * otherwise than was thought, is in other hands, or holds one of these messages already.
 */
export async function appendOptimistically(
  ctx: Context,
  posts: readonly ValidatedPost[],
  rooms: ReadonlyMap<string, RoomSnapshot>,
): Promise<AppendResult> {
  const { outcomes, batches, rows } = await sequenceMessages(ctx, posts, rooms)
  const written = batches.flatMap(({ groupId, messages }) => {
    const [before, after] = [rooms.get(groupId), rows.get(groupId)]
    if (!before || !after) return []
    const conversation = bumpVersion(before.row.conversation, after.conversation)
    return [{ groupId, messages, before, saved: { ...after, conversation }, isMoved: conversation !== before.row.conversation }]
  })
  const rowsAfter = written.map((one) => one.saved)
  if (written.length > 0) {
    const changed = rowsAfter.flatMap(({ conversation }, index) => (written[index]?.isMoved ? [conversation] : []))
    const logs = written.map(({ groupId, messages, before }) => ({ groupId, messages, knownHead: before.log }))
    await ctx.ports.writer.send([
      // Where the talk stands changes only with a message, so that the rooms' logs answer for it where ours doesn't move it.
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
