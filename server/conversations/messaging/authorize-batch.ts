import type { Context } from '../../context.ts'
import type { OpenLog } from '../../delivery/index.ts'
import { DomainError } from '../../errors.ts'
import { admitToRoom } from '../../policy/index.ts'
import { notMember } from '../errors.ts'
import type { Talk } from '../rooms/conversation-store.ts'
import { weigh } from '../rooms/message-budget.ts'
import type { Budget } from '../rooms/message-budget-store.ts'
import { noticeOf } from './envelope/draft-system-message.ts'
import type { Notice } from './sequence-messages.ts'
import { type CheckedPost, givenId } from './validate-post.ts'

/** Rooms that are locked, as they stand now. `waited`: none was left out because somebody else had it. */
export type Locked = {
  readonly talks: ReadonlyMap<string, Talk>
  readonly logs: ReadonlyMap<string, OpenLog>
  readonly budgets: ReadonlyMap<string, Budget>
  readonly at: Date
  readonly waited: boolean
}
export type Admitted = {
  /** What is said, in its order: what was admitted, and what the server says to it. */
  readonly speeches: readonly (CheckedPost | Notice)[]
  /** Of each post: its place among these, or what became of it. */
  readonly places: readonly (number | 'busy' | { readonly refused: Error })[]
  /** The budgets that it changes. */
  readonly budgets: readonly Budget[]
}

/**
 * Who of them may speak, each by the room as those before it leave it: whether it has a place there, is not too loud, has the
 * turn and something left of the budget. The rooms are locked, so that what holds here holds when it gets its number.
 */
export function admitTogether(ctx: Context, posts: readonly CheckedPost[], { talks, logs, budgets, at, waited }: Locked): Admitted {
  const speeches: (CheckedPost | Notice)[] = []
  const changed = new Map<string, Budget>()
  const heard = new Set<string>()
  const places = posts.map((post) => {
    const { groupId, sender } = post
    const [talk, log] = [talks.get(groupId), logs.get(groupId)]
    if (!talk || !log) return waited ? { refused: notMember(groupId, sender) } : 'busy'
    if (!talk.members.has(sender)) return { refused: notMember(groupId, sender) }
    const id = givenId(post)
    // What was said before is answered, whoever has the turn and however full the room is now.
    if (id !== null && log.earlier.has(id)) return speeches.push(post) - 1
    const refused = tooLoud(ctx, groupId)
    if (refused) return { refused }
    const budget = changed.get(groupId) ?? budgets.get(groupId)
    const isNew = id === null || (id >= log.horizon && !heard.has(`${groupId} ${id}`))
    if (!budget || !isNew) return speeches.push(post) - 1
    const weighed = weigh(budget, post, talk.clientId, at.getTime())
    if ('refused' in weighed) return weighed
    if (id !== null) heard.add(`${groupId} ${id}`)
    if (weighed.budget !== budget) changed.set(groupId, weighed.budget)
    const place = speeches.push(post) - 1
    const { notice } = weighed
    if (notice) speeches.push({ kind: 'notice', groupId, draft: (state) => noticeOf(ctx, { ...notice, groupId }, state) })
    return place
  })
  return { speeches, places, budgets: [...changed.values()] }
}

/** Why a room takes no more talk just now; null where it does. */
export function tooLoud(ctx: Context, groupId: string): DomainError | null {
  try {
    admitToRoom(ctx, groupId)
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
