import type { ConversationState, MessageLimits } from '@parley/protocol'
import { type Context, mayOperate } from '../../context.ts'
import { openLog } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { conversationNotFound, notMember } from '../errors.ts'
import type { ConversationRecord } from './conversation.ts'
import { createMessageBudget, findMessageLimits } from './message-budget-store.ts'

export type RoomMember = {
  readonly memberId: string
  readonly agentId: string | null
  readonly role: 'client' | 'principal' | 'member'
  readonly leftAt: string | null
}

/**
 * Opens a goal's room with its client as the only member. Others can read it after they join or after it is published.
 * `within`: the parent room, whose message limits apply here too, counted separately.
 */
export async function openRoom(
  tx: Context,
  input: {
    goalId: string
    clientId: string
    requiresConfirmation?: boolean
    messageLimits?: MessageLimits | undefined
    within?: string
    isPublic?: boolean
  },
): Promise<`rom_${string}`> {
  const roomId = tx.ids.next('rom')
  await openLog(tx, { id: roomId, kind: 'room' })
  await tx.db.conversation.create({
    data: {
      roomId,
      goalId: input.goalId,
      requiresConfirmation: input.requiresConfirmation ?? false,
      nextSpeakers: [],
      triggers: [],
      isPublic: input.isPublic ?? false,
    },
  })
  await createMessageBudget(tx, roomId, input.within === undefined ? input.messageLimits : await findMessageLimits(tx, input.within))
  await joinRoom(tx, { roomId, memberId: input.clientId, agentId: null, ownerId: null, role: 'client' })
  return roomId
}

/** Makes the room readable for everyone. */
export async function publishRoom(tx: Context, roomId: string): Promise<void> {
  await tx.db.conversation.update({ where: { roomId }, data: { isPublic: true } })
}

/** Adds a member, or adds a former member again. */
export async function joinRoom(
  tx: Context,
  member: { roomId: string; memberId: string; agentId: string | null; ownerId: string | null; role: RoomMember['role'] },
): Promise<void> {
  const { roomId, memberId } = member
  await tx.db.membership.upsert({
    where: { roomId_memberId: { roomId, memberId } },
    create: { ...member, joinedAt: tx.clock.now() },
    update: { leftAt: null, role: member.role },
  })
  if (member.agentId) await sendSignal(tx, { topic: 'agent', id: member.agentId })
}

/** Ends a membership. A former member can read nothing of the room, including earlier messages. */
export async function leaveRoom(tx: Context, input: { roomId: string; memberId: string }): Promise<void> {
  const left = await tx.db.membership.updateMany({ where: { ...input, leftAt: null, role: 'member' }, data: { leftAt: tx.clock.now() } })
  const row = left.count > 0 ? await tx.db.membership.findUnique({ where: { roomId_memberId: input } }) : null
  if (row?.agentId) await sendSignal(tx, { topic: 'agent', id: row.agentId })
}

export async function listMembers(ctx: Context, roomId: string): Promise<RoomMember[]> {
  const rows = await ctx.db.membership.findMany({ where: { roomId }, orderBy: { joinedAt: 'asc' } })
  return rows.map((row) => ({ memberId: row.memberId, agentId: row.agentId, role: row.role, leftAt: row.leftAt?.toISOString() ?? null }))
}

/** The owner of a member agent in a goal's rooms; null for people and for agents that were never members. */
export async function findOwner(ctx: Context, input: { goalId: string; memberId: string }): Promise<string | null> {
  const [row] = await ctx.db.$queryRaw<{ ownerId: string | null }[]>`
    select m."ownerId" from "membership" m join "conversation" c on c."roomId" = m."roomId"
    where c."goalId" = ${input.goalId} and m."memberId" = ${input.memberId} and m."ownerId" is not null limit 1`
  return row?.ownerId ?? null
}

/** The ids of a member's current rooms. */
export async function listRoomsOf(ctx: Context, memberId: string): Promise<string[]> {
  return (await listRoomsOfEach(ctx, [memberId]))[0] ?? []
}

/** The same for many members, in their order. */
export async function listRoomsOfEach(ctx: Context, memberIds: readonly string[]): Promise<string[][]> {
  const rows = await ctx.db.$queryRaw<{ roomId: string; memberId: string }[]>`
    select "roomId", "memberId" from "membership" where "memberId" = any(${[...memberIds]}::text[]) and "leftAt" is null`
  const roomsOf = Map.groupBy(rows, (row) => row.memberId)
  return memberIds.map((memberId) => (roomsOf.get(memberId) ?? []).map((row) => row.roomId))
}

/** The number of current rooms of each member. Members without rooms are left out. */
export async function countRoomsOf(ctx: Context, memberIds: readonly string[]): Promise<{ memberId: string; rooms: number }[]> {
  return ctx.db.$queryRaw`
    select "memberId", count(*)::int as "rooms" from "membership"
    where "memberId" = any(${[...memberIds]}::text[]) and "leftAt" is null group by "memberId"`
}

/** @throws room.not_found */
export async function getConversation(ctx: Context, roomId: string): Promise<ConversationRecord> {
  const row = await ctx.db.conversation.findUnique({ where: { roomId } })
  if (!row) throw conversationNotFound(roomId)
  return { ...row, state: row.state satisfies ConversationState }
}

/** The acting member's row. @throws room.not_member */
export async function requireMember(ctx: Context, roomId: string): Promise<RoomMember> {
  const { actor } = ctx
  const memberId = actor.kind === 'person' || actor.kind === 'agent' ? actor.did : null
  const row = memberId === null ? null : await ctx.db.membership.findUnique({ where: { roomId_memberId: { roomId, memberId } } })
  if (!row || row.leftAt) throw notMember(roomId, memberId ?? actor.kind)
  return { memberId: row.memberId, agentId: row.agentId, role: row.role, leftAt: null }
}

/** Allows members, owners of member agents and operators, and everyone if the room is public. @throws room.not_member */
export async function requireReader(ctx: Context, roomId: string): Promise<void> {
  const { isPublic } = await getConversation(ctx, roomId)
  if (!isPublic) await requireInsider(ctx, roomId)
}

/** Allows members, owners of member agents and operators, even if the room is public. @throws room.not_member */
export async function requireInsider(ctx: Context, roomId: string): Promise<void> {
  const { actor } = ctx
  if (mayOperate(ctx)) return
  if (actor.kind === 'person') {
    const owned = await ctx.db.membership.findFirst({ where: { roomId, ownerId: actor.did, leftAt: null }, select: { memberId: true } })
    if (owned) return
  }
  await requireMember(ctx, roomId)
}
