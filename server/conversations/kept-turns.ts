import { advanceRoom, noLimits, type Room, roomAt, startRoom, type TalkLimits, type Turn, turnUntil } from '@parley/protocol'
import type { Context } from '../context.ts'
import { findMessage } from '../delivery/index.ts'
import { turnTaken } from './errors.ts'

/** What is kept between two words: who has the turn, and how many there have been. */
export type KeptTurn = { readonly turn: Turn | null; readonly turns: number }
type Seats = { readonly lead: string; readonly client: string; readonly members: readonly string[] }

/** The room of the protocol's machine, as far as turns go: whoever leads has the first. */
export function roomOfTurns(kept: KeptTurn | null, seats: Seats, at: number): Room {
  const room = startRoom({ ...seats, limits: noLimits, at })
  return kept ? { ...room, turn: kept.turn, turns: kept.turns } : { ...room, turn: null, turns: 0 }
}

/** Until when somebody else has the turn; null where this member may speak. Who leads and the client always may. */
export function waitsUntil(room: Room, who: string, at: number): { holder: string; until: number } | null {
  const { turn, limits } = roomAt(room, at)
  if (!turn || turn.holder === who || who === room.lead || who === room.client) return null
  return { holder: turn.holder, until: turnUntil(turn, limits) }
}

/** The turn after these words, and the sentence that the room stops with where it has had all of them. */
export function turnAfter(
  room: Room,
  said: { by: string; next: readonly string[]; at: number },
  most: number | null,
): { kept: KeptTurn; halt: string | null } {
  const step = advanceRoom(room, { type: 'talk', ...said })
  const after = step.ok ? step.room : room
  const isOver = most !== null && after.turns >= most
  return {
    kept: { turn: after.turn, turns: after.turns },
    halt: isOver ? `The agents have had all of the ${most} turns that this room allows.` : null,
  }
}

/** Who sits in the room; null while nobody leads it. */
export async function seatsOf(ctx: Context, groupId: string): Promise<Seats | null> {
  const rows = await ctx.db.membership.findMany({ where: { groupId, leftAt: null }, select: { memberId: true, role: true } })
  const lead = rows.find((row) => row.role === 'principal')?.memberId
  const client = rows.find((row) => row.role === 'client')?.memberId
  if (lead === undefined || client === undefined) return null
  return { lead, client, members: rows.filter((row) => row.role === 'member').map((row) => row.memberId) }
}

/**
 * Refuses words out of turn. A turn that was not taken in its time has passed on; a message that was said before is answered
 * again, whoever has the turn now. @throws group.turn_taken
 */
export async function requireTurn(
  ctx: Context,
  asked: { groupId: string; limits: TalkLimits; kept: KeptTurn | null; by: string; id: string | undefined },
): Promise<void> {
  if (!asked.limits.keep_turns) return
  const seats = await seatsOf(ctx, asked.groupId)
  const at = ctx.clock.now().getTime()
  const taken = seats && waitsUntil(roomOfTurns(asked.kept, seats, at), asked.by, at)
  if (!taken || !seats.members.includes(asked.by)) return
  if (asked.id !== undefined && (await findMessage(ctx, { groupId: asked.groupId, id: asked.id }))) return
  throw turnTaken(asked.groupId, taken.holder, Math.max(1, Math.ceil((taken.until - at) / 1_000)))
}
