import { rendezvousHashOwner } from './rendezvous-hash.ts'

/** Remote writes within the window that make a room shared. Fewer cause no lock contention. */
const minRemoteWrites = 4
const windowMs = 1_000
/** How often a shared room is checked for remote writes. */
const reviewMs = 10_000
const maxRooms = 20_000

/**
 * Rooms in which several hubs write, as far as this hub knows, and the owner of each.
 * Each hub decides alone. The writer with the highest rank never forwards, so the others learn of it and forward to it.
 */
export type RoomOwnerHubs = {
  /** Another hub wrote to this room. */
  noteRemoteWrite(roomId: string, hub: string): void
  /** The hub that owns the room; null if this hub does. `isThere`: whether a hub is reachable. */
  ownerOf(roomId: string, isThere: (hub: string) => boolean): string | null
  /** The owner of the room has sent this number of messages. */
  noteReceived(roomId: string, messages: number): void
  /** The owner wrote a message that this hub forwarded. */
  noteForwarded(roomId: string): void
  /** The set of hubs has changed. */
  invalidate(): void
}

type Room = {
  readonly others: Set<string>
  writes: number
  since: number
  isShared: boolean
  owner: string | null | undefined
  remoteMessages: number
}

export function createRoomOwnerHubs(self: string, now: () => number = () => performance.now()): RoomOwnerHubs {
  const rooms = new Map<string, Room>()

  function review(roomId: string, room: Room, at: number): boolean {
    if (at - room.since < reviewMs) return true
    const isShared = room.remoteMessages >= minRemoteWrites
    if (!isShared) rooms.delete(roomId)
    room.remoteMessages = 0
    room.since = at
    return isShared
  }

  return {
    noteRemoteWrite(roomId, hub) {
      const at = now()
      const room = rooms.get(roomId) ?? { others: new Set(), writes: 0, since: at, isShared: false, owner: null, remoteMessages: 0 }
      if (rooms.size >= maxRooms && !rooms.has(roomId)) rooms.clear()
      rooms.set(roomId, room)
      if (!room.others.has(hub)) {
        room.others.add(hub)
        room.owner = undefined
      }
      if (room.isShared) room.remoteMessages++
      else if (at - room.since > windowMs) [room.writes, room.since] = [1, at]
      else if (++room.writes >= minRemoteWrites) [room.isShared, room.since] = [true, at]
    },
    ownerOf(roomId, isThere) {
      const room = rooms.get(roomId)
      if (!room?.isShared || !review(roomId, room, now())) return null
      if (room.owner === undefined) {
        const home = rendezvousHashOwner([self, ...[...room.others].filter(isThere)], roomId)
        room.owner = home === self ? null : home
      }
      return room.owner
    },
    noteReceived(roomId, messages) {
      const room = rooms.get(roomId)
      if (room) room.remoteMessages += messages
    },
    noteForwarded(roomId) {
      const room = rooms.get(roomId)
      if (room) room.remoteMessages--
    },
    invalidate() {
      for (const room of rooms.values()) room.owner = undefined
    },
  }
}
