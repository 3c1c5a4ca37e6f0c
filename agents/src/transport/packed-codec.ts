/**
 * Packed frames from the agent's side, for one connection: the words that the server has told, and the messages that were
 * sent, which come back as a number.
 */
import { CanonicalError, type DeliveredEnvelope, type Json, pack, type RoomWords, SaidFrame, unpack, WordsFrame } from '@parley/protocol'
import type { z } from 'zod'

export type Packing = {
  /** A frame of text in fewer bytes; as it is where that would cost more than it saves. */
  pack(text: string): string | Uint8Array<ArrayBuffer>
  /**
   * What a binary message stands for, as the frames that would have come without packing; none where it only told words.
   * Throws where it can't be read: what follows it can't be trusted to be whole either.
   */
  unpack(bytes: Uint8Array): unknown[]
}

/** Messages of ours that can come back as a number. The server goes back fewer than that. */
const maxSent = 256
/** A longer frame carries a file more often than not, in letters that packing leaves as they are. */
const maxPacked = 65_536

type Sent = { readonly envelope: { readonly [field: string]: Json }; readonly isPost: boolean }
type Room = RoomWords & { readonly words: string[]; readonly places: Map<string, number> }

export function createPacking(): Packing {
  const byNumber = new Map<number, Room>()
  const byGroup = new Map<string, Room>()
  /** By the id of the command. */
  const sent = new Map<string, Sent>()

  function learn(number: number, from: number, words: readonly string[]): void {
    let room = byNumber.get(number)
    if (!room) {
      const places = new Map<string, number>()
      room = { number, words: [], places, placeOf: (word) => places.get(word) }
      byNumber.set(number, room)
    }
    for (const [index, word] of words.entries()) {
      room.words[from + index] = word
      room.places.set(word, from + index)
    }
    const [groupId] = room.words
    if (groupId !== undefined) byGroup.set(groupId, room)
  }

  function note(id: string, one: Sent): void {
    sent.delete(id)
    sent.set(id, one)
    for (const oldest of sent.keys()) {
      if (sent.size <= maxSent) break
      sent.delete(oldest)
    }
  }

  /** Our own message as the room has it, and, of a post, the result that was not sent beside it. */
  function saidAs(frame: z.infer<typeof SaidFrame>): unknown[] {
    const own = sent.get(String(frame.id))
    if (!own) throw new RangeError(`The server answers command ${frame.id}, which is not of this connection.`)
    sent.delete(String(frame.id))
    const { seq, received_at, sig } = frame
    const envelope = { ...own.envelope, seq, received_at, ...(sig && { sig }) } as DeliveredEnvelope
    const deliver = { type: 'deliver', envelope }
    const { group_id, id } = envelope
    return own.isPost ? [{ type: 'result', id: frame.id, result: { group_id, seq, id } }, deliver] : [deliver]
  }

  return {
    pack(text) {
      if (text.length > maxPacked) return text
      const frame = JSON.parse(text) as { readonly [field: string]: Json }
      const command = frame.type === 'command' ? objectAt(frame.command) : null
      const envelope = command && objectAt(command.envelope)
      const groupId = frame.group_id ?? command?.group_id ?? envelope?.group_id
      try {
        const packed = pack(frame, typeof groupId === 'string' ? byGroup.get(groupId) : undefined)
        if (envelope) note(String(frame.id), { envelope, isPost: command.type === 'message.post' })
        return packed
      } catch (error) {
        // The server says better what is wrong with it.
        if (error instanceof CanonicalError) return text
        throw error
      }
    },
    unpack(bytes) {
      const value = unpack(bytes, (number) => byNumber.get(number)?.words)
      const type = objectAt(value)?.type
      if (type === 'words') {
        const { room, from, words } = WordsFrame.parse(value)
        learn(room, from, words)
        return []
      }
      return type === 'said' ? saidAs(SaidFrame.parse(value)) : [value]
    },
  }
}

function objectAt(value: Json | undefined): { readonly [field: string]: Json } | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}
