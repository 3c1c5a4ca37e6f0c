import type { Context } from '../context.ts'
import { appendBatch, type LogBatch, lockLogs, type OpenLog, recallFiled } from '../delivery/index.ts'
import { DomainError } from '../errors.ts'
import { admitToRoom } from '../policy/index.ts'
import type { CheckedPost } from './check-post.ts'
import { notMember } from './errors.ts'
import { type OpenRoom, type Outcome, putInOrder } from './put-in-order.ts'
import { lockTalks, saveTalks, type Talk } from './talk-rows.ts'

export type Together = {
  readonly outcomes: readonly Outcome[]
  readonly logs: readonly LogBatch[]
  /** The rooms that were spoken in, as they stand now. */
  readonly rooms: ReadonlyMap<string, OpenRoom>
}

/**
 * Says many posts in one transaction, each in its room and in the order in which they came. `wait`: for rooms that somebody
 * else has locked; otherwise these are `busy` and nothing of them is said. `from`: how this process calls itself in wakes.
 */
export async function sayTogether(
  ctx: Context,
  posts: readonly CheckedPost[],
  options: { wait: boolean; from: string },
): Promise<Together> {
  const groupIds = [...new Set(posts.map((post) => post.groupId))].sort()
  return ctx.ports.writer.transact(async (lane) => {
    const talks = await lockTalks(lane, groupIds, [...new Set(posts.map((post) => post.sender))], !options.wait)
    const signed = posts.filter((post) => post.kind === 'signed')
    const asked = signed.map(({ groupId, sealed }) => ({ groupId, id: sealed.spelled.envelope.id }))
    const logs = await recallFiled(ctx, await lockLogs(lane, [...talks.keys()], asked, !options.wait), asked)
    const turns = posts.map((post) => admitted(ctx, post, talks.get(post.groupId), logs.get(post.groupId), options.wait))
    const speaking = posts.filter((_, index) => turns[index] === 'speak')
    const rooms = new Map<string, OpenRoom>()
    for (const [groupId, log] of logs) {
      const talk = talks.get(groupId)
      if (talk) rooms.set(groupId, { talk, log })
    }
    const ordered = await putInOrder(ctx, speaking, rooms)
    const { batches } = ordered
    const after = batches.map(({ groupId }) => saved(rooms, ordered.talks, groupId))
    if (batches.length > 0) {
      await appendBatch(lane, batches, { from: options.from, byDatabase: ctx.ports.wakes.byDatabase })
      await saveTalks(
        lane,
        after.map(({ conversation }) => conversation),
      )
    }
    let next = 0
    const outcomes = turns.map((turn): Outcome => (turn === 'speak' ? (ordered.outcomes[next++] ?? 'busy') : turn))
    return { outcomes, logs: batches, rooms: roomsAfter(batches, after, rooms) }
  })
}

type Turn = 'speak' | 'busy' | { readonly refused: Error }

function admitted(ctx: Context, post: CheckedPost, talk: Talk | undefined, log: OpenLog | undefined, waited: boolean): Turn {
  if (!talk || !log) return waited ? { refused: notMember(post.groupId, post.sender) } : 'busy'
  if (!talk.members.has(post.sender)) return { refused: notMember(post.groupId, post.sender) }
  // What was said before is answered, however full the room is now.
  if (post.kind === 'signed' && log.earlier.has(post.sealed.spelled.envelope.id)) return 'speak'
  try {
    admitToRoom(ctx, post.groupId)
    return 'speak'
  } catch (error) {
    if (error instanceof DomainError) return { refused: error }
    throw error
  }
}

function saved(before: ReadonlyMap<string, OpenRoom>, after: ReadonlyMap<string, Talk>, groupId: string): Talk {
  const [former, now] = [before.get(groupId)?.talk, after.get(groupId)]
  if (!former || !now) throw new Error('a room was written to that was not locked')
  return { ...now, conversation: { ...now.conversation, version: former.conversation.version + 1 } }
}

/** What is kept of rooms once their messages are on the disk; `talks` in the order of `batches`. Ids of our own nobody else can repeat. */
export function roomsAfter(
  batches: readonly LogBatch[],
  talks: readonly Talk[],
  before: ReadonlyMap<string, OpenRoom>,
): Map<string, OpenRoom> {
  return new Map(
    batches.flatMap(({ groupId, messages }, index) => {
      const [last, talk] = [messages.at(-1), talks[index]]
      if (!last || !talk) return []
      const given = messages.filter(({ spelled }) => spelled.envelope.sig !== undefined)
      const earlier = new Map(given.map(({ spelled, head }) => [spelled.envelope.id, { seq: head, bodyHash: spelled.bodyHash }]))
      const horizon = before.get(groupId)?.log.horizon ?? ''
      return [[groupId, { talk, log: { head: last.head, hash: last.hash, earlier, horizon } }] as const]
    }),
  )
}
