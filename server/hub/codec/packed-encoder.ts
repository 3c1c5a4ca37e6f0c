import { type DeliveredEnvelope, maxRoomWord, maxRoomWords, pack, type RoomWords } from '@parley/protocol'
import { binaryFrame } from './frames.ts'

/** The packed encoding of a room: a number and a dictionary that all packed connections of this hub share. */
export type PackedRoom = RoomWords & { readonly groupId: string; readonly words: readonly string[] }

/** A message packed once for all readers. `words`: the dictionary size that a reader needs to decode it. */
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

/** The encoder that all packed connections of a hub share. */
export type PackedEncoder = {
  /** The room, which gets its number on first use. */
  roomOf(groupId: string): PackedRoom
  /** The room has no readers any more. A later reader gets a new number. */
  dropRoom(groupId: string): void
  /** Encodes a stored message. `body`: the canonical text of the envelope. */
  encode(groupId: string, body: string | Buffer): PackedMessage
  /** Encodes messages of one room when the first reader needs them. */
  encodeLazily(groupId: string, bodies: readonly (string | Buffer)[]): () => readonly PackedMessage[]
}

type RoomDictionary = PackedRoom & { readonly words: string[]; readonly places: Map<string, number> }

/** Dictionary entries for tasks and traces, which are short-lived. The rest is reserved for members. */
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

/** Adds values that repeat in the messages of a room to its dictionary. */
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
