import type { Context } from '../../context.ts'
import { appendSteps, type LogBatch, recallFiled } from '../../delivery/index.ts'
import { versioned } from '../rooms/conversation.ts'
import { areSeated, lockRooms, saveTalksStep, type Talk } from '../rooms/conversation-store.ts'
import { readBudgets, saveBudgetsStep } from '../rooms/message-budget-store.ts'
import { admitTogether } from './authorize-batch.ts'
import type { Outcome } from './post-result.ts'
import { type OpenRoom, putInOrder } from './sequence-messages.ts'
import { type CheckedPost, givenId } from './validate-post.ts'

export type Together = {
  readonly outcomes: readonly Outcome[]
  readonly logs: readonly LogBatch[]
  /** The rooms that were spoken in, as they stand now. */
  readonly rooms: ReadonlyMap<string, OpenRoom>
}

/**
 * Says many posts in one transaction, each in its room and in the order in which they came. `wait`: for rooms that somebody
 * else has locked; otherwise these are `busy` and nothing of them is said. Fails, and nothing is said, where one of them has
 * left its room since this began: whoever waits for a lock has read before it who is there.
 */
export async function sayTogether(ctx: Context, posts: readonly CheckedPost[], options: { wait: boolean }): Promise<Together> {
  const groupIds = [...new Set(posts.map((post) => post.groupId))].sort()
  return ctx.ports.writer.transact(async (lane) => {
    const asked = posts.flatMap((post) => {
      const id = givenId(post)
      return id === null ? [] : [{ groupId: post.groupId, id }]
    })
    const locked = await lockRooms(lane, groupIds, [...new Set(posts.map((post) => post.sender))], asked, !options.wait)
    const { talks } = locked
    const logs = await recallFiled(ctx, locked.logs, asked)
    const budgets = await readBudgets(lane, talks)
    const at = ctx.clock.now()
    const admitted = admitTogether(ctx, posts, { talks, logs, budgets, at, waited: options.wait })
    const rooms = new Map<string, OpenRoom>()
    for (const [groupId, log] of logs) {
      const talk = talks.get(groupId)
      if (talk) rooms.set(groupId, { talk, log })
    }
    const ordered = await putInOrder(ctx, admitted.speeches, rooms, at)
    const { batches } = ordered
    const after = batches.map(({ groupId }) => saved(rooms, ordered.talks, groupId))
    const moved = after.flatMap(({ conversation }) =>
      conversation === talks.get(conversation.groupId)?.conversation ? [] : [conversation],
    )
    if (batches.length > 0) {
      await lane.end([
        ...appendSteps(batches, areSeated(admitted.speeches)),
        ...(moved.length > 0 ? [saveTalksStep(moved)] : []),
        ...(admitted.budgets.length > 0 ? [saveBudgetsStep(admitted.budgets)] : []),
      ])
    }
    const outcomes = admitted.places.map((place): Outcome => (typeof place === 'number' ? (ordered.outcomes[place] ?? 'busy') : place))
    return { outcomes, logs: batches, rooms: roomsAfter(batches, after, rooms) }
  })
}

function saved(before: ReadonlyMap<string, OpenRoom>, after: ReadonlyMap<string, Talk>, groupId: string): Talk {
  const [former, now] = [before.get(groupId)?.talk, after.get(groupId)]
  if (!former || !now) throw new Error('a room was written to that was not locked')
  return { ...now, conversation: versioned(former.conversation, now.conversation) }
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
