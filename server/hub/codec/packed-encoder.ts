import { type DeliveredEnvelope, maxRoomWord, maxRoomWords, pack, type RoomWords } from '@parley/protocol'
import { binaryFrame } from './frames.ts'

/** A room as the packed connections of this hub speak of it: one number and one list of words for all of them. */
export type PackedRoom = RoomWords & { readonly groupId: string; readonly words: readonly string[] }

/** One message, packed once for all readers. `words`: how many of its room's words a reader must have been told. */
export type PackedMessage = {
  readonly seq: number
  readonly id: string
  readonly senderId: string
  readonly receivedAt: string
  readonly sig: { readonly alg: string; readonly value: string }
  readonly room: PackedRoom
  readonly words: number
  frame(isSqueezed: boolean): Buffer
}

/** What all packed connections of a hub share. */
export type PackedEncoder = {
  /** The room; it gets its number when it is first asked for. */
  roomOf(groupId: string): PackedRoom
  /** Nobody reads it here any more; if somebody comes back it gets another number. */
  dropRoom(groupId: string): void
  /** A stored message. `body`: the envelope's canonical text. */
  encode(groupId: string, body: string | Buffer): PackedMessage
  /** Many of one room, packed when the first reader asks. */
  encodeLazily(groupId: string, bodies: readonly (string | Buffer)[]): () => readonly PackedMessage[]
}

type RoomDictionary = PackedRoom & { readonly words: string[]; readonly places: Map<string, number> }

/** Tasks and traces come and go: so many words may be theirs, and all others are for those who speak. */
const maxTransientWords = 96

export function createPackedEncoder(): PackedEncoder {
  const byGroup = new Map<string, RoomDictionary>()
  let last = 0

  function roomOf(groupId: string): RoomDictionary {
    const known = byGroup.get(groupId)
    if (known) return known
    const places = new Map([[groupId, 0]])
    const room = { number: ++last, groupId, words: [groupId], places, placeOf: (word: string) => places.get(word) }
    byGroup.set(groupId, room)
    return room
  }

  function encode(groupId: string, body: string | Buffer): PackedMessage {
    const room = roomOf(groupId)
    const envelope = JSON.parse(body.toString()) as DeliveredEnvelope
    addRoomWords(room, envelope)
    const payload = pack({ type: 'deliver', envelope }, room)
    const frames: { plain?: Buffer; squeezed?: Buffer } = {}
    return {
      seq: envelope.seq,
      id: envelope.id,
      senderId: envelope.sender_id,
      receivedAt: envelope.received_at,
      sig: envelope.sig,
      room,
      words: room.words.length,
      frame(isSqueezed) {
        const kind = isSqueezed ? 'squeezed' : 'plain'
        frames[kind] ??= binaryFrame(payload, isSqueezed)
        return frames[kind]
      },
    }
  }

  return {
    roomOf,
    dropRoom: (groupId) => void byGroup.delete(groupId),
    encode,
    encodeLazily(groupId, bodies) {
      let made: readonly PackedMessage[] | undefined
      return () => {
        made ??= bodies.map((body) => encode(groupId, body))
        return made
      }
    },
  }
}

/** Makes words of what a room's messages say again and again. */
function addRoomWords(
  room: RoomDictionary,
  { sender_id, sig, to, next_speakers, task_id, parent_task_id, triggers, trace }: DeliveredEnvelope,
): void {
  addWords(room, maxRoomWords, sender_id, sig.kid, ...(to ?? []), ...(next_speakers ?? []))
  addWords(room, maxTransientWords, task_id, parent_task_id, trace, ...(triggers ?? []))
}

function addWords(room: RoomDictionary, maxWords: number, ...words: readonly (string | undefined)[]): void {
  for (const word of words) {
    if (word === undefined || word.length > maxRoomWord || room.words.length >= maxWords || room.places.has(word)) continue
    room.places.set(word, room.words.length)
    room.words.push(word)
  }
}
