import { type ConversationState, type Envelope, type EnvelopeDraft, signEnvelope } from '@parley/protocol'
import type { Context } from '../context.ts'
import {
  envelopeIdReused,
  envelopeStale,
  type LogBatch,
  type Numbered,
  numberMessage,
  type OpenLog,
  type Sealed,
  seal,
  spell,
} from '../delivery/index.ts'
import type { CheckedPost } from './check-post.ts'
import { heard } from './conversation.ts'
import type { Talk } from './talk-rows.ts'
import { vouchTogether } from './vouch-together.ts'

export type Said = { readonly group_id: string; readonly seq: number; readonly id: string }
/** What became of a post: it has its number, was refused, or its room was in somebody else's hands. */
export type Outcome = { readonly said: Said } | { readonly refused: Error } | 'busy'
/** A room as it stands before what is said now. */
export type OpenRoom = { readonly talk: Talk; readonly log: OpenLog }

/** What the server itself says between what others say. It moves no conversation. */
export type Notice = { readonly kind: 'notice'; readonly groupId: string; draft(state: ConversationState): EnvelopeDraft }

export type Ordered = {
  readonly outcomes: readonly ({ readonly said: Said } | { readonly refused: Error })[]
  readonly batches: readonly LogBatch[]
  /** Where the talk of each room stands afterwards. */
  readonly talks: ReadonlyMap<string, Talk>
}

/** Gives posts that were admitted, each to a room of `rooms`, their words, signatures and numbers, in the order in which they came. */
export async function putInOrder(
  ctx: Context,
  posts: readonly (CheckedPost | Notice)[],
  rooms: ReadonlyMap<string, OpenRoom>,
  receivedAt = ctx.clock.now(),
): Promise<Ordered> {
  const talks = new Map<string, Talk>()
  const repeated = new Set<string>()
  const words = posts.map((post) => follow(post, rooms, talks, repeated))
  const sealed = await sealAll(ctx, words)
  const written = new Map<string, { messages: Numbered[]; byId: Map<string, Numbered> }>()
  const outcomes = sealed.map((one, index) => {
    const groupId = posts[index]?.groupId ?? ''
    const log = roomOf(rooms, groupId).log
    const { id } = one.spelled.envelope
    const own = written.get(groupId) ?? { messages: [], byId: new Map<string, Numbered>() }
    const twin = own.byId.get(id)
    const earlier = log.earlier.get(id) ?? (twin && { seq: twin.head, bodyHash: twin.spelled.bodyHash })
    if (earlier)
      return earlier.bodyHash === one.spelled.bodyHash ? said(groupId, id, earlier.seq) : { refused: envelopeIdReused(id, earlier.seq) }
    if (id < log.horizon) return { refused: envelopeStale(id) }
    const numbered = numberMessage(own.messages.at(-1) ?? log, one, receivedAt)
    written.set(groupId, own)
    own.messages.push(numbered)
    own.byId.set(id, numbered)
    return said(groupId, id, numbered.head)
  })
  return { outcomes, batches: [...written].map(([groupId, { messages }]) => ({ groupId, messages })), talks }
}

type Words = { readonly sealed: Sealed } | { readonly draft: EnvelopeDraft; readonly isOurs: boolean }

/** Lets the conversation hear it, and gives the words in the state in which they are said. Only a new message is heard. */
function follow(post: CheckedPost | Notice, rooms: ReadonlyMap<string, OpenRoom>, talks: Map<string, Talk>, repeated: Set<string>): Words {
  const { groupId } = post
  const room = roomOf(rooms, groupId)
  const talk = talks.get(groupId) ?? room.talk
  const isOurs = post.kind === 'notice'
  const words: Words = post.kind === 'signed' ? { sealed: post.sealed } : { draft: post.draft(talk.conversation.state), isOurs }
  if (isOurs) return words
  const envelope = 'sealed' in words ? words.sealed.spelled.envelope : ({ v: '1', ...words.draft } as Envelope)
  const key = `${groupId} ${envelope.id}`
  const isNew = !repeated.has(key) && !room.log.earlier.has(envelope.id) && envelope.id >= room.log.horizon
  if (isNew) talks.set(groupId, { ...talk, conversation: heard(talk.conversation, envelope, talk.clientId) })
  repeated.add(key)
  return words
}

async function sealAll(ctx: Context, words: readonly Words[]): Promise<Sealed[]> {
  const { signer } = ctx.ports
  const spelled = words.map((one) => ('sealed' in one ? one.sealed.spelled : spell({ v: '1', ...one.draft } as Envelope)))
  const vouched = spelled.filter((_, index) => isVouched(words[index]))
  const signatures = vouched.length === 0 ? [] : await vouchTogether(signer, vouched)
  let next = 0
  const sealed = words.map(async (one, index) => {
    if ('sealed' in one) return one.sealed
    const [own, sig] = [spelled[index], one.isOurs ? (await signEnvelope(signer, one.draft)).sig : signatures[next++]]
    if (!own || !sig) throw new Error('a post was left without a signature')
    return seal(own, sig)
  })
  return Promise.all(sealed)
}

const isVouched = (words: Words | undefined): boolean => words !== undefined && 'draft' in words && !words.isOurs

function roomOf(rooms: ReadonlyMap<string, OpenRoom>, groupId: string): OpenRoom {
  const room = rooms.get(groupId)
  if (!room) throw new Error('a post was admitted to a room that was not opened')
  return room
}

const said = (groupId: string, id: string, seq: number) => ({ said: { group_id: groupId, seq, id } })
