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
import { signBatch } from './batch-signature.ts'
import { canonicalizePost } from './envelope/canonicalize-post.ts'
import type { PostResult } from './post-result.ts'
import { dedupeId, type ValidatedPost } from './validate-post.ts'

/** A room as it stands before what is said now. */
export type RoomSnapshot = { readonly row: RoomRow; readonly log: LogState }

/** What the server itself says between what others say. It moves no conversation. */
export type SystemPost = { readonly kind: 'notice'; readonly groupId: string; draft(state: ConversationState): EnvelopeDraft }

export type SequencedBatch = {
  readonly outcomes: readonly ({ readonly posted: PostResult } | { readonly rejected: Error })[]
  readonly batches: readonly LogBatch[]
  /** Where the talk of each room stands afterwards. */
  readonly rows: ReadonlyMap<string, RoomRow>
}

/** What is said in one room now, as far as it has come. `byId`: what may come twice. */
type RoomSequence = {
  readonly log: LogState
  row: RoomRow
  readonly messages: SequencedMessage[]
  readonly byId: Map<string, SequencedMessage>
  seenIds: Set<string>
}

/** Gives posts that were admitted, each to a room of `rooms`, their words, signatures and numbers, in the order in which they came. */
export async function sequenceMessages(
  ctx: Context,
  posts: readonly (ValidatedPost | SystemPost)[],
  rooms: ReadonlyMap<string, RoomSnapshot>,
  receivedAt = ctx.clock.now(),
): Promise<SequencedBatch> {
  const sequences = new Map<string, RoomSequence>()
  const sequenceOf = posts.map(({ groupId }) => {
    const sequence = sequences.get(groupId) ?? startSequence(rooms, groupId)
    sequences.set(groupId, sequence)
    return sequence
  })
  const canonicalEnvelopes = posts.map((post, index) => applyToConversation(post, sequenceOf[index] as RoomSequence))
  const { signer } = ctx.ports
  const vouched = canonicalEnvelopes.filter((_, index) => posts[index]?.kind === 'vouched')
  const batchSignatures = vouched.length === 0 ? [] : await signBatch(signer, vouched)
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
          ? { canonical: canonical, sig: batchSignatures[nextSignature++] as string }
          : attachSignature(canonical, notices[nextNotice++] as Signature)
    return assignSequence(post, signedEnvelope, sequenceOf[index] as RoomSequence, receivedAt)
  })
  const batches: LogBatch[] = []
  const rows = new Map<string, RoomRow>()
  for (const [groupId, { messages, row }] of sequences) {
    rows.set(groupId, row)
    if (messages.length > 0) batches.push({ groupId, messages })
  }
  return { outcomes, batches, rows }
}

/** What the server says itself carries a signature of its own. */
async function signSystemMessage(signer: Signer, { signed }: CanonicalEnvelope): Promise<Signature> {
  return { alg: 'EdDSA', kid: signer.did, value: await signer.sign(signed as Uint8Array<ArrayBuffer>) }
}

function startSequence(rooms: ReadonlyMap<string, RoomSnapshot>, groupId: string): RoomSequence {
  const room = rooms.get(groupId)
  if (!room) throw new Error('a post was admitted to a room that was not opened')
  return { ...room, messages: [], byId: new Map(), seenIds: new Set() }
}

/** Lets the conversation hear it, and gives the words in the state in which they are said. Only a new message is heard. */
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

/** The message's place in its room, or the answer to one that was there before. An id that we gave nobody has said before. */
function assignSequence(
  post: ValidatedPost | SystemPost,
  signedEnvelope: SignedCanonicalEnvelope,
  sequence: RoomSequence,
  receivedAt: Date,
): { posted: PostResult } | { rejected: Error } {
  const { groupId } = post
  const { envelope, bodyHash } = signedEnvelope.canonical
  const { id } = envelope
  const isGiven = post.kind !== 'notice' && dedupeId(post) !== null
  if (isGiven) {
    const duplicate = sequence.byId.get(id)
    const earlier = sequence.log.knownIds.get(id) ?? (duplicate && { seq: duplicate.head, bodyHash: duplicate.canonical.bodyHash })
    // What the server vouches for is spelled by the state in which it was said; its id nobody else was given.
    const isSame = earlier && (post.kind === 'vouched' || earlier.bodyHash === bodyHash)
    if (earlier) return isSame ? postedAt(groupId, id, earlier.seq) : { rejected: envelopeIdReused(id, earlier.seq) }
  }
  if (id < sequence.log.minNewId) return { rejected: envelopeStale(id) }
  const sequenced = sequenceMessage(sequence.messages.at(-1) ?? sequence.log, signedEnvelope, receivedAt)
  sequence.messages.push(sequenced)
  if (isGiven) sequence.byId.set(id, sequenced)
  return postedAt(groupId, id, sequenced.head)
}

const postedAt = (groupId: string, id: string, seq: number) => ({ posted: { group_id: groupId, seq, id } })
