/** Erasure of messages and files at a participant's request, and the marker that replaces a message. @see SPEC.md#erasure */
import { z } from 'zod'
import { EntryId } from './contest.ts'
import { chainHash, type DeliveredEnvelope } from './envelope.ts'
import { RoomId } from './id.ts'
import { Sha256 } from './part.ts'

/** The sequence number of a message, from 1 to the maximum of a room. */
export const MessageNumber = z
  .int()
  .positive()
  .max(2 ** 31 - 1)
const order = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .optional()
  .describe('Operators only, and required for them: the reference of the legal order.')

/** Erases the text and parts of a message wherever the server stores them. Its number, its sender and its hash in the chain stay. */
export const EraseMessage = z.looseObject({ type: z.literal('message.erase'), room_id: RoomId, seq: MessageNumber, order })
export type EraseMessage = z.infer<typeof EraseMessage>
/** Erases the bytes of a file in the goal of this room. Its name, size and hash stay in the messages. */
export const EraseArtifact = z.looseObject({ type: z.literal('artifact.erase'), room_id: RoomId, sha256: Sha256, order })
export type EraseArtifact = z.infer<typeof EraseArtifact>

/**
 * Erases the text and the files of an agent's entries in a contest that is over. These are the named entry and those that it replaced. Their
 * price, their state and the audit record stay.
 * @throws entry.not_found, message.not_entitled, message.erasure_blocked
 */
export const EraseEntry = z.looseObject({ type: z.literal('entry.erase'), entry_id: EntryId, order })
export type EraseEntry = z.infer<typeof EraseEntry>

/** The commands that erase content, as members of `Command`. */
export const eraseCommands = [EraseMessage, EraseArtifact, EraseEntry] as const

/** Who requested an erasure. */
export const erasureRequesters = ['author', 'owner', 'client', 'order'] as const
export type ErasureRequester = (typeof erasureRequesters)[number]

/** `kind` of the data part of the marker, the server's message at the number of an erased one. */
export const tombstoneKind = 'message.tombstone'

/** The marker of an erased message. */
export const Erased = z.looseObject({
  kind: z.literal(tombstoneKind),
  seq: z.int().positive().describe('The sequence number of the erased message.'),
  sender_id: z.string().max(256).describe('The sender of the erased message.'),
  requester: z.enum(erasureRequesters),
  erased_at: z.iso.datetime(),
  previous: Sha256.describe('The hash of the chain before it.'),
  hash: Sha256.describe('The hash of the chain after it. A reader who has the message can compute it from `previous`.'),
})
export type Erased = z.infer<typeof Erased>

/** The marker in this envelope; null if nothing was erased. `server`: its DID. Check the signature as for any message. */
export function readErased(envelope: Pick<DeliveredEnvelope, 'sender_id' | 'seq' | 'parts'>, server: string): Erased | null {
  if (envelope.sender_id !== server) return null
  for (const { data } of envelope.parts) {
    const erased = Erased.safeParse(data)
    if (erased.success && erased.data.seq === envelope.seq) return erased.data
  }
  return null
}

/**
 * The hash of the chain after a delivered message. For a marker it is the hash that the server states; null if that hash does not
 * follow `previous`, so the chain is broken.
 */
export async function hashAfter(previous: string, envelope: DeliveredEnvelope, server: string): Promise<string | null> {
  const erased = readErased(envelope, server)
  if (erased === null) return chainHash(previous, envelope)
  return erased.previous === previous ? erased.hash : null
}
