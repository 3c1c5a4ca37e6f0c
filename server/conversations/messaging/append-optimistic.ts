import type { Context } from '../../context.ts'
import { copyMessages, moveLogs } from '../../delivery/index.ts'
import type { DomainError } from '../../errors.ts'
import { versioned } from '../rooms/conversation.ts'
import { areSeated, expectTalks, saveTalksStep } from '../rooms/conversation-store.ts'
import { roomsAfter, type Together } from './append-locked.ts'
import { tooLoud } from './authorize-batch.ts'
import type { KnownRooms } from './room-cache.ts'
import { type OpenRoom, putInOrder } from './sequence-messages.ts'
import type { CheckedPost } from './validate-post.ts'

/** What is to be done with a post: say it, ask the database first, or refuse it. */
export type Way = 'say' | 'ask' | { readonly refused: DomainError }

/**
 * Which of these posts can be said in rooms that are known. One too many is refused; with a signature it may be a repeated
 * one, which only the room's log can tell, and what follows on it in its room waits with it.
 */
export function sortOut(ctx: Context, posts: readonly CheckedPost[], known: KnownRooms): { rooms: Map<string, OpenRoom>; ways: Way[] } {
  const rooms = new Map<string, OpenRoom>()
  const asked = new Set<string>()
  const ways = posts.map((post): Way => {
    const room = asked.has(post.groupId) ? undefined : known.find(post)
    // Where talk is bounded, each word counts on the one before it, whichever process it came through.
    if (!room || room.talk.isBounded) return 'ask'
    // What lies in files the database is asked about.
    if (post.kind === 'signed' && post.sealed.spelled.envelope.id < room.log.horizon) return 'ask'
    const isRepeat = post.kind === 'signed' && room.log.earlier.has(post.sealed.spelled.envelope.id)
    const refused = isRepeat ? null : tooLoud(ctx, post.groupId)
    if (refused && post.kind === 'vouched') return { refused }
    if (refused) {
      asked.add(post.groupId)
      return 'ask'
    }
    rooms.set(post.groupId, room)
    return 'say'
  })
  return { rooms, ways }
}

/**
 * Says posts in rooms that are known, by one message to the database. It fails, and nothing is said, where a room stands
 * otherwise than was thought, is in other hands, or holds one of these messages already.
 */
export async function sayAtOnce(ctx: Context, posts: readonly CheckedPost[], rooms: ReadonlyMap<string, OpenRoom>): Promise<Together> {
  const { outcomes, batches, talks } = await putInOrder(ctx, posts, rooms)
  const spoken = batches.flatMap(({ groupId, messages }) => {
    const [before, after] = [rooms.get(groupId), talks.get(groupId)]
    if (!before || !after) return []
    const conversation = versioned(before.talk.conversation, after.conversation)
    return [{ groupId, messages, before, saved: { ...after, conversation }, isMoved: conversation !== before.talk.conversation }]
  })
  const saved = spoken.map((one) => one.saved)
  if (spoken.length > 0) {
    const moved = saved.flatMap(({ conversation }, index) => (spoken[index]?.isMoved ? [conversation] : []))
    const logs = spoken.map(({ groupId, messages, before }) => ({ groupId, messages, tail: before.log }))
    await ctx.ports.writer.send([
      // Where the talk stands changes only with a message, so that the rooms' logs answer for it where ours doesn't move it.
      ...(moved.length > 0 ? [expectTalks(spoken.flatMap(({ before, isMoved }) => (isMoved ? [before.talk.conversation] : [])))] : []),
      moveLogs(logs, areSeated(posts)),
      copyMessages(batches),
      ...(moved.length > 0 ? [saveTalksStep(moved)] : []),
    ])
  }
  return { outcomes, logs: batches, rooms: roomsAfter(batches, saved, rooms) }
}
