import { rendezvousOwner } from './rendezvous-hash.ts'

/** So many words of other hubs within a moment: who speaks less is in nobody's way. */
const minRemoteWrites = 4
const windowMs = 1_000
/** So often it is asked anew whether others still speak in a room. */
const reviewMs = 10_000
const maxRooms = 20_000

/**
 * Rooms in which several hubs speak, as far as this one hears, and which of them such a room is at home at. Each hub thinks for
 * itself: the one with the highest rank of all that speak in a room never gives it away, so that the others hear it, and come.
 */
export type RoomAffinity = {
  /** Another hub has written in this room. */
  noteRemoteWrite(groupId: string, hub: string): void
  /** The hub that this room is at home at; null where this one does as well. `isThere`: whether a hub can be reached. */
  ownerOf(groupId: string, isThere: (hub: string) => boolean): string | null
  /** The room's home has told so many messages. */
  noteReceived(groupId: string, messages: number): void
  /** One that was handed over was said. */
  noteForwarded(groupId: string): void
  /** Hubs have come or gone. */
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

export function createRoomAffinity(self: string, now: () => number = () => performance.now()): RoomAffinity {
  const rooms = new Map<string, Room>()

  function review(groupId: string, room: Room, at: number): boolean {
    if (at - room.since < reviewMs) return true
    const isShared = room.remoteMessages >= minRemoteWrites
    if (!isShared) rooms.delete(groupId)
    room.remoteMessages = 0
    room.since = at
    return isShared
  }

  return {
    noteRemoteWrite(groupId, hub) {
      const at = now()
      const room = rooms.get(groupId) ?? { others: new Set(), writes: 0, since: at, isShared: false, owner: null, remoteMessages: 0 }
      if (rooms.size >= maxRooms && !rooms.has(groupId)) rooms.clear()
      rooms.set(groupId, room)
      if (!room.others.has(hub)) {
        room.others.add(hub)
        room.owner = undefined
      }
      if (room.isShared) room.remoteMessages++
      else if (at - room.since > windowMs) [room.writes, room.since] = [1, at]
      else if (++room.writes >= minRemoteWrites) [room.isShared, room.since] = [true, at]
    },
    ownerOf(groupId, isThere) {
      const room = rooms.get(groupId)
      if (!room?.isShared || !review(groupId, room, now())) return null
      if (room.owner === undefined) {
        const home = rendezvousOwner([self, ...[...room.others].filter(isThere)], groupId)
        room.owner = home === self ? null : home
      }
      return room.owner
    },
    noteReceived(groupId, messages) {
      const room = rooms.get(groupId)
      if (room) room.remoteMessages += messages
    },
    noteForwarded(groupId) {
      const room = rooms.get(groupId)
      if (room) room.remoteMessages--
    },
    invalidate() {
      for (const room of rooms.values()) room.owner = undefined
    },
  }
}
