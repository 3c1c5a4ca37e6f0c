import { CanonicalError, type CommandFrame, type Json, pack, type ServerFrame, type Signature, unpack } from '@parley/protocol'
import { requestMalformed } from '../../gateway/index.ts'
import { acceptsDeflate, binaryFrame } from '../codec/frames.ts'
import type { PackedMessage, PackedRoom } from '../codec/packed-encoder.ts'
import type { ConnectionContext } from './connection-types.ts'
import type { WriteBuffer } from './write-buffer.ts'

/** One connection whose frames are packed: what it has been told, and what it has said itself. */
export type PackedConnection = {
  /** What came in a binary message. @throws request.malformed */
  decode(bytes: Uint8Array): Json
  /** A command came packed: its sender has at hand what it carries, and need not be told it in full. */
  noteCommand(frame: CommandFrame): void
  /** A command is refused. */
  noteRejected(frame: CommandFrame): void
  /** Its result as JSON, unless the message that it carried has gone out as such. */
  sendResult(frame: CommandFrame, text: string): void
  deliver(messages: readonly PackedMessage[]): void
  /** One message as it is stored. */
  deliverStored(groupId: string, body: string | Buffer): void
  /** It reads again from somewhere: all that comes now comes in full. */
  forgetOwnMessages(): void
  /** Of rooms that it reads no more, the words are forgotten in time. */
  keepOnly(groupIds: readonly string[]): void
}

/** Messages of its own that a connection is expected to have at hand; those sent before the last so many come in full. */
const maxOwnMessages = 64
/** Rooms whose words are still known after it was there last, because a command may be on its way. */
const maxLeftRooms = 64

/** Letters of a result that is packed. */
const maxPackedChars = 65_536

/** A message that came on this connection. `sig`: null where the sender left its own out. */
type OwnMessage = { readonly request: string | number; readonly sig: string | null; isAnswered: boolean; isDelivered: boolean }

/** `did`: the name under which it speaks. */
export function createPackedConnection(
  { packedEncoder, socket }: Pick<ConnectionContext, 'packedEncoder' | 'socket'>,
  writer: WriteBuffer,
  did: string,
): PackedConnection {
  const isDeflated = acceptsDeflate(socket)
  /** Of each room the words that it was told, by the room's number. */
  const dictionaries = new Map<number, { readonly groupId: string; readonly words: readonly string[] }>()
  /** By envelope id, in the order in which they came. */
  const ownMessages = new Map<string, OwnMessage>()

  const isOpen = () => socket.readyState === socket.OPEN
  const send = (frame: ServerFrame) => {
    if (isOpen()) writer.writeFrames(binaryFrame(pack(frame), isDeflated))
  }

  function sendDictionary(room: PackedRoom, words: number): void {
    const from = dictionaries.get(room.number)?.words.length ?? 0
    if (from >= words) return
    dictionaries.set(room.number, { groupId: room.groupId, words: room.words.slice(0, words) })
    send({ type: 'words', room: room.number, from, words: room.words.slice(from, words) })
  }

  /** Whether it is this connection's own, as it sent it; then it is told of its number alone. */
  function deliverReceipt({ id, seq, senderId, receivedAt, sig }: PackedMessage): boolean {
    const mine = ownMessages.get(id)
    if (!mine || mine.isDelivered || senderId !== did) return false
    // The same words under another signature than this one are another message to who verifies it.
    if (mine.sig === null ? sig.alg !== 'session' : mine.sig !== sig.value) return false
    send({ type: 'said', id: mine.request, seq, received_at: receivedAt, ...(mine.sig === null && { sig: sig as Signature }) })
    mine.isDelivered = true
    if (mine.isAnswered) ownMessages.delete(id)
    return true
  }

  function deliver(message: PackedMessage): void {
    if (!isOpen() || (ownMessages.size > 0 && deliverReceipt(message))) return
    sendDictionary(message.room, message.words)
    writer.writeFrames(message.frame(isDeflated))
  }

  return {
    decode(bytes) {
      try {
        return unpack(bytes, (room) => dictionaries.get(room)?.words)
      } catch (error) {
        if (error instanceof CanonicalError) throw requestMalformed(`This is not a packed frame that we read: ${error.message}.`)
        throw error
      }
    },
    noteCommand(frame) {
      const envelope = envelopeOf(frame)
      if (!envelope) return
      ownMessages.set(envelope.id, { request: frame.id, sig: envelope.sig, isAnswered: false, isDelivered: false })
      for (const oldest of ownMessages.keys()) {
        if (ownMessages.size <= maxOwnMessages) break
        ownMessages.delete(oldest)
      }
    },
    noteRejected(frame) {
      const envelope = envelopeOf(frame)
      if (envelope) ownMessages.delete(envelope.id)
    },
    sendResult(frame, text) {
      const envelope = envelopeOf(frame)
      const mine = envelope && ownMessages.get(envelope.id)
      if (mine) mine.isAnswered = true
      if (mine?.isDelivered) ownMessages.delete(envelope?.id ?? '')
      if (mine?.isDelivered && frame.command.type === 'message.post') return
      // What is that long is a file more often than not, in letters that packing leaves as they are.
      if (text.length > maxPackedChars) writer.writeText(`{"type":"result","id":${JSON.stringify(frame.id)},"result":${text}}`)
      else send({ type: 'result', id: frame.id, result: JSON.parse(text) })
    },
    deliver: (messages) => messages.forEach(deliver),
    deliverStored: (groupId, body) => deliver(packedEncoder.encode(groupId, body)),
    forgetOwnMessages: () => ownMessages.clear(),
    keepOnly(groupIds) {
      for (const [number, { groupId }] of dictionaries) {
        if (dictionaries.size <= groupIds.length + maxLeftRooms) return
        if (!groupIds.includes(groupId)) dictionaries.delete(number)
      }
    },
  }
}

/** The id of the message in a command and its signature, null where the sender left that out. */
function envelopeOf({ command }: CommandFrame): { id: string; sig: string | null } | null {
  const envelope = command.envelope as { id?: unknown; sig?: { value?: unknown } } | null | undefined
  if (typeof envelope !== 'object' || envelope === null || typeof envelope.id !== 'string') return null
  const value = envelope.sig?.value
  return { id: envelope.id, sig: typeof value === 'string' ? value : null }
}
