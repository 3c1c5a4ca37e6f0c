import { blocking, type DeliveredEnvelope, hear, type Room, type RoomState, roomAt, startRoom, turnUntil } from '@parley/protocol'

/** How a room stands by the protocol's machine. */
export type RoomNow = {
  readonly state: RoomState
  readonly lead: string
  /** Who has the turn, and until when unless it is taken; null where nobody has. */
  readonly turn: { readonly holder: string; readonly until: Date } | null
  /** Tasks that the room waits for. */
  readonly waitsFor: readonly string[]
  /** While it is halted: why. */
  readonly halt: string | null
}
type Told = {
  readonly lead: string
  readonly client: string
  readonly members: readonly string[]
  /** Who has each task of the room, by its id: an assignment that is not among them is none. */
  readonly assignees: ReadonlyMap<string, string>
  readonly server: string
  readonly envelopes: readonly DeliveredEnvelope[]
}

/** The room after all that was said in it, as it stands at `now`. Pure. */
export function roomNow({ lead, client, members, assignees, server, envelopes }: Told, now: Date): RoomNow {
  const start = startRoom({ lead, client, members, at: Date.parse(envelopes[0]?.received_at ?? now.toISOString()) })
  const room = roomAt(
    envelopes.reduce<Room>((before, envelope) => {
      if (!/^a?sync_task_assignment$/.test(envelope.type)) return hear(before, envelope, server)
      const assignee = assignees.get(envelope.task_id ?? '')
      return assignee === undefined ? before : hear(before, { ...envelope, to: [assignee as never] }, server)
    }, start),
    now.getTime(),
  )
  return {
    state: room.state,
    lead,
    turn: room.turn && { holder: room.turn.holder, until: new Date(turnUntil(room.turn, room.limits)) },
    waitsFor: blocking(room),
    halt: room.halt,
  }
}
