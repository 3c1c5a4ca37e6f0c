import {
  applyMessageToRoom,
  awaitedTaskIds,
  type DeliveredEnvelope,
  type Room,
  type RoomState,
  roomAt,
  startRoom,
  turnUntil,
} from '@parley/protocol'

/** The status of a room by the protocol's state machine. */
export type RoomStatus = {
  readonly state: RoomState
  readonly lead: string
  /** The turn holder, and the end of its turn; null if the turn is free. */
  readonly turn: { readonly holder: string; readonly until: Date } | null
  /** Tasks that block the room. */
  readonly waitsFor: readonly string[]
  /** Why the room is halted; null if it is not. */
  readonly halt: string | null
}
export type RoomSeats = { readonly lead: string; readonly client: string; readonly members: readonly string[] }
/** `assignees`: the assignee of each task; other assignments are ignored. `server`: its DID. */
export type RoomFacts = { readonly assignees: ReadonlyMap<string, string>; readonly server: string }

/** The room before its first message. */
export function emptyRoom(seats: RoomSeats, at: Date): Room {
  return startRoom({ ...seats, at: at.getTime() })
}

/** Applies messages to a room. Pure. */
export function applyMessages(room: Room, envelopes: readonly DeliveredEnvelope[], { assignees, server }: RoomFacts): Room {
  return envelopes.reduce<Room>((before, envelope) => {
    if (!/^a?sync_task_assignment$/.test(envelope.type)) return applyMessageToRoom(before, envelope, server)
    const assignee = assignees.get(envelope.task_id ?? '')
    return assignee === undefined ? before : applyMessageToRoom(before, { ...envelope, to: [assignee as never] }, server)
  }, room)
}

/** The status of the room at `now`. Pure. */
export function computeRoomStatus(replayed: Room, now: Date): RoomStatus {
  const room = roomAt(replayed, now.getTime())
  return {
    state: room.state,
    lead: room.lead,
    turn: room.turn && { holder: room.turn.holder, until: new Date(turnUntil(room.turn, room.limits)) },
    waitsFor: awaitedTaskIds(room),
    halt: room.halt,
  }
}
