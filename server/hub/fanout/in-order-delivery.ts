import type { Span, StoredMessage } from '../../delivery/index.ts'
import type { Log } from '../../log.ts'
import type { Packs } from '../codec/packed-encoder.ts'
import type { LiveMessages } from './message-batch.ts'
import { liveMessages } from './message-batch.ts'

/**
 * What is written into groups that are read here goes to all their readers together, once and in its order: what this process has
 * in hand as it is, and what only other processes have from the log. Who lacks something before it reads the log by itself.
 */
export type Foreign = {
  /** Somebody here reads the group from now on, and has, or reads by itself, all up to `head`. */
  begin(groupId: string, head: number): void
  /** The group goes up to `seq`. */
  heard(groupId: string, seq: number): void
  /** The messages from `first` on were just committed. They go out at once, or as soon as what stands before them has. */
  wrote(groupId: string, first: number, bodies: readonly Buffer[]): void
  /** Nobody reads the group here any more. */
  forget(groupId: string): void
}

/** Messages that follow on one another. */
type Piece = { readonly first: number; readonly last: number; readonly bodies: readonly Buffer[] }

/** `given`: up to where readers were given the group; `wanted`: up to where it is known to go. `ahead`: what comes after a gap. */
type Place = { given: number; wanted: number; isReading: boolean; ahead: Piece[]; bytesAhead: number }

const batch = 100
/** What is beyond that is read from the log in its turn. */
const mostBytesAhead = 1_048_576

/** `read`: what has been written in a group. `give`: to all readers of the group; `look`: they read for themselves. */
export function createForeign(
  log: Log,
  read: (span: Span) => Promise<readonly StoredMessage[]>,
  packs: Packs,
  give: (live: LiveMessages) => void,
  look: (groupId: string, seq: number) => void,
): Foreign {
  const places = new Map<string, Place>()
  const at = (given: number): Place => ({ given, wanted: given, isReading: false, ahead: [], bytesAhead: 0 })

  async function catchUp(groupId: string, place: Place): Promise<void> {
    place.isReading = true
    // Signals come by many; what they tell of together is read together.
    await null
    try {
      while (place.given < place.wanted) {
        const next = place.ahead[0]
        if (next && next.first <= place.given + 1) {
          shift(groupId, place, next)
          continue
        }
        const upTo = Math.min(place.wanted, place.given + batch, next ? next.first - 1 : place.wanted)
        const messages = await read({ groupId, after: place.given, upTo })
        const [first, last] = [messages[0], messages.at(-1)]
        if (!first || !last) break
        place.given = last.seq
        const bodies = messages.map(({ body }) => Buffer.from(body))
        give(liveMessages(packs, groupId, [first.seq, last.seq], bodies))
      }
    } catch (error) {
      log.debug({ err: error, groupId }, 'what another process has said is left to its readers')
      place.given = Math.max(place.given, place.wanted)
      look(groupId, place.wanted)
    } finally {
      place.isReading = false
      place.ahead = []
      place.bytesAhead = 0
    }
  }

  /** What was ahead is next now; some of it may have been read meanwhile. */
  function shift(groupId: string, place: Place, { first, last, bodies }: Piece): void {
    place.ahead.shift()
    place.bytesAhead -= sizeOf(bodies)
    const from = place.given + 1
    if (last < from) return
    place.given = last
    give(liveMessages(packs, groupId, [from, last], bodies.slice(from - first)))
  }

  function keep(place: Place, piece: Piece): void {
    const bytes = sizeOf(piece.bodies)
    const behind = place.ahead.at(-1)?.last ?? 0
    if (piece.first <= behind || place.bytesAhead + bytes > mostBytesAhead) return
    place.ahead.push(piece)
    place.bytesAhead += bytes
  }

  return {
    begin(groupId, head) {
      if (!places.has(groupId)) places.set(groupId, at(head))
    },
    heard(groupId, seq) {
      const place = places.get(groupId)
      if (!place) {
        places.set(groupId, at(seq))
        return look(groupId, seq)
      }
      if (seq <= place.wanted) return
      place.wanted = seq
      if (!place.isReading && place.given < seq) void catchUp(groupId, place)
    },
    wrote(groupId, first, bodies) {
      const last = first + bodies.length - 1
      const place = places.get(groupId) ?? at(first - 1)
      places.set(groupId, place)
      if (last <= place.given) return
      place.wanted = Math.max(place.wanted, last)
      if (place.isReading || first > place.given + 1) {
        keep(place, { first, last, bodies })
        if (!place.isReading) void catchUp(groupId, place)
        return
      }
      const from = place.given + 1
      place.given = last
      try {
        give(liveMessages(packs, groupId, [from, last], first === from ? bodies : bodies.slice(from - first)))
      } catch (error) {
        // It is written, and other rooms have their own: who reads this one reads it from the log.
        log.error({ err: error, groupId }, 'what was just said could not be made a frame')
        look(groupId, last)
      }
    },
    forget: (groupId) => void places.delete(groupId),
  }
}

const sizeOf = (bodies: readonly Buffer[]) => bodies.reduce((sum, { length }) => sum + length, 0)
