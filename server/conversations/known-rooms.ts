import type { Numbered } from '../delivery/index.ts'
import type { CheckedPost } from './check-post.ts'
import type { OpenRoom } from './put-in-order.ts'

/**
 * How rooms stood when this process last spoke in them, so that it can speak again without asking. It may be wrong: the
 * database is told what was thought, and writes nothing where that no longer holds.
 */
export type KnownRooms = {
  /** The room, where it and the post's sender are known. */
  find(post: CheckedPost): OpenRoom | undefined
  learn(rooms: ReadonlyMap<string, OpenRoom>): void
  /** This has been written. `room`: how it stands after it, where that is known; otherwise a known one goes on, or is forgotten. */
  follow(message: Numbered, room: OpenRoom | null): void
  forget(groupIds: Iterable<string>): void
  /** Somebody else has written up to `seq`, or who knows how far: where that is news, the room has to be asked. */
  outdate(groupId: string, seq: number | undefined): void
  clear(): void
}

type Known = { room: OpenRoom; readonly members: Set<string>; readonly earlier: Map<string, { seq: number; bodyHash: string }> }

const maxRooms = 10_000
/** Ids of a room's last messages: who repeats one of these is answered from here. */
const maxEarlier = 512

export function createKnownRooms(): KnownRooms {
  const known = new Map<string, Known>()

  function learnRoom(groupId: string, { talk, log }: OpenRoom): void {
    const { members, earlier } = known.get(groupId) ?? { members: new Set<string>(), earlier: new Map() }
    // Members add up; who has left meanwhile is found out when the room is next written to.
    if (talk.members !== members) for (const member of talk.members) members.add(member)
    for (const [id, place] of log.earlier) earlier.set(id, place)
    for (const oldest of earlier.keys()) {
      if (earlier.size <= maxEarlier) break
      earlier.delete(oldest)
    }
    known.delete(groupId)
    known.set(groupId, { room: { talk: { ...talk, members }, log: { ...log, earlier } }, members, earlier })
  }

  return {
    find(post) {
      const one = known.get(post.groupId)
      return one?.members.has(post.sender) ? one.room : undefined
    },
    learn(rooms) {
      for (const [groupId, room] of rooms) learnRoom(groupId, room)
      for (const oldest of known.keys()) {
        if (known.size <= maxRooms) break
        known.delete(oldest)
      }
    },
    follow(message, room) {
      const { envelope, bodyHash } = message.spelled
      const groupId = envelope.group_id
      const before = known.get(groupId)?.room
      // What follows on it was told already.
      if (before && before.log.head >= message.head) return
      const place = envelope.sig && ([envelope.id, { seq: message.head, bodyHash }] as const)
      const earlier = new Map(place ? [place] : [])
      if (room) learnRoom(groupId, { ...room, log: { ...room.log, earlier } })
      else if (before?.log.head === message.head - 1)
        learnRoom(groupId, { talk: before.talk, log: { ...before.log, head: message.head, hash: message.hash, earlier } })
      else known.delete(groupId)
    },
    forget(groupIds) {
      for (const groupId of groupIds) known.delete(groupId)
    },
    outdate(groupId, seq) {
      const one = known.get(groupId)
      if (one && (seq === undefined || one.room.log.head < seq)) known.delete(groupId)
    },
    clear: () => known.clear(),
  }
}
