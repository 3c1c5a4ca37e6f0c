import type { Span, StoredMessage } from '../delivery/index.ts'
import type { Log } from '../log.ts'
import type { LiveMessages } from './feed.ts'
import { liveMessages } from './live-messages.ts'
import type { Packs } from './packs.ts'

/**
 * What other processes have written into groups that are read here: fetched once for all readers of a group, and given to
 * them as what is said here is. Who lacks something before it reads the log by itself.
 */
export type Foreign = {
  /** Somebody here reads the group from now on, and has, or reads by itself, all up to `head`. */
  begin(groupId: string, head: number): void
  /** The group goes up to `seq`. */
  heard(groupId: string, seq: number): void
  /**
   * This process has written from `first` to `last`. True where that follows on what was given out and may go out at once;
   * otherwise it goes out with what stands before it.
   */
  follows(groupId: string, first: number, last: number): boolean
  /** Nobody reads the group here any more. */
  forget(groupId: string): void
}

/** `given`: up to where readers were given the group; `wanted`: up to where it is known to go. */
type Place = { given: number; wanted: number; isReading: boolean }

const batch = 100

/** `read`: what has been written in a group. `give`: to all readers of the group; `look`: they read for themselves. */
export function createForeign(
  log: Log,
  read: (span: Span) => Promise<readonly StoredMessage[]>,
  packs: Packs,
  give: (live: LiveMessages) => void,
  look: (groupId: string, seq: number) => void,
): Foreign {
  const places = new Map<string, Place>()

  async function catchUp(groupId: string, place: Place): Promise<void> {
    place.isReading = true
    // Signals come by many; what they tell of together is read together.
    await null
    try {
      while (place.given < place.wanted) {
        const messages = await read({ groupId, after: place.given, upTo: Math.min(place.wanted, place.given + batch) })
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
    }
  }

  return {
    begin(groupId, head) {
      if (!places.has(groupId)) places.set(groupId, { given: head, wanted: head, isReading: false })
    },
    heard(groupId, seq) {
      const place = places.get(groupId)
      if (!place) {
        places.set(groupId, { given: seq, wanted: seq, isReading: false })
        return look(groupId, seq)
      }
      if (seq <= place.wanted) return
      place.wanted = seq
      if (!place.isReading && place.given < seq) void catchUp(groupId, place)
    },
    follows(groupId, first, last) {
      const place = places.get(groupId)
      if (!place) places.set(groupId, { given: last, wanted: last, isReading: false })
      else if (!place.isReading && place.given === first - 1) Object.assign(place, { given: last, wanted: Math.max(place.wanted, last) })
      else if (place.given < last) {
        place.wanted = Math.max(place.wanted, last)
        if (!place.isReading) void catchUp(groupId, place)
        return false
      }
      return true
    },
    forget: (groupId) => void places.delete(groupId),
  }
}
