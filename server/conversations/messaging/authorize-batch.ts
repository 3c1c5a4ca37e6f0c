import type { Context } from '../../context.ts'
import type { LogState } from '../../delivery/index.ts'
import { DomainError } from '../../errors.ts'
import { admitToRoom } from '../../policy/index.ts'
import { notMember } from '../errors.ts'
import type { RoomRow } from '../rooms/conversation-store.ts'
import { chargeBudget } from '../rooms/message-budget.ts'
import type { MessageBudget } from '../rooms/message-budget-store.ts'
import { draftSystemMessage } from './envelope/draft-system-message.ts'
import type { SystemPost } from './sequence-messages.ts'
import { dedupeId, type ValidatedPost } from './validate-post.ts'

/** Rooms that are locked, as they stand now. `waited`: none was left out because somebody else had it. */
export type LockedRooms = {
  readonly rows: ReadonlyMap<string, RoomRow>
  readonly logs: ReadonlyMap<string, LogState>
  readonly budgets: ReadonlyMap<string, MessageBudget>
  readonly at: Date
  readonly waited: boolean
}
export type AuthorizedBatch = {
  /** What is said, in its order: what was admitted, and what the server says to it. */
  readonly messages: readonly (ValidatedPost | SystemPost)[]
  /** Of each post: its place among these, or what became of it. */
  readonly positions: readonly (number | 'busy' | { readonly rejected: Error })[]
  /** The budgets that it changes. */
  readonly budgets: readonly MessageBudget[]
}

/**
 * Who of them may speak, each by the room as those before it leave it: whether it has a place there, is not too loud, has the
 * turn and something left of the budget. The rooms are locked, so that what holds here holds when it gets its number.
 */
export function authorizeBatch(
  ctx: Context,
  posts: readonly ValidatedPost[],
  { rows, logs, budgets, at, waited }: LockedRooms,
): AuthorizedBatch {
  const messages: (ValidatedPost | SystemPost)[] = []
  const changed = new Map<string, MessageBudget>()
  const seen = new Set<string>()
  const positions = posts.map((post) => {
    const { groupId, sender } = post
    const [talk, log] = [rows.get(groupId), logs.get(groupId)]
    if (!talk || !log) return waited ? { rejected: notMember(groupId, sender) } : 'busy'
    if (!talk.members.has(sender)) return { rejected: notMember(groupId, sender) }
    const id = dedupeId(post)
    // What was said before is answered, whoever has the turn and however full the room is now.
    if (id !== null && log.knownIds.has(id)) return messages.push(post) - 1
    const rejected = rateLimitError(ctx, groupId)
    if (rejected) return { rejected }
    const budget = changed.get(groupId) ?? budgets.get(groupId)
    const isNew = id === null || (id >= log.minNewId && !seen.has(`${groupId} ${id}`))
    if (!budget || !isNew) return messages.push(post) - 1
    const charged = chargeBudget(budget, post, talk.clientId, at.getTime())
    if ('rejected' in charged) return charged
    if (id !== null) seen.add(`${groupId} ${id}`)
    if (charged.budget !== budget) changed.set(groupId, charged.budget)
    const place = messages.push(post) - 1
    const { notice } = charged
    if (notice) messages.push({ kind: 'notice', groupId, draft: (state) => draftSystemMessage(ctx, { ...notice, groupId }, state) })
    return place
  })
  return { messages, positions, budgets: [...changed.values()] }
}

/** Why a room takes no more talk just now; null where it does. */
export function rateLimitError(ctx: Context, groupId: string): DomainError | null {
  try {
    admitToRoom(ctx, groupId)
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
