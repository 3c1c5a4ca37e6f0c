import type { ConversationState, Envelope, EnvelopeDraft, Signature, Signer } from '@parley/protocol'
import type { Context } from '../../context.ts'
import {
  envelopeIdReused,
  envelopeStale,
  type LogBatch,
  type Numbered,
  numberMessage,
  type OpenLog,
  type Sealed,
  type Spelled,
  seal,
  spell,
} from '../../delivery/index.ts'
import { heard } from '../rooms/conversation.ts'
import type { Talk } from '../rooms/conversation-store.ts'
import { vouchTogether } from './batch-signature.ts'
import { spellTalk } from './envelope/canonicalize-post.ts'
import type { Said } from './post-result.ts'
import { type CheckedPost, givenId } from './validate-post.ts'

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

/** What is said in one room now, as far as it has come. `byId`: what may come twice. */
type Line = { readonly log: OpenLog; talk: Talk; readonly messages: Numbered[]; readonly byId: Map<string, Numbered>; heard: Set<string> }

/** Gives posts that were admitted, each to a room of `rooms`, their words, signatures and numbers, in the order in which they came. */
export async function putInOrder(
  ctx: Context,
  posts: readonly (CheckedPost | Notice)[],
  rooms: ReadonlyMap<string, OpenRoom>,
  receivedAt = ctx.clock.now(),
): Promise<Ordered> {
  const lines = new Map<string, Line>()
  const lineOf = posts.map(({ groupId }) => {
    const line = lines.get(groupId) ?? openLine(rooms, groupId)
    lines.set(groupId, line)
    return line
  })
  const spelled = posts.map((post, index) => follow(post, lineOf[index] as Line))
  const { signer } = ctx.ports
  const vouched = spelled.filter((_, index) => posts[index]?.kind === 'vouched')
  const vouchers = vouched.length === 0 ? [] : await vouchTogether(signer, vouched)
  const notices = await Promise.all(spelled.filter((_, index) => posts[index]?.kind === 'notice').map((one) => signOwn(signer, one)))
  let [nextVoucher, nextNotice] = [0, 0]
  const outcomes = posts.map((post, index) => {
    const words = spelled[index] as Spelled
    const sealed =
      post.kind === 'signed'
        ? post.sealed
        : post.kind === 'vouched'
          ? { spelled: words, sig: vouchers[nextVoucher++] as string }
          : seal(words, notices[nextNotice++] as Signature)
    return number(post, sealed, lineOf[index] as Line, receivedAt)
  })
  const batches: LogBatch[] = []
  const talks = new Map<string, Talk>()
  for (const [groupId, { messages, talk }] of lines) {
    talks.set(groupId, talk)
    if (messages.length > 0) batches.push({ groupId, messages })
  }
  return { outcomes, batches, talks }
}

/** What the server says itself carries a signature of its own. */
async function signOwn(signer: Signer, { signed }: Spelled): Promise<Signature> {
  return { alg: 'EdDSA', kid: signer.did, value: await signer.sign(signed as Uint8Array<ArrayBuffer>) }
}

function openLine(rooms: ReadonlyMap<string, OpenRoom>, groupId: string): Line {
  const room = rooms.get(groupId)
  if (!room) throw new Error('a post was admitted to a room that was not opened')
  return { ...room, messages: [], byId: new Map(), heard: new Set() }
}

/** Lets the conversation hear it, and gives the words in the state in which they are said. Only a new message is heard. */
function follow(post: CheckedPost | Notice, line: Line): Spelled {
  const { talk, log } = line
  if (post.kind === 'notice') return spell({ v: '1', ...post.draft(talk.conversation.state) } as Envelope)
  const spelled = post.kind === 'signed' ? post.sealed.spelled : spellTalk(post.unspelled, talk.conversation.state)
  const { envelope } = spelled
  const id = givenId(post)
  if (id !== null) {
    if (line.heard.has(id) || log.earlier.has(id)) return spelled
    line.heard.add(id)
  }
  if (envelope.id < log.horizon) return spelled
  const conversation = heard(talk.conversation, envelope, talk.clientId)
  if (conversation !== talk.conversation) line.talk = { ...talk, conversation }
  return spelled
}

/** The message's place in its room, or the answer to one that was there before. An id that we gave nobody has said before. */
function number(post: CheckedPost | Notice, sealed: Sealed, line: Line, receivedAt: Date): { said: Said } | { refused: Error } {
  const { groupId } = post
  const { envelope, bodyHash } = sealed.spelled
  const { id } = envelope
  const isGiven = post.kind !== 'notice' && givenId(post) !== null
  if (isGiven) {
    const twin = line.byId.get(id)
    const earlier = line.log.earlier.get(id) ?? (twin && { seq: twin.head, bodyHash: twin.spelled.bodyHash })
    // What the server vouches for is spelled by the state in which it was said; its id nobody else was given.
    const isSame = earlier && (post.kind === 'vouched' || earlier.bodyHash === bodyHash)
    if (earlier) return isSame ? said(groupId, id, earlier.seq) : { refused: envelopeIdReused(id, earlier.seq) }
  }
  if (id < line.log.horizon) return { refused: envelopeStale(id) }
  const numbered = numberMessage(line.messages.at(-1) ?? line.log, sealed, receivedAt)
  line.messages.push(numbered)
  if (isGiven) line.byId.set(id, numbered)
  return said(groupId, id, numbered.head)
}

const said = (groupId: string, id: string, seq: number) => ({ said: { group_id: groupId, seq, id } })
