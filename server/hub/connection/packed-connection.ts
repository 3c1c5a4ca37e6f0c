import { CanonicalError, type CommandFrame, type Json, pack, type ServerFrame, type Signature, unpack } from '@parley/protocol'
import { requestMalformed } from '../../commands/index.ts'
import { acceptsDeflate, binaryFrame } from '../codec/frames.ts'
import type { PackedMessage, PackedRoom } from '../codec/packed-encoder.ts'
import type { ConnectionContext } from './connection-types.ts'
import type { WriteBuffer } from './write-buffer.ts'

/** One connection with packed frames: the dictionaries that it received, and its own messages. */
export type PackedConnection = {
  /** Decodes a binary message. @throws request.malformed */
  decode(bytes: Uint8Array): Json
  /** Records a packed command. Its sender has the message already and need not receive it again in full. */
  noteCommand(frame: CommandFrame): void
  /** A command was rejected. */
  noteRejected(frame: CommandFrame): void
  /** Sends the result as JSON, unless the receipt of its message has already been sent. */
  sendResult(frame: CommandFrame, text: string): void
  deliver(messages: readonly PackedMessage[]): void
  /** Delivers one stored message. */
  deliverStored(groupId: string, body: string | Buffer): void
  /** The agent reads again from an earlier position, so all messages are sent in full. */
  forgetOwnMessages(): void
  /** Forgets the dictionaries of rooms that the agent left, after some time. */
  keepOnly(groupIds: readonly string[]): void
}

/** Own messages for which a receipt is sufficient. Older ones are sent in full. */
const maxOwnMessages = 64
/** Dictionaries kept for rooms that the agent left, because a command may be in flight. */
const maxLeftRooms = 64

/** Longer results are sent as text: they usually contain a file, which packing does not shorten. */
const maxPackedChars = 65_536

/** A message sent on this connection. `sig`: null if the sender did not sign it. */
type OwnMessage = { readonly request: string | number; readonly sig: string | null; isAnswered: boolean; isDelivered: boolean }

/** `did`: the agent's DID. */
export function createPackedConnection(
  { packedEncoder, socket }: Pick<ConnectionContext, 'packedEncoder' | 'socket'>,
  writer: WriteBuffer,
  did: string,
): PackedConnection {
  const isDeflated = acceptsDeflate(socket)
  /** The dictionary that the connection received for each room, by the room's number. */
  const dictionaries = new Map<number, { readonly groupId: string; readonly words: readonly string[] }>()
  /** By envelope id, in order of arrival. */
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

  /** Sends only the sequence number if the message is this connection's own, unchanged. Returns whether it did. */
  function deliverReceipt({ id, seq, senderId, receivedAt, sig }: PackedMessage): boolean {
    const mine = ownMessages.get(id)
    if (!mine || mine.isDelivered || senderId !== did) return false
    // The same content under another signature is a different message to a verifier.
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
      // Such a result usually contains a file, which packing does not shorten.
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

/** The id and signature of the envelope in a command. `sig`: null if it is not signed. */
function envelopeOf({ command }: CommandFrame): { id: string; sig: string | null } | null {
  const envelope = command.envelope as { id?: unknown; sig?: { value?: unknown } } | null | undefined
  if (typeof envelope !== 'object' || envelope === null || typeof envelope.id !== 'string') return null
  const value = envelope.sig?.value
  return { id: envelope.id, sig: typeof value === 'string' ? value : null }
}
