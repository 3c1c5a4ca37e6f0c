import type { Envelope } from '@parley/protocol'
import type { LogState, SequencedMessage } from '../../delivery/index.ts'
import { applyMessage, bumpVersion } from '../rooms/conversation.ts'
import type { RoomRow } from '../rooms/conversation-store.ts'
import type { RoomSnapshot } from './sequence-messages.ts'
import type { ValidatedPost } from './validate-post.ts'

/**
 * A cache of room state for optimistic appends. It may be stale: the database compares it with the stored state and writes nothing if
 * they differ.
 */
export type RoomCache = {
  /** The room, if it is cached, current, and has the sender as a member. */
  find(post: ValidatedPost): RoomSnapshot | undefined
  put(rooms: ReadonlyMap<string, RoomSnapshot>): void
  /** Records a committed message. `room`: the state afterwards, if known. Otherwise the entry advances by this message or is evicted. */
  noteWritten(message: SequencedMessage, room: RoomSnapshot | null): void
  evict(roomIds: Iterable<string>): void
  /** Evicts rooms whose cached state was wrong. They take the locked path for a while, because other processes write to them as well. */
  evictContended(roomIds: Iterable<string>): void
  /** Another process wrote up to `seq`, or to an unknown head. The room takes the locked path until `applyRemote` catches up. */
  markStale(roomId: string, seq: number | undefined): void
  /** Applies messages read from the log, in order. */
  applyRemote(roomId: string, messages: readonly RemoteMessage[]): void
  clear(): void
}

/** A stored message. `body`: the envelope as JSON. */
export type RemoteMessage = { readonly seq: number; readonly hash: string; readonly body: string }

/** `knownHead`: the highest sequence number that this process knows of. */
type CacheEntry = {
  room: RoomSnapshot
  knownHead: number
  readonly members: Set<string>
  readonly earlier: Map<string, { seq: number; bodyHash: string }>
}

const maxRooms = 10_000
/**
 * A room takes the locked path for this time after a remote write, because another one may follow. A lock costs less than a failed
 * append.
 */
const staleMs = 5
/** The same after a failed optimistic append: each failure costs all posts of its batch. */
const contendedMs = 250
/** Ids of the last messages of a room, by which duplicates are answered from memory. */
const maxRecentIds = 512

/** `server`: the DID whose messages never change a conversation. */
export function createRoomCache(server: string, now: () => number = () => performance.now()): RoomCache {
  const entries = new Map<string, CacheEntry>()
  const lockedPath = createLockedPath(now)

  function putRoom(roomId: string, { row, log }: RoomSnapshot): void {
    const entry = entries.get(roomId) ?? emptyEntry()
    const { members, earlier: knownIds } = entry
    // Members are only added. The database check finds members who left.
    if (row.members !== members) for (const member of row.members) members.add(member)
    for (const [id, place] of log.knownIds) knownIds.set(id, place)
    evictOldest(knownIds, maxRecentIds)
    entries.delete(roomId)
    entries.set(roomId, { ...entry, room: { row: { ...row, members }, log: { ...log, knownIds } } })
  }

  return {
    find(post) {
      const one = entries.get(post.roomId)
      if (!one?.members.has(post.sender) || lockedPath.isRequired(post.roomId)) return undefined
      return one.room.log.head >= one.knownHead ? one.room : undefined
    },
    put(rooms) {
      for (const [roomId, room] of rooms) putRoom(roomId, room)
      evictOldest(entries, maxRooms)
    },
    noteWritten(message, room) {
      const roomId = message.canonical.envelope.room_id
      const before = entries.get(roomId)?.room
      // A later message was already recorded.
      if (before && before.log.head >= message.head) return
      const knownIds = knownIdOf(message)
      if (room) putRoom(roomId, { ...room, log: { ...room.log, knownIds } })
      else if (before?.log.head === message.head - 1)
        putRoom(roomId, { row: before.row, log: { ...before.log, head: message.head, hash: message.hash, knownIds } })
      else entries.delete(roomId)
    },
    evict(roomIds) {
      for (const roomId of roomIds) entries.delete(roomId)
    },
    evictContended(roomIds) {
      for (const roomId of roomIds) {
        entries.delete(roomId)
        lockedPath.require(roomId, contendedMs)
      }
    },
    markStale(roomId, seq) {
      const one = entries.get(roomId)
      if (!one || seq === undefined) return void entries.delete(roomId)
      if (seq <= Math.max(one.knownHead, one.room.log.head)) return
      one.knownHead = seq
      lockedPath.require(roomId, staleMs)
    },
    applyRemote(roomId, messages) {
      const one = entries.get(roomId)
      for (const message of messages) {
        if (!one || one.room.log.head >= message.seq) continue
        const row = one.room.log.head === message.seq - 1 ? rowAfter(one.room.row, message, server) : null
        if (!row) return void entries.delete(roomId)
        one.room = { row, log: { ...one.room.log, head: message.seq, hash: message.hash } }
      }
    },
    clear: () => entries.clear(),
  }
}

/** Only signed messages are recognized as duplicates. */
function knownIdOf({ canonical: { envelope, bodyHash }, head }: SequencedMessage): LogState['knownIds'] {
  return new Map(envelope.sig ? [[envelope.id, { seq: head, bodyHash }]] : [])
}

/** Which rooms take the locked path for a while, even if they are cached. */
function createLockedPath(now: () => number) {
  const until = new Map<string, number>()
  return {
    require(roomId: string, ms: number): void {
      const end = Math.max(now() + ms, until.get(roomId) ?? 0)
      if (until.size > maxRooms) until.clear()
      until.set(roomId, end)
    },
    isRequired(roomId: string): boolean {
      const end = until.get(roomId)
      if (end === undefined) return false
      if (now() < end) return true
      until.delete(roomId)
      return false
    },
  }
}

/** Removes the entries that were inserted first. */
function evictOldest<Key>(map: Map<Key, unknown>, maxSize: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= maxSize) break
    map.delete(oldest)
  }
}

const emptyEntry = (): Omit<CacheEntry, 'room'> => ({ members: new Set(), earlier: new Map(), knownHead: 0 })

/** Null if the stored message cannot be parsed. */
function rowAfter(row: RoomRow, { body }: RemoteMessage, server: string): RoomRow | null {
  try {
    const envelope = JSON.parse(body) as Envelope
    if (envelope.sender_id === server) return row
    return { ...row, conversation: bumpVersion(row.conversation, applyMessage(row.conversation, envelope, row.clientId)) }
  } catch {
    return null
  }
}
