import { advanceRoom, noLimits, type Room, roomAt, startRoom, type Turn, turnUntil } from '@parley/protocol'

/** What is kept between two words: who has the turn, and how many there have been. */
export type TurnLease = { readonly turn: Turn | null; readonly turns: number }
export type TurnHolders = { readonly lead: string; readonly client: string; readonly members: readonly string[] }

/** The room of the protocol's machine, as far as turns go: whoever leads has the first. */
export function turnRoom(kept: TurnLease | null, seats: TurnHolders, at: number): Room {
  const room = startRoom({ ...seats, limits: noLimits, at })
  return kept ? { ...room, turn: kept.turn, turns: kept.turns } : { ...room, turn: null, turns: 0 }
}

/** Until when somebody else has the turn; null where this member may speak. Who leads and the client always may. */
export function leaseHeldByOther(room: Room, who: string, at: number): { holder: string; until: number } | null {
  const { turn, limits } = roomAt(room, at)
  if (!turn || turn.holder === who || who === room.lead || who === room.client) return null
  return { holder: turn.holder, until: turnUntil(turn, limits) }
}

/** The turn after these words, and the sentence that the room stops with where it has had all of them. */
export function leaseAfter(
  room: Room,
  said: { by: string; next: readonly string[]; at: number },
  maxTurns: number | null,
): { kept: TurnLease; halt: string | null } {
  const step = advanceRoom(room, { type: 'talk', ...said })
  const after = step.ok ? step.room : room
  const isOver = maxTurns !== null && after.turns >= maxTurns
  return {
    kept: { turn: after.turn, turns: after.turns },
    halt: isOver ? `The agents have had all of the ${maxTurns} turns that this room allows.` : null,
  }
}
