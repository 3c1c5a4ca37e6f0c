import type { EnvelopeDraft } from '@parley/protocol'
import type { Context } from '../context.ts'
import {
  appendBatch,
  envelopeIdReused,
  type LockedLog,
  type LogBatch,
  lockLogs,
  type Numbered,
  numberMessage,
  type SignedEnvelope,
  type Spelled,
  spell,
  type Tail,
} from '../delivery/index.ts'
import { DomainError } from '../errors.ts'
import { admitToRoom } from '../policy/index.ts'
import { type CheckedPost, vouch } from './check-post.ts'
import { heard } from './conversation.ts'
import { notMember } from './errors.ts'
import { lockTalks, saveTalks, type Talk } from './talk-rows.ts'

export type Said = { readonly group_id: string; readonly seq: number; readonly id: string }
/** What became of a post: it has its number, was refused, or its room was in somebody else's hands. */
export type Outcome = { readonly said: Said } | { readonly refused: Error } | 'busy'
export type Together = { readonly outcomes: readonly Outcome[]; readonly logs: readonly LogBatch[] }

/**
 * Says many posts in one transaction, each in its room and in the order in which they came. `wait`: for rooms that somebody
 * else has locked; otherwise these are `busy` and nothing of them is said. `from`: how this process calls itself in wakes.
 */
export async function sayTogether(
  ctx: Context,
  posts: readonly CheckedPost[],
  options: { wait: boolean; from: string },
): Promise<Together> {
  const groupIds = [...new Set(posts.map((post) => post.groupId))].sort()
  return ctx.ports.writer.transact(async (lane) => {
    const talks = await lockTalks(lane, groupIds, [...new Set(posts.map((post) => post.sender))], !options.wait)
    const signed = posts.filter((post) => post.kind === 'signed')
    const asked = signed.map(({ groupId, spelled }) => ({ groupId, id: spelled.envelope.id }))
    const logs = await lockLogs(lane, [...talks.keys()], asked, !options.wait)
    const turns = posts.map((post) => admitted(ctx, post, talks.get(post.groupId), logs.get(post.groupId), options.wait))
    const talked = new Map<string, Talk>(talks)
    const heardIds = new Set([...logs].flatMap(([groupId, { earlier }]) => [...earlier.keys()].map((id) => `${groupId} ${id}`)))
    const drafts = posts.map((post, index) => (turns[index] === 'speak' ? follow(post, talked, heardIds) : null))
    const spelled = await Promise.all(drafts.map((draft) => draft && spelledOf(ctx, draft)))
    const { outcomes, batches } = number(ctx, posts, turns, spelled, logs)
    if (batches.length > 0) {
      await appendBatch(lane, batches, options.from)
      await saveTalks(
        lane,
        batches.map(({ groupId }) => changed(talks, talked, groupId)),
      )
    }
    return { outcomes, logs: batches }
  })
}

type Turn = 'speak' | 'busy' | { readonly refused: Error }

function admitted(ctx: Context, post: CheckedPost, talk: Talk | undefined, log: LockedLog | undefined, waited: boolean): Turn {
  if (!talk || !log) return waited ? { refused: notMember(post.groupId, post.sender) } : 'busy'
  if (!talk.members.has(post.sender)) return { refused: notMember(post.groupId, post.sender) }
  // What was said before is answered, however full the room is now.
  if (post.kind === 'signed' && log.earlier.has(post.spelled.envelope.id)) return 'speak'
  try {
    admitToRoom(ctx, post.groupId)
    return 'speak'
  } catch (error) {
    if (error instanceof DomainError) return { refused: error }
    throw error
  }
}

type Draft = { readonly spelled: Spelled } | { readonly draft: EnvelopeDraft }

/** Lets the conversation hear it, and gives the words in the state in which they are said. A repeated message is not heard again. */
function follow(post: CheckedPost, talked: Map<string, Talk>, heardIds: Set<string>): Draft {
  const talk = talked.get(post.groupId)
  if (!talk) throw new Error('a post was admitted to a room that was not locked')
  const next: Draft = post.kind === 'signed' ? { spelled: post.spelled } : { draft: post.draft(talk.conversation.state) }
  const envelope = 'spelled' in next ? next.spelled.envelope : ({ v: '1', ...next.draft } as SignedEnvelope)
  const key = `${post.groupId} ${envelope.id}`
  if (!heardIds.has(key)) talked.set(post.groupId, { ...talk, conversation: heard(talk.conversation, envelope, talk.clientId) })
  heardIds.add(key)
  return next
}

async function spelledOf(ctx: Context, draft: Draft): Promise<Spelled> {
  return 'spelled' in draft ? draft.spelled : spell(await vouch(ctx, draft.draft))
}

function number(
  ctx: Context,
  posts: readonly CheckedPost[],
  turns: readonly Turn[],
  spelled: readonly (Spelled | null)[],
  logs: ReadonlyMap<string, LockedLog>,
): { outcomes: Outcome[]; batches: LogBatch[] } {
  const receivedAt = ctx.clock.now()
  const written = new Map<string, Numbered[]>()
  const outcomes = posts.map(({ groupId }, index): Outcome => {
    const turn = turns[index]
    const words = spelled[index]
    const log = logs.get(groupId)
    if (turn === undefined || turn === 'busy') return 'busy'
    if (turn !== 'speak') return turn
    if (!words || !log) throw new Error('an admitted post has no words')
    const { id } = words.envelope
    const own = written.get(groupId) ?? []
    const twin = own.find((one) => one.spelled.envelope.id === id)
    const earlier = log.earlier.get(id) ?? (twin && { seq: twin.head, bodyHash: twin.spelled.bodyHash })
    if (earlier)
      return earlier.bodyHash === words.bodyHash ? said(groupId, id, earlier.seq) : { refused: envelopeIdReused(id, earlier.seq) }
    const tail: Tail = own.at(-1) ?? log
    const numbered = numberMessage(tail, words, receivedAt)
    written.set(groupId, own)
    own.push(numbered)
    return said(groupId, id, numbered.head)
  })
  return { outcomes, batches: [...written].map(([groupId, messages]) => ({ groupId, messages })) }
}

const said = (groupId: string, id: string, seq: number): Outcome => ({ said: { group_id: groupId, seq, id } })

function changed(before: ReadonlyMap<string, Talk>, after: ReadonlyMap<string, Talk>, groupId: string) {
  const [former, now] = [before.get(groupId), after.get(groupId)]
  if (!former || !now) throw new Error('a room was written to that was not locked')
  return { ...now.conversation, version: former.conversation.version + 1 }
}
