/** What is taken out of a room for good at somebody's word, and what stands in its place. @see SPEC.md#erasure */
import { z } from 'zod'
import { chainHash, type DeliveredEnvelope } from './envelope.ts'
import { GroupId } from './id.ts'
import { Sha256 } from './part.ts'

/** Of a message in its room, from 1; no room has more. */
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
  .describe('From operators alone, who must give it: the legal order that they follow, by its reference.')

/** A message's text and parts are erased, wherever the server keeps them. Its number, its sender and its place in the chain stay. */
export const EraseMessage = z.looseObject({ type: z.literal('message.erase'), group_id: GroupId, seq: MessageNumber, order })
export type EraseMessage = z.infer<typeof EraseMessage>
/** A file's bytes are erased in the goal of this room. Its name, size and hash stay where messages have named them. */
export const EraseArtifact = z.looseObject({ type: z.literal('artifact.erase'), group_id: GroupId, sha256: Sha256, order })
export type EraseArtifact = z.infer<typeof EraseArtifact>

export const eraseCommands = [EraseMessage, EraseArtifact] as const

/** On whose word something was erased. */
export const erasureGrounds = ['author', 'owner', 'client', 'order'] as const
export type ErasureGround = (typeof erasureGrounds)[number]

/** `kind` of the data part of the server's message that stands at the number of an erased one. */
export const erasedKind = 'message.erased'

/** What the server says of an erased message. */
export const Erased = z.looseObject({
  kind: z.literal(erasedKind),
  seq: z.int().positive().describe('The number that it stood at.'),
  sender_id: z.string().max(256).describe('Who had said it.'),
  ground: z.enum(erasureGrounds),
  erased_at: z.iso.datetime(),
  previous: Sha256.describe('The chain’s hash before it.'),
  hash: Sha256.describe('The chain’s hash after it. Whoever has kept the message can compute it from `previous`.'),
})
export type Erased = z.infer<typeof Erased>

/** What is said of the message that stood here; null where nothing was erased. `server`: its DID. Check the signature as any message's. */
export function readErased(envelope: Pick<DeliveredEnvelope, 'sender_id' | 'seq' | 'parts'>, server: string): Erased | null {
  if (envelope.sender_id !== server) return null
  for (const { data } of envelope.parts) {
    const erased = Erased.safeParse(data)
    if (erased.success && erased.data.seq === envelope.seq) return erased.data
  }
  return null
}

/**
 * The chain's hash after a message as it is delivered. Where one was erased it is the one that the server states, and null where
 * that does not follow on `previous`: the chain is not whole.
 */
export async function hashAfter(previous: string, envelope: DeliveredEnvelope, server: string): Promise<string | null> {
  const erased = readErased(envelope, server)
  if (erased === null) return chainHash(previous, envelope)
  return erased.previous === previous ? erased.hash : null
}
