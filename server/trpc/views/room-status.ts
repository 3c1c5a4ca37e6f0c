import { blocking, type DeliveredEnvelope, hear, type Room, type RoomState, roomAt, startRoom, turnUntil } from '@parley/protocol'

/** How a room stands by the protocol's machine. */
export type RoomStatus = {
  readonly state: RoomState
  readonly lead: string
  /** Who has the turn, and until when unless it is taken; null where nobody has. */
  readonly turn: { readonly holder: string; readonly until: Date } | null
  /** Tasks that the room waits for. */
  readonly waitsFor: readonly string[]
  /** While it is halted: why. */
  readonly halt: string | null
}
export type RoomSeats = { readonly lead: string; readonly client: string; readonly members: readonly string[] }
/** `assignees`: who has each task of the room, by its id: an assignment that is not among them is none. `server`: its DID. */
export type RoomFacts = { readonly assignees: ReadonlyMap<string, string>; readonly server: string }

/** The room before anything was said in it. */
export function emptyRoom(seats: RoomSeats, at: Date): Room {
  return startRoom({ ...seats, at: at.getTime() })
}

/** The room after these messages, which follow on those that it has heard. Pure. */
export function applyMessages(room: Room, envelopes: readonly DeliveredEnvelope[], { assignees, server }: RoomFacts): Room {
  return envelopes.reduce<Room>((before, envelope) => {
    if (!/^a?sync_task_assignment$/.test(envelope.type)) return hear(before, envelope, server)
    const assignee = assignees.get(envelope.task_id ?? '')
    return assignee === undefined ? before : hear(before, { ...envelope, to: [assignee as never] }, server)
  }, room)
}

/** How the room stands at `now` after all that it has heard. Pure. */
export function roomStatusOf(heard: Room, now: Date): RoomStatus {
  const room = roomAt(heard, now.getTime())
  return {
    state: room.state,
    lead: room.lead,
    turn: room.turn && { holder: room.turn.holder, until: new Date(turnUntil(room.turn, room.limits)) },
    waitsFor: blocking(room),
    halt: room.halt,
  }
}
