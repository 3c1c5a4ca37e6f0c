import type { Room } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { listMembers, readPage, requireReader } from '../../conversations/index.ts'
import { getHead } from '../../delivery/index.ts'
import { type Goal, getGoal, goalNotFound } from '../../goals/index.ts'
import type { Ports } from '../../ports.ts'
import { listShownTasks } from '../../tasks/index.ts'
import { listSubRooms } from '../../teams/index.ts'
import { applyMessages, emptyRoom, type RoomFacts, type RoomSeats, type RoomStatus, roomStatusOf } from './room-status.ts'

/** A room is read from its first message on; one of more is left to those who follow it. */
const maxMessages = 2_000
const pageSize = 500
/** A page ends at `limits.pageBytes`, so that a room of more bytes than so many pages have is left to them too. */
const maxPages = 8
/** Rooms that are kept per process as they stood after their last message; the one asked longest ago goes first. */
const maxKept = 500

/** `room`: null where it is too long to be read. */
type CachedRoom = { readonly head: number; readonly lead: string; readonly room: Promise<Room | null> }
type RoomToRead = { readonly goal: Goal; readonly groupId: string; readonly lead: string; readonly head: number }
const roomCaches = new WeakMap<Ports, Map<string, CachedRoom>>()

/**
 * How a goal's room, or one below it, stands. Null where nobody leads yet, or where more was said than is read for a page.
 * @throws goal.not_found, group.not_member
 */
export async function readRoomStatus(ctx: Context, input: { goalId: string; groupId: string }): Promise<RoomStatus | null> {
  const { groupId } = input
  const goal = await getGoal(ctx, input.goalId)
  const team = goal.groupId === groupId ? null : (await listSubRooms(ctx, goal.id)).find((one) => one.groupId === groupId)
  if (team === undefined) throw goalNotFound(input.goalId)
  await requireReader(ctx, groupId)
  const lead = team?.leadId ?? goal.principalId
  const { head } = await getHead(ctx, groupId)
  if (lead === null || head > maxMessages) return null
  const room = await cachedRoom(ctx, { goal, groupId, lead, head })
  return room && roomStatusOf(room, ctx.clock.now())
}

/** The room after its last message: read once for all who look, until something more is said. */
async function cachedRoom(ctx: Context, asked: RoomToRead): Promise<Room | null> {
  const { groupId, head, lead } = asked
  const kept = roomCaches.get(ctx.ports) ?? new Map<string, CachedRoom>()
  roomCaches.set(ctx.ports, kept)
  const known = kept.get(groupId)
  // A room in which nothing was said begins now.
  const room = known && known.head === head && known.lead === lead && head > 0 ? known.room : replayRoom(ctx, asked)
  kept.delete(groupId)
  kept.set(groupId, { head, lead, room })
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break
    kept.delete(oldest)
  }
  try {
    return await room
  } catch (error) {
    if (kept.get(groupId)?.room === room) kept.delete(groupId)
    throw error
  }
}

async function replayRoom(ctx: Context, { goal, groupId, lead, head }: RoomToRead): Promise<Room | null> {
  const [members, { tasks }] = await Promise.all([listMembers(ctx, groupId), listShownTasks(ctx, goal.id)])
  const didOf = new Map(members.flatMap(({ agentId, memberId }) => (agentId === null ? [] : [[agentId, memberId] as const])))
  const assignees = new Map(
    tasks.flatMap((task) => {
      const did = task.groupId === groupId ? didOf.get(task.agentId) : undefined
      return did === undefined ? [] : [[task.id, did] as const]
    }),
  )
  const seats = { lead, client: goal.clientId, members: [...didOf.values()] }
  return replayPages(ctx, { groupId, head, seats, facts: { assignees, server: ctx.market.serverDid } })
}

type Replay = { readonly groupId: string; readonly head: number; readonly seats: RoomSeats; readonly facts: RoomFacts }

/** A page at a time, of which only what it changed in the room stays in memory. */
async function replayPages(ctx: Context, { groupId, head, seats, facts }: Replay): Promise<Room | null> {
  let room = emptyRoom(seats, ctx.clock.now())
  let after = 0
  for (let pages = 0; after < head; pages++) {
    if (pages === maxPages) return null
    const { messages } = await readPage(ctx, { groupId, after, limit: Math.min(pageSize, head - after) })
    const [first, last] = [messages[0], messages.at(-1)]
    if (!first || !last) break
    if (after === 0) room = emptyRoom(seats, new Date(first.received_at))
    room = applyMessages(room, messages, facts)
    after = last.seq
  }
  return room
}
