import type { Room } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { listMembers, readPage, requireReader } from '../../conversations/index.ts'
import { getHead } from '../../delivery/index.ts'
import { type Goal, getGoal, goalNotFound } from '../../goals/index.ts'
import type { Ports } from '../../ports.ts'
import { listShownTasks } from '../../tasks/index.ts'
import { listSubRooms } from '../../teams/index.ts'
import { applyMessages, computeRoomStatus, emptyRoom, type RoomFacts, type RoomSeats, type RoomStatus } from './compute-room-status.ts'

/** The maximum number of messages that are replayed for a page. Longer rooms are left to clients that follow them. */
const maxMessages = 2_000
const pageSize = 500
/** A page ends at `limits.pageBytes`. A room with more pages is not replayed. */
const maxPages = 8
/** The maximum number of cached rooms per process, least recently used first out. */
const maxKept = 500

/** `room`: null if the room is too long. */
type CachedRoom = { readonly head: number; readonly lead: string; readonly room: Promise<Room | null> }
type RoomToRead = { readonly goal: Goal; readonly roomId: string; readonly lead: string; readonly head: number }
const roomCaches = new WeakMap<Ports, Map<string, CachedRoom>>()

/**
 * The status of a goal's room or of a sub-team's room. Null without a lead, or if the room is too long.
 * @throws goal.not_found, room.not_member
 */
export async function readRoomStatus(ctx: Context, input: { goalId: string; roomId: string }): Promise<RoomStatus | null> {
  const { roomId } = input
  const goal = await getGoal(ctx, input.goalId)
  const team = goal.roomId === roomId ? null : (await listSubRooms(ctx, goal.id)).find((one) => one.roomId === roomId)
  if (team === undefined) throw goalNotFound(input.goalId)
  await requireReader(ctx, roomId)
  const lead = team?.leadId ?? goal.principalId
  const { head } = await getHead(ctx, roomId)
  if (lead === null || head > maxMessages) return null
  const room = await cachedRoom(ctx, { goal, roomId, lead, head })
  return room && computeRoomStatus(room, ctx.clock.now())
}

/** The replayed room, cached until its next message. */
async function cachedRoom(ctx: Context, asked: RoomToRead): Promise<Room | null> {
  const { roomId, head, lead } = asked
  const kept = roomCaches.get(ctx.ports) ?? new Map<string, CachedRoom>()
  roomCaches.set(ctx.ports, kept)
  const known = kept.get(roomId)
  // An empty room starts now.
  const room = known && known.head === head && known.lead === lead && head > 0 ? known.room : replayRoom(ctx, asked)
  kept.delete(roomId)
  kept.set(roomId, { head, lead, room })
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break
    kept.delete(oldest)
  }
  try {
    return await room
  } catch (error) {
    if (kept.get(roomId)?.room === room) kept.delete(roomId)
    throw error
  }
}

async function replayRoom(ctx: Context, { goal, roomId, lead, head }: RoomToRead): Promise<Room | null> {
  const [members, { tasks }] = await Promise.all([listMembers(ctx, roomId), listShownTasks(ctx, goal.id)])
  const didOf = new Map(members.flatMap(({ agentId, memberId }) => (agentId === null ? [] : [[agentId, memberId] as const])))
  const assignees = new Map(
    tasks.flatMap((task) => {
      const did = task.roomId === roomId ? didOf.get(task.agentId) : undefined
      return did === undefined ? [] : [[task.id, did] as const]
    }),
  )
  const seats = { lead, client: goal.clientId, members: [...didOf.values()] }
  return replayPages(ctx, { roomId, head, seats, facts: { assignees, server: ctx.market.serverDid } })
}

type Replay = { readonly roomId: string; readonly head: number; readonly seats: RoomSeats; readonly facts: RoomFacts }

/** Replays page by page, so that only the room state stays in memory. */
async function replayPages(ctx: Context, { roomId, head, seats, facts }: Replay): Promise<Room | null> {
  let room = emptyRoom(seats, ctx.clock.now())
  let after = 0
  for (let pages = 0; after < head; pages++) {
    if (pages === maxPages) return null
    const { messages } = await readPage(ctx, { roomId, after, limit: Math.min(pageSize, head - after) })
    const [first, last] = [messages[0], messages.at(-1)]
    if (!first || !last) break
    if (after === 0) room = emptyRoom(seats, new Date(first.received_at))
    room = applyMessages(room, messages, facts)
    after = last.seq
  }
  return room
}
