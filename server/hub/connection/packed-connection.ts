import { CanonicalError, type CommandFrame, type Json, pack, type ServerFrame, type Signature, unpack } from '@parley/protocol'
import { requestMalformed } from '../../gateway/index.ts'
import { binaryFrame, inflates } from '../codec/frames.ts'
import type { PackedMessage, PackedRoom } from '../codec/packed-encoder.ts'
import type { Line } from './connection-types.ts'
import type { Outlet } from './write-buffer.ts'

/** One connection whose frames are packed: what it has been told, and what it has said itself. */
export type PackedLine = {
  /** What came in a binary message. @throws request.malformed */
  read(bytes: Uint8Array): Json
  /** A command came packed: its sender has at hand what it carries, and need not be told it in full. */
  heard(frame: CommandFrame): void
  /** A command is refused. */
  refused(frame: CommandFrame): void
  /** Its result as JSON, unless the message that it carried has gone out as such. */
  answer(frame: CommandFrame, text: string): void
  deliver(messages: readonly PackedMessage[]): void
  /** One message as it is stored. */
  hand(groupId: string, body: string | Buffer): void
  /** It reads again from somewhere: all that comes now comes in full. */
  again(): void
  /** Of rooms that it reads no more, the words are forgotten in time. */
  keepOnly(groupIds: readonly string[]): void
}

/** Messages of its own that a connection is expected to have at hand; those sent before the last so many come in full. */
const mostOwn = 64
/** Rooms whose words are still known after it was there last, because a command may be on its way. */
const mostLeft = 64

/** Letters of a result that is packed. */
const mostPacked = 65_536

/** A message that came on this connection. `sig`: null where the sender left its own out. */
type Own = { readonly request: string | number; readonly sig: string | null; isAnswered: boolean; isSaid: boolean }

/** `did`: the name under which it speaks. */
export function openPackedLine({ packs, socket }: Pick<Line, 'packs' | 'socket'>, outlet: Outlet, did: string): PackedLine {
  const isSqueezed = inflates(socket)
  /** Of each room the words that it was told, by the room's number. */
  const told = new Map<number, { readonly groupId: string; readonly words: readonly string[] }>()
  /** By envelope id, in the order in which they came. */
  const own = new Map<string, Own>()

  const isOpen = () => socket.readyState === socket.OPEN
  const send = (frame: ServerFrame) => {
    if (isOpen()) outlet.frames(binaryFrame(pack(frame), isSqueezed))
  }

  function tell(room: PackedRoom, words: number): void {
    const from = told.get(room.number)?.words.length ?? 0
    if (from >= words) return
    told.set(room.number, { groupId: room.groupId, words: room.words.slice(0, words) })
    send({ type: 'words', room: room.number, from, words: room.words.slice(from, words) })
  }

  /** Whether it is this connection's own, as it sent it; then it is told of its number alone. */
  function sayBack({ id, seq, senderId, receivedAt, sig }: PackedMessage): boolean {
    const mine = own.get(id)
    if (!mine || mine.isSaid || senderId !== did) return false
    // The same words under another signature than this one are another message to who verifies it.
    if (mine.sig === null ? sig.alg !== 'session' : mine.sig !== sig.value) return false
    send({ type: 'said', id: mine.request, seq, received_at: receivedAt, ...(mine.sig === null && { sig: sig as Signature }) })
    mine.isSaid = true
    if (mine.isAnswered) own.delete(id)
    return true
  }

  function deliver(message: PackedMessage): void {
    if (!isOpen() || (own.size > 0 && sayBack(message))) return
    tell(message.room, message.words)
    outlet.frames(message.frame(isSqueezed))
  }

  return {
    read(bytes) {
      try {
        return unpack(bytes, (room) => told.get(room)?.words)
      } catch (error) {
        if (error instanceof CanonicalError) throw requestMalformed(`This is not a packed frame that we read: ${error.message}.`)
        throw error
      }
    },
    heard(frame) {
      const envelope = carriedBy(frame)
      if (!envelope) return
      own.set(envelope.id, { request: frame.id, sig: envelope.sig, isAnswered: false, isSaid: false })
      for (const oldest of own.keys()) {
        if (own.size <= mostOwn) break
        own.delete(oldest)
      }
    },
    refused(frame) {
      const envelope = carriedBy(frame)
      if (envelope) own.delete(envelope.id)
    },
    answer(frame, text) {
      const envelope = carriedBy(frame)
      const mine = envelope && own.get(envelope.id)
      if (mine) mine.isAnswered = true
      if (mine?.isSaid) own.delete(envelope?.id ?? '')
      if (mine?.isSaid && frame.command.type === 'message.post') return
      // What is that long is a file more often than not, in letters that packing leaves as they are.
      if (text.length > mostPacked) outlet.text(`{"type":"result","id":${JSON.stringify(frame.id)},"result":${text}}`)
      else send({ type: 'result', id: frame.id, result: JSON.parse(text) })
    },
    deliver: (messages) => messages.forEach(deliver),
    hand: (groupId, body) => deliver(packs.message(groupId, body)),
    again: () => own.clear(),
    keepOnly(groupIds) {
      for (const [number, { groupId }] of told) {
        if (told.size <= groupIds.length + mostLeft) return
        if (!groupIds.includes(groupId)) told.delete(number)
      }
    },
  }
}

/** The id of the message in a command and its signature, null where the sender left that out. */
function carriedBy({ command }: CommandFrame): { id: string; sig: string | null } | null {
  const envelope = command.envelope as { id?: unknown; sig?: { value?: unknown } } | null | undefined
  if (typeof envelope !== 'object' || envelope === null || typeof envelope.id !== 'string') return null
  const value = envelope.sig?.value
  return { id: envelope.id, sig: typeof value === 'string' ? value : null }
}
