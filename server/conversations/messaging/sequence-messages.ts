import type { ConversationState, Envelope, EnvelopeDraft, Signature, Signer } from '@parley/protocol'
import type { Context } from '../../context.ts'
import {
  attachSignature,
  type CanonicalEnvelope,
  canonicalizeEnvelope,
  envelopeIdReused,
  envelopeStale,
  type LogBatch,
  type LogState,
  type SequencedMessage,
  type SignedCanonicalEnvelope,
  sequenceMessage,
} from '../../delivery/index.ts'
import { applyMessage } from '../rooms/conversation.ts'
import type { RoomRow } from '../rooms/conversation-store.ts'
import { canonicalizePost } from './envelope/canonicalize-post.ts'
import type { PostResult } from './post-result.ts'
import { signServerVouchedMessages } from './sign-server-vouched-messages.ts'
import { dedupeId, type ValidatedPost } from './validate-post.ts'

/** The state of a room before the batch. */
export type RoomSnapshot = { readonly row: RoomRow; readonly log: LogState }

/** A message that the server adds between posts. It never changes the conversation. */
export type SystemPost = { readonly kind: 'notice'; readonly roomId: string; draft(state: ConversationState): EnvelopeDraft }

export type SequencedBatch = {
  readonly outcomes: readonly ({ readonly posted: PostResult } | { readonly rejected: Error })[]
  readonly batches: readonly LogBatch[]
  /** The state of each room after the batch. */
  readonly rows: ReadonlyMap<string, RoomRow>
}

/** The new messages of one room so far. `byId`: messages whose id a client chose. */
type RoomSequence = {
  readonly log: LogState
  row: RoomRow
  readonly messages: SequencedMessage[]
  readonly byId: Map<string, SequencedMessage>
  seenIds: Set<string>
}

/** Assigns state, signature and sequence number to authorized posts, in their order. Each post needs its room in `rooms`. */
export async function sequenceMessages(
  ctx: Context,
  posts: readonly (ValidatedPost | SystemPost)[],
  rooms: ReadonlyMap<string, RoomSnapshot>,
  receivedAt = ctx.clock.now(),
): Promise<SequencedBatch> {
  const sequences = new Map<string, RoomSequence>()
  const sequenceOf = posts.map(({ roomId }) => {
    const sequence = sequences.get(roomId) ?? startSequence(rooms, roomId)
    sequences.set(roomId, sequence)
    return sequence
  })
  const canonicalEnvelopes = posts.map((post, index) => applyToConversation(post, sequenceOf[index] as RoomSequence))
  const { signer } = ctx.ports
  const vouched = posts.flatMap((post, index) =>
    post.kind === 'vouched' ? [{ canonical: canonicalEnvelopes[index] as CanonicalEnvelope, delegation: post.delegation }] : [],
  )
  const batchSignatures = vouched.length === 0 ? [] : await signServerVouchedMessages(signer, vouched)
  const notices = await Promise.all(
    canonicalEnvelopes.filter((_, index) => posts[index]?.kind === 'notice').map((one) => signSystemMessage(signer, one)),
  )
  let [nextSignature, nextNotice] = [0, 0]
  const outcomes = posts.map((post, index) => {
    const canonical = canonicalEnvelopes[index] as CanonicalEnvelope
    const signedEnvelope =
      post.kind === 'signed'
        ? post.signedEnvelope
        : post.kind === 'vouched'
          ? { canonical, sig: batchSignatures[nextSignature++] as string }
          : attachSignature(canonical, notices[nextNotice++] as Signature)
    return assignSequence(post, signedEnvelope, sequenceOf[index] as RoomSequence, receivedAt)
  })
  const batches: LogBatch[] = []
  const rows = new Map<string, RoomRow>()
  for (const [roomId, { messages, row }] of sequences) {
    rows.set(roomId, row)
    if (messages.length > 0) batches.push({ roomId, messages })
  }
  return { outcomes, batches, rows }
}

/** Each system message has its own signature. */
async function signSystemMessage(signer: Signer, { signed }: CanonicalEnvelope): Promise<Signature> {
  return { alg: 'EdDSA', kid: signer.did, value: await signer.sign(signed as Uint8Array<ArrayBuffer>) }
}

function startSequence(rooms: ReadonlyMap<string, RoomSnapshot>, roomId: string): RoomSequence {
  const room = rooms.get(roomId)
  if (!room) throw new Error('a post was admitted to a room that was not opened')
  return { ...room, messages: [], byId: new Map(), seenIds: new Set() }
}

/** Applies a new message to the conversation and returns its canonical envelope in the resulting state. Duplicates change nothing. */
function applyToConversation(post: ValidatedPost | SystemPost, sequence: RoomSequence): CanonicalEnvelope {
  const { row, log } = sequence
  if (post.kind === 'notice') return canonicalizeEnvelope({ v: '1', ...post.draft(row.conversation.state) } as Envelope)
  const canonical = post.kind === 'signed' ? post.signedEnvelope.canonical : canonicalizePost(post.template, row.conversation.state)
  const { envelope } = canonical
  const id = dedupeId(post)
  if (id !== null) {
    if (sequence.seenIds.has(id) || log.knownIds.has(id)) return canonical
    sequence.seenIds.add(id)
  }
  if (envelope.id < log.minNewId) return canonical
  const conversation = applyMessage(row.conversation, envelope, row.clientId)
  if (conversation !== row.conversation) sequence.row = { ...row, conversation }
  return canonical
}

/**
 * Assigns the next sequence number, or returns the result of the earlier message with the same id. Only ids that a client chose can
 * repeat.
 */
function assignSequence(
  post: ValidatedPost | SystemPost,
  signedEnvelope: SignedCanonicalEnvelope,
  sequence: RoomSequence,
  receivedAt: Date,
): { posted: PostResult } | { rejected: Error } {
  const { roomId } = post
  const { envelope, bodyHash } = signedEnvelope.canonical
  const { id } = envelope
  const isGiven = post.kind !== 'notice' && dedupeId(post) !== null
  if (isGiven) {
    const duplicate = sequence.byId.get(id)
    const earlier = sequence.log.knownIds.get(id) ?? (duplicate && { seq: duplicate.head, bodyHash: duplicate.canonical.bodyHash })
    // The canonical form of a vouched post depends on the conversation state, so its hash may differ. Its id is unique to this server.
    const isSame = earlier && (post.kind === 'vouched' || earlier.bodyHash === bodyHash)
    if (earlier) return isSame ? postedAt(roomId, id, earlier.seq) : { rejected: envelopeIdReused(id, earlier.seq) }
  }
  if (id < sequence.log.minNewId) return { rejected: envelopeStale(id) }
  const sequenced = sequenceMessage(sequence.messages.at(-1) ?? sequence.log, signedEnvelope, receivedAt)
  sequence.messages.push(sequenced)
  if (isGiven) sequence.byId.set(id, sequenced)
  return postedAt(roomId, id, sequenced.head)
}

const postedAt = (roomId: string, id: string, seq: number) => ({ posted: { room_id: roomId, seq, id } })
