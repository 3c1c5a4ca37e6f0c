import type { Envelope } from '@parley/protocol'
import type { SequencedMessage } from '../../delivery/index.ts'
import { applyMessage, bumpVersion } from '../rooms/conversation.ts'
import type { RoomRow } from '../rooms/conversation-store.ts'
import type { RoomSnapshot } from './sequence-messages.ts'
import type { ValidatedPost } from './validate-post.ts'

/**
 * How rooms stood when this process last spoke in them, so that it can speak again without asking. It may be wrong: the
 * database is told what was thought, and writes nothing where that no longer holds.
 */
export type RoomCache = {
  /** The room, where it and the post's sender are known. */
  find(post: ValidatedPost): RoomSnapshot | undefined
  put(rooms: ReadonlyMap<string, RoomSnapshot>): void
  /** This has been written. `room`: how it stands after it, where that is known; otherwise a known one goes on, or is forgotten. */
  noteWritten(message: SequencedMessage, room: RoomSnapshot | null): void
  evict(groupIds: Iterable<string>): void
  /** Not all of these stood as they were known: others speak there as well, and for a while they are asked. */
  evictContended(groupIds: Iterable<string>): void
  /** Somebody else has written up to `seq`, or who knows how far: where that is news, the room has to be asked until it was overheard. */
  markStale(groupId: string, seq: number | undefined): void
  /** These stand in the room's log, in its order, whoever wrote them. */
  applyRemote(groupId: string, messages: readonly RemoteMessage[]): void
  clear(): void
}

/** A message as it is stored. `body`: the envelope as JSON. */
export type RemoteMessage = { readonly seq: number; readonly hash: string; readonly body: string }

/** `newest`: so far the room is known to go. */
type CacheEntry = {
  room: RoomSnapshot
  knownHead: number
  readonly members: Set<string>
  readonly earlier: Map<string, { seq: number; bodyHash: string }>
}

const maxRooms = 10_000
/** Where others have just spoken they may speak at this moment: asking first costs less than having to say it all again. */
const staleMs = 5
/** A room that was taken otherwise than it stood is asked for so long: each wrong guess is paid by all that goes with it. */
const contendedMs = 250
/** Ids of a room's last messages: who repeats one of these is answered from here. */
const maxRecentIds = 512

/** `server`: who says what moves no conversation. */
export function createRoomCache(server: string, now: () => number = () => performance.now()): RoomCache {
  const entries = new Map<string, CacheEntry>()
  /** Until when rooms are asked, however well they are known. */
  const lockedUntil = new Map<string, number>()

  function putRoom(groupId: string, { row, log }: RoomSnapshot): void {
    const entry = entries.get(groupId) ?? emptyEntry()
    const { members, earlier: knownIds } = entry
    // Members add up; who has left meanwhile is found out when the room is next written to.
    if (row.members !== members) for (const member of row.members) members.add(member)
    for (const [id, place] of log.knownIds) knownIds.set(id, place)
    for (const oldest of knownIds.keys()) {
      if (knownIds.size <= maxRecentIds) break
      knownIds.delete(oldest)
    }
    entries.delete(groupId)
    entries.set(groupId, { ...entry, room: { row: { ...row, members }, log: { ...log, knownIds } } })
  }

  function requireLock(groupId: string, ms: number): void {
    const until = Math.max(now() + ms, lockedUntil.get(groupId) ?? 0)
    if (lockedUntil.size > maxRooms) lockedUntil.clear()
    lockedUntil.set(groupId, until)
  }

  function needsLock(groupId: string): boolean {
    const until = lockedUntil.get(groupId)
    if (until === undefined) return false
    if (now() < until) return true
    lockedUntil.delete(groupId)
    return false
  }

  return {
    find(post) {
      const one = entries.get(post.groupId)
      if (!one?.members.has(post.sender) || needsLock(post.groupId)) return undefined
      return one.room.log.head >= one.knownHead ? one.room : undefined
    },
    put(rooms) {
      for (const [groupId, room] of rooms) putRoom(groupId, room)
      for (const oldest of entries.keys()) {
        if (entries.size <= maxRooms) break
        entries.delete(oldest)
      }
    },
    noteWritten(message, room) {
      const { envelope, bodyHash } = message.canonical
      const groupId = envelope.group_id
      const before = entries.get(groupId)?.room
      // What follows on it was told already.
      if (before && before.log.head >= message.head) return
      const place = envelope.sig && ([envelope.id, { seq: message.head, bodyHash }] as const)
      const knownIds = new Map(place ? [place] : [])
      if (room) putRoom(groupId, { ...room, log: { ...room.log, knownIds } })
      else if (before?.log.head === message.head - 1)
        putRoom(groupId, { row: before.row, log: { ...before.log, head: message.head, hash: message.hash, knownIds } })
      else entries.delete(groupId)
    },
    evict(groupIds) {
      for (const groupId of groupIds) entries.delete(groupId)
    },
    evictContended(groupIds) {
      for (const groupId of groupIds) {
        entries.delete(groupId)
        requireLock(groupId, contendedMs)
      }
    },
    markStale(groupId, seq) {
      const one = entries.get(groupId)
      if (!one || seq === undefined) return void entries.delete(groupId)
      if (seq <= Math.max(one.knownHead, one.room.log.head)) return
      one.knownHead = seq
      requireLock(groupId, staleMs)
    },
    applyRemote(groupId, messages) {
      const one = entries.get(groupId)
      for (const message of messages) {
        if (!one || one.room.log.head >= message.seq) continue
        const row = one.room.log.head === message.seq - 1 ? rowAfter(one.room.row, message, server) : null
        if (!row) return void entries.delete(groupId)
        one.room = { row, log: { ...one.room.log, head: message.seq, hash: message.hash } }
      }
    },
    clear: () => entries.clear(),
  }
}

const emptyEntry = (): Omit<CacheEntry, 'room'> => ({ members: new Set(), earlier: new Map(), knownHead: 0 })

/** Null where it can't be told: of a message that can't be read any more. */
function rowAfter(talk: RoomRow, { body }: RemoteMessage, server: string): RoomRow | null {
  try {
    const envelope = JSON.parse(body) as Envelope
    if (envelope.sender_id === server) return talk
    return { ...talk, conversation: bumpVersion(talk.conversation, applyMessage(talk.conversation, envelope, talk.clientId)) }
  } catch {
    return null
  }
}
