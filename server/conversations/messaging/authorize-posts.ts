import type { Context } from '../../context.ts'
import type { LogState } from '../../delivery/index.ts'
import { DomainError } from '../../errors.ts'
import { consumeRoomRate } from '../../policy/index.ts'
import { notMember } from '../errors.ts'
import type { RoomRow } from '../rooms/conversation-store.ts'
import { chargeMessageBudget } from '../rooms/message-budget.ts'
import type { MessageBudget } from '../rooms/message-budget-store.ts'
import { draftSystemMessage } from './envelope/draft-system-message.ts'
import type { SystemPost } from './sequence-messages.ts'
import { dedupeId, type ValidatedPost } from './validate-post.ts'

/** Locked rooms with their current state. `waited`: no room was skipped because another transaction holds it. */
export type LockedRooms = {
  readonly rows: ReadonlyMap<string, RoomRow>
  readonly logs: ReadonlyMap<string, LogState>
  readonly budgets: ReadonlyMap<string, MessageBudget>
  readonly at: Date
  readonly waited: boolean
}
export type AuthorizedPosts = {
  /** The messages to append in order: the authorized posts, and what the server adds about budgets. */
  readonly messages: readonly (ValidatedPost | SystemPost)[]
  /** For each post: its index in `messages`, or why it has none. */
  readonly positions: readonly (number | 'busy' | { readonly rejected: Error })[]
  /** The budgets that change. */
  readonly budgets: readonly MessageBudget[]
}

/**
 * Decides which posts may be appended: membership, rate limit, turn lease and message budget.
 * Each post is checked against the room as the posts before it leave it. The rooms are locked, so the decision holds when the numbers are
 * assigned.
 */
export function authorizePosts(
  ctx: Context,
  posts: readonly ValidatedPost[],
  { rows, logs, budgets, at, waited }: LockedRooms,
): AuthorizedPosts {
  const messages: (ValidatedPost | SystemPost)[] = []
  const changed = new Map<string, MessageBudget>()
  const seen = new Set<string>()
  const positions = posts.map((post) => {
    const { roomId, sender } = post
    const [row, log] = [rows.get(roomId), logs.get(roomId)]
    if (!row || !log) return waited ? { rejected: notMember(roomId, sender) } : 'busy'
    if (!row.members.has(sender)) return { rejected: notMember(roomId, sender) }
    const id = dedupeId(post)
    // A duplicate gets its first result again, independent of the current turn and budget.
    if (id !== null && log.knownIds.has(id)) return messages.push(post) - 1
    const rejected = tryConsumeRoomRate(ctx, roomId)
    if (rejected) return { rejected }
    const budget = changed.get(roomId) ?? budgets.get(roomId)
    const isNew = id === null || (id >= log.minNewId && !seen.has(`${roomId} ${id}`))
    if (!budget || !isNew) return messages.push(post) - 1
    const charged = chargeMessageBudget(budget, post, row.clientId, at.getTime())
    if ('rejected' in charged) return charged
    if (id !== null) seen.add(`${roomId} ${id}`)
    if (charged.budget !== budget) changed.set(roomId, charged.budget)
    const position = messages.push(post) - 1
    const { notice } = charged
    if (notice) messages.push({ kind: 'notice', roomId, draft: (state) => draftSystemMessage(ctx, { ...notice, roomId }, state) })
    return position
  })
  return { messages, positions, budgets: [...changed.values()] }
}

/** Takes one token from the room's bucket. Returns the error if the bucket is empty, otherwise null. */
export function tryConsumeRoomRate(ctx: Context, roomId: string): DomainError | null {
  try {
    consumeRoomRate(ctx, roomId)
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
