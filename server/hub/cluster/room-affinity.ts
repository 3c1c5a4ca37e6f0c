import { chooseHome } from './rendezvous-hash.ts'

/** So many words of other hubs within a moment: who speaks less is in nobody's way. */
const fewWords = 4
const momentMs = 1_000
/** So often it is asked anew whether others still speak in a room. */
const reviewMs = 10_000
const maxRooms = 20_000

/**
 * Rooms in which several hubs speak, as far as this one hears, and which of them such a room is at home at. Each hub thinks for
 * itself: the one with the highest rank of all that speak in a room never gives it away, so that the others hear it, and come.
 */
export type SharedRooms = {
  /** Another hub has written in this room. */
  heard(groupId: string, hub: string): void
  /** The hub that this room is at home at; null where this one does as well. `isThere`: whether a hub can be reached. */
  homeOf(groupId: string, isThere: (hub: string) => boolean): string | null
  /** The room's home has told so many messages. */
  told(groupId: string, messages: number): void
  /** One that was handed over was said. */
  said(groupId: string): void
  /** Hubs have come or gone. */
  rethink(): void
}

type Room = {
  readonly others: Set<string>
  words: number
  since: number
  isShared: boolean
  home: string | null | undefined
  foreign: number
}

export function createSharedRooms(self: string, now: () => number = () => performance.now()): SharedRooms {
  const rooms = new Map<string, Room>()

  function review(groupId: string, room: Room, at: number): boolean {
    if (at - room.since < reviewMs) return true
    const isShared = room.foreign >= fewWords
    if (!isShared) rooms.delete(groupId)
    room.foreign = 0
    room.since = at
    return isShared
  }

  return {
    heard(groupId, hub) {
      const at = now()
      const room = rooms.get(groupId) ?? { others: new Set(), words: 0, since: at, isShared: false, home: null, foreign: 0 }
      if (rooms.size >= maxRooms && !rooms.has(groupId)) rooms.clear()
      rooms.set(groupId, room)
      if (!room.others.has(hub)) {
        room.others.add(hub)
        room.home = undefined
      }
      if (room.isShared) room.foreign++
      else if (at - room.since > momentMs) [room.words, room.since] = [1, at]
      else if (++room.words >= fewWords) [room.isShared, room.since] = [true, at]
    },
    homeOf(groupId, isThere) {
      const room = rooms.get(groupId)
      if (!room?.isShared || !review(groupId, room, now())) return null
      if (room.home === undefined) {
        const home = chooseHome([self, ...[...room.others].filter(isThere)], groupId)
        room.home = home === self ? null : home
      }
      return room.home
    },
    told(groupId, messages) {
      const room = rooms.get(groupId)
      if (room) room.foreign += messages
    },
    said(groupId) {
      const room = rooms.get(groupId)
      if (room) room.foreign--
    },
    rethink() {
      for (const room of rooms.values()) room.home = undefined
    },
  }
}
