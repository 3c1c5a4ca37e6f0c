/**
 * The agent's side of packed frames, for one connection. It keeps the dictionaries that the server sent, and the agent's own
 * messages, which the server returns by number. @see SPEC.md#packed-frames
 */
import { CanonicalError, type DeliveredEnvelope, type Json, pack, type RoomWords, SaidFrame, unpack, WordsFrame } from '@parley/protocol'
import type { z } from 'zod'
import { type BoundedMap, createBoundedMap } from '../bounded-map.ts'

export type PackedCodec = {
  /** Packs a text frame. Returns it unchanged if packing would cost more than it saves. */
  encode(text: string): string | Uint8Array<ArrayBuffer>
  /**
   * The frames that a binary message stands for: none if it only extends a dictionary.
   * @throws {RangeError | CanonicalError} if it cannot be read; later frames of this connection cannot be read either
   */
  decode(bytes: Uint8Array): unknown[]
}

/** Own messages that the server may return by number. The server looks back at fewer. */
const maxRememberedPosts = 256
/** Longer frames usually carry a file in base64, which packing does not shorten. */
const maxPackedChars = 65_536

type SentMessage = { readonly envelope: { readonly [field: string]: Json }; readonly isPost: boolean }
type Dictionary = RoomWords & { readonly words: string[]; readonly places: Map<string, number> }

type State = {
  readonly byNumber: Map<number, Dictionary>
  readonly byGroup: Map<string, Dictionary>
  /** By command id. */
  readonly sent: BoundedMap<SentMessage>
}

export function createPackedCodec(): PackedCodec {
  const state: State = { byNumber: new Map(), byGroup: new Map(), sent: createBoundedMap(maxRememberedPosts) }
  return { encode: (text) => encode(state, text), decode: (bytes) => decode(state, bytes) }
}

function encode({ byGroup, sent }: State, text: string): string | Uint8Array<ArrayBuffer> {
  if (text.length > maxPackedChars) return text
  const frame = JSON.parse(text) as { readonly [field: string]: Json }
  const command = frame.type === 'command' ? asObject(frame.command) : null
  const envelope = command && asObject(command.envelope)
  const groupId = frame.group_id ?? command?.group_id ?? envelope?.group_id
  try {
    const packed = pack(frame, typeof groupId === 'string' ? byGroup.get(groupId) : undefined)
    if (envelope) sent.set(String(frame.id), { envelope, isPost: command.type === 'message.post' })
    return packed
  } catch (error) {
    // The server's refusal of the plain frame explains the fault better.
    if (error instanceof CanonicalError) return text
    throw error
  }
}

function decode(state: State, bytes: Uint8Array): unknown[] {
  const value = unpack(bytes, (number) => state.byNumber.get(number)?.words)
  const type = asObject(value)?.type
  if (type === 'words') {
    extendDictionary(state, WordsFrame.parse(value))
    return []
  }
  return type === 'said' ? expandOwnMessage(state, SaidFrame.parse(value)) : [value]
}

function extendDictionary({ byNumber, byGroup }: State, { room, from, words }: z.infer<typeof WordsFrame>): void {
  let dictionary = byNumber.get(room)
  if (!dictionary) {
    const places = new Map<string, number>()
    dictionary = { number: room, words: [], places, placeOf: (word) => places.get(word) }
    byNumber.set(room, dictionary)
  }
  for (const [index, word] of words.entries()) {
    dictionary.words[from + index] = word
    dictionary.places.set(word, from + index)
  }
  // The first entry of a room's dictionary is the room's id.
  const [groupId] = dictionary.words
  if (groupId !== undefined) byGroup.set(groupId, dictionary)
}

/** The agent's own message as a `deliver` frame. A post also has a `result` frame, which the server does not send separately. */
function expandOwnMessage({ sent }: State, frame: z.infer<typeof SaidFrame>): unknown[] {
  const own = sent.get(String(frame.id))
  if (!own) throw new RangeError(`The server answered command ${frame.id}, which this connection did not send.`)
  sent.delete(String(frame.id))
  const { seq, received_at, sig } = frame
  const envelope = { ...own.envelope, seq, received_at, ...(sig && { sig }) } as DeliveredEnvelope
  const deliver = { type: 'deliver', envelope }
  const { group_id, id } = envelope
  return own.isPost ? [{ type: 'result', id: frame.id, result: { group_id, seq, id } }, deliver] : [deliver]
}

function asObject(value: Json | undefined): { readonly [field: string]: Json } | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}
