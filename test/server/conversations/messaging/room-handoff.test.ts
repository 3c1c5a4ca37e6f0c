import { newMessageId } from '@parley/agents'
import { type EnvelopeDraft, type PostMessage, signEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { deserializePost, groupCommitWriterOf, joinRoom, openRoom, serializePost } from '../../../../server/conversations/index.ts'
import { type ValidatedPost, validatePost } from '../../../../server/conversations/messaging/validate-post.ts'
import { inTransaction } from '../../../../server/db.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'
import { type Member, makeMember, provenLog } from '../room-member.ts'

let world: TestWorld
let who: Member
let goals = 0

beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  who = await makeMember(world, 0)
})
afterAll(() => world[Symbol.asyncDispose]())

async function open(): Promise<string> {
  const roomId = await inTransaction(world.system, (tx) => openRoom(tx, { goalId: `gol_handed_${goals++}`, clientId: 'did:web:c' }))
  await joinRoom(world.system, { roomId, memberId: who.did, agentId: null, ownerId: null, role: 'member' })
  return roomId
}

const vouched = (roomId: string, text: string, more: object = {}) =>
  validatePost(who.ctx, { type: 'message.post', room_id: roomId, parts: [{ text }], ...more } as PostMessage)
const signed = async (roomId: string, text: string, more: object = {}) => {
  const draft = {
    id: newMessageId(),
    room_id: roomId,
    sender_id: who.did,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text }],
    ...more,
  }
  const envelope = await signEnvelope(who.signer, draft as unknown as EnvelopeDraft)
  return validatePost(who.ctx, { type: 'message.post', room_id: roomId, envelope } as unknown as PostMessage)
}

/** As it arrives at another process. */
function carried(post: ValidatedPost): ValidatedPost {
  const { head, text } = serializePost(post)
  return deserializePost({ head: JSON.parse(JSON.stringify(head)), text: Buffer.from(text) })
}

/** A process of its own on the same database. */
const elsewhere = (): Context => ({ ...who.ctx, ports: { ...who.ctx.ports, writer: { ...who.ctx.ports.writer } } })

const appendPost = (ctx: Context, post: ValidatedPost) =>
  new Promise<{ seq: number; id: string }>((resolve, reject) => groupCommitWriterOf(ctx).postLocally(post, { resolve, reject }))

describe('a post of another process', () => {
  it('is the one that was checked here, signed or vouched for, with everything that it names', async () => {
    const roomId = await open()
    const posts = [
      await vouched(roomId, 'Ünïcode \u2028 "quoted" 🦜'),
      await vouched(roomId, 'to', { to: [who.did], act: 'discussion' }),
      await signed(roomId, 'Ünïcode too 🦜', { next_speakers: [who.did] }),
    ]
    posts.push(await vouched(roomId, 'a reply', { reply_to: (posts[0] as ValidatedPost & { kind: 'vouched' }).template.id }))
    for (const post of posts) {
      const { isRedelivered, bytes, ...arrived } = carried(post)
      expect(isRedelivered).toBe(true)
      expect(bytes).toBeGreaterThan(0)
      expect(arrived).toMatchObject({ roomId, sender: who.did, by: post.by, parts: post.parts, next: post.next, kind: post.kind })
      await appendPost(who.ctx, carried(post))
    }
    const log = await provenLog(world, roomId)
    expect(log.map(({ parts }) => parts[0]?.text)).toEqual(posts.map(({ parts }) => parts[0]?.text))
    expect(log[1]).toMatchObject({ to: [who.did], type: 'discussion' })
    expect(log[2]).toMatchObject({ next_speakers: [who.did] })
    expect(log[3]).toMatchObject({ reply_to: log[0]?.id })
  })

  it('is stored once, regardless of who repeats it: at once, after asking, and within one write', async () => {
    const roomId = await open()
    const [here, there] = [elsewhere(), elsewhere()]
    const posts = [await vouched(roomId, 'first'), await signed(roomId, 'second')]
    for (const post of posts) {
      const first = await appendPost(there, carried(post))
      // This one asks, as it knows nothing of the room; from then on it knows it, and posts at once.
      expect(await appendPost(here, { ...post, isRedelivered: true })).toEqual(first)
      expect(await appendPost(here, { ...post, isRedelivered: true })).toEqual(first)
      expect(await appendPost(there, carried(post))).toEqual(first)
    }
    const twice = await vouched(roomId, 'third')
    const both = await Promise.all([appendPost(here, carried(twice)), appendPost(here, carried(twice)), appendPost(there, carried(twice))])
    expect(both.map(({ seq }) => seq)).toEqual([3, 3, 3])
    expect((await provenLog(world, roomId)).map(({ parts }) => parts[0]?.text)).toEqual(['first', 'second', 'third'])
  })

  it('is answered with the stored message, also if the room has moved on', async () => {
    const roomId = await open()
    const post = await vouched(roomId, 'said in a discussion')
    const first = await appendPost(who.ctx, carried(post))
    await appendPost(who.ctx, await signed(roomId, 'moved', { state: 'task_assignment' }))
    expect(await appendPost(elsewhere(), carried(post))).toEqual(first)
  })

  it('is refused where the same id is of other words', async () => {
    const roomId = await open()
    const one = await signed(roomId, 'one')
    await appendPost(who.ctx, carried(one))
    const id = (one as ValidatedPost & { kind: 'signed' }).signedEnvelope.canonical.envelope.id
    await expect(appendPost(elsewhere(), carried(await signed(roomId, 'other', { id })))).rejects.toMatchObject({
      code: 'envelope.id_reused',
    })
  })

  it('is refused where its sender is not in the room', async () => {
    const roomId = await open()
    const stranger = await makeMember(world, 7)
    const post = await validatePost(stranger.ctx, {
      type: 'message.post',
      room_id: roomId,
      parts: [{ text: 'let me in' }],
    } as PostMessage)
    await expect(appendPost(who.ctx, carried(post))).rejects.toMatchObject({ code: 'room.not_member' })
    expect(await provenLog(world, roomId)).toEqual([])
  })
})
