import type { Envelope } from '@parley/protocol'
import type { Numbered } from '../../delivery/index.ts'
import { heard, versioned } from '../rooms/conversation.ts'
import type { Talk } from '../rooms/conversation-store.ts'
import type { OpenRoom } from './sequence-messages.ts'
import type { CheckedPost } from './validate-post.ts'

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
  /** Not all of these stood as they were known: others speak there as well, and for a while they are asked. */
  dispute(groupIds: Iterable<string>): void
  /** Somebody else has written up to `seq`, or who knows how far: where that is news, the room has to be asked until it was overheard. */
  outdate(groupId: string, seq: number | undefined): void
  /** These stand in the room's log, in its order, whoever wrote them. */
  overhear(groupId: string, messages: readonly Overheard[]): void
  clear(): void
}

/** A message as it is stored. `body`: the envelope as JSON. */
export type Overheard = { readonly seq: number; readonly hash: string; readonly body: string }

/** `newest`: so far the room is known to go. */
type Known = {
  room: OpenRoom
  newest: number
  readonly members: Set<string>
  readonly earlier: Map<string, { seq: number; bodyHash: string }>
}

const maxRooms = 10_000
/** Where others have just spoken they may speak at this moment: asking first costs less than having to say it all again. */
const quietMs = 5
/** A room that was taken otherwise than it stood is asked for so long: each wrong guess is paid by all that goes with it. */
const disputedMs = 250
/** Ids of a room's last messages: who repeats one of these is answered from here. */
const maxEarlier = 512

/** `server`: who says what moves no conversation. */
export function createKnownRooms(server: string, now: () => number = () => performance.now()): KnownRooms {
  const known = new Map<string, Known>()
  /** Until when rooms are asked, however well they are known. */
  const asked = new Map<string, number>()

  function learnRoom(groupId: string, { talk, log }: OpenRoom): void {
    const kept = known.get(groupId) ?? unheard()
    const { members, earlier } = kept
    // Members add up; who has left meanwhile is found out when the room is next written to.
    if (talk.members !== members) for (const member of talk.members) members.add(member)
    for (const [id, place] of log.earlier) earlier.set(id, place)
    for (const oldest of earlier.keys()) {
      if (earlier.size <= maxEarlier) break
      earlier.delete(oldest)
    }
    known.delete(groupId)
    known.set(groupId, { ...kept, room: { talk: { ...talk, members }, log: { ...log, earlier } } })
  }

  function ask(groupId: string, ms: number): void {
    const until = Math.max(now() + ms, asked.get(groupId) ?? 0)
    if (asked.size > maxRooms) asked.clear()
    asked.set(groupId, until)
  }

  function isAsked(groupId: string): boolean {
    const until = asked.get(groupId)
    if (until === undefined) return false
    if (now() < until) return true
    asked.delete(groupId)
    return false
  }

  return {
    find(post) {
      const one = known.get(post.groupId)
      if (!one?.members.has(post.sender) || isAsked(post.groupId)) return undefined
      return one.room.log.head >= one.newest ? one.room : undefined
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
    dispute(groupIds) {
      for (const groupId of groupIds) {
        known.delete(groupId)
        ask(groupId, disputedMs)
      }
    },
    outdate(groupId, seq) {
      const one = known.get(groupId)
      if (!one || seq === undefined) return void known.delete(groupId)
      if (seq <= Math.max(one.newest, one.room.log.head)) return
      one.newest = seq
      ask(groupId, quietMs)
    },
    overhear(groupId, messages) {
      const one = known.get(groupId)
      for (const message of messages) {
        if (!one || one.room.log.head >= message.seq) continue
        const talk = one.room.log.head === message.seq - 1 ? talkAfter(one.room.talk, message, server) : null
        if (!talk) return void known.delete(groupId)
        one.room = { talk, log: { ...one.room.log, head: message.seq, hash: message.hash } }
      }
    },
    clear: () => known.clear(),
  }
}

const unheard = (): Omit<Known, 'room'> => ({ members: new Set(), earlier: new Map(), newest: 0 })

/** Null where it can't be told: of a message that can't be read any more. */
function talkAfter(talk: Talk, { body }: Overheard, server: string): Talk | null {
  try {
    const envelope = JSON.parse(body) as Envelope
    if (envelope.sender_id === server) return talk
    return { ...talk, conversation: versioned(talk.conversation, heard(talk.conversation, envelope, talk.clientId)) }
  } catch {
    return null
  }
}
