import { advanceRoom, type HeldTurn, noRoomLimits, type Room, roomAt, startRoom, turnUntil } from '@parley/protocol'

/** The stored turn lease: who holds the turn, and the number of turns so far. */
export type TurnLease = { readonly turn: HeldTurn | null; readonly turns: number }
export type TurnHolders = { readonly lead: string; readonly client: string; readonly members: readonly string[] }

/** The turn part of the protocol's room state machine. The lead has the first turn. */
export function turnRoom(kept: TurnLease | null, seats: TurnHolders, at: number): Room {
  const room = startRoom({ ...seats, limits: noRoomLimits, at })
  return kept ? { ...room, turn: kept.turn, turns: kept.turns } : { ...room, turn: null, turns: 0 }
}

/** Another member's lease and its end; null if `who` may speak. The lead and the client always may. */
export function leaseHeldByOther(room: Room, who: string, at: number): { holder: string; until: number } | null {
  const { turn, limits } = roomAt(room, at)
  if (!turn || turn.holder === who || who === room.lead || who === room.client) return null
  return { holder: turn.holder, until: turnUntil(turn, limits) }
}

/** The lease after this message, and the reason for a halt if the room has used all its turns. */
export function leaseAfter(
  room: Room,
  message: { by: string; next: readonly string[]; at: number },
  maxTurns: number | null,
): { kept: TurnLease; haltReason: string | null } {
  const step = advanceRoom(room, { type: 'post', ...message })
  const after = step.ok ? step.room : room
  const isOver = maxTurns !== null && after.turns >= maxTurns
  return {
    kept: { turn: after.turn, turns: after.turns },
    haltReason: isOver ? `The agents have had all of the ${maxTurns} turns that this room allows.` : null,
  }
}
