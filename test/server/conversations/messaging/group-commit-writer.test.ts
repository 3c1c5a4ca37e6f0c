import { newMessageId } from '@parley/agents'
import { chainHash, type DeliveredEnvelope, type EnvelopeDraft, type PostMessage, signEnvelope, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import {
  type Committed,
  groupCommitWriterOf,
  joinRoom,
  openRoom,
  postInTransaction,
  postSystemMessage,
} from '../../../../server/conversations/index.ts'
import { validatePost } from '../../../../server/conversations/messaging/validate-post.ts'
import { connectPipelinedWriter, inTransaction, type TransactionConnection } from '../../../../server/db.ts'
import { readStoredMessages } from '../../../../server/delivery/index.ts'
import { consumeRoomRate, rateLimits } from '../../../../server/policy/index.ts'
import { connectPostgresNotify } from '../../../../server/signals/postgres-notify.ts'
import type { Signal } from '../../../../server/signals/signal.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'
import { type Member, makeMember, signedWord } from '../room-member.ts'

let world: TestWorld
let rooms: `rom_${string}`[]
let members: Member[]

beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  members = await Promise.all([0, 1, 2].map((index) => makeMember(world, index)))
  rooms = await Promise.all([0, 1, 2, 3].map((index) => roomFor(`gol_${index}`, members)))
})
afterAll(() => world[Symbol.asyncDispose]())

/** A new room with these members. */
async function roomFor(goalId: string, those: readonly Member[]): Promise<`rom_${string}`> {
  const roomId = await inTransaction(world.system, (tx) => openRoom(tx, { goalId, clientId: 'did:web:c' }))
  for (const { did } of those) await joinRoom(world.system, { roomId, memberId: did, agentId: null, ownerId: null, role: 'member' })
  return roomId
}
const room = (index: number) => rooms[index] as `rom_${string}`
const member = (index: number) => members[index] as Member
const signed = ({ signer }: Member, roomId: string, more: object = {}) =>
  signEnvelope(signer, {
    id: newMessageId(),
    room_id: roomId,
    sender_id: signer.did,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text: 'Signed.' }],
    ...more,
  } as unknown as EnvelopeDraft)
type PostAnswer = { seq: number; id: string }
const post = async ({ ctx }: Member, roomId: string, words: { envelope?: object; text?: string }) =>
  (await dispatchCommand(ctx, {
    type: 'message.post',
    room_id: roomId,
    ...(words.envelope ? { envelope: words.envelope } : { parts: [{ text: words.text ?? 'Vouched.' }] }),
  })) as PostAnswer
const logOf = async (roomId: string) =>
  (await readStoredMessages(world.system, { roomId, after: 0, limit: 1_000 })).map((row) => ({
    ...row,
    envelope: JSON.parse(row.body) as DeliveredEnvelope,
  }))

describe('the message writer', () => {
  it('numbers what many say in many rooms at once: gap-free, chained, signed, each sender in its own order', async () => {
    const posts = await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const [who, roomId] = [member(index % 3), room(index % 2)]
        const text = `${index}`.padStart(3, '0')
        return index % 5 === 0
          ? post(who, roomId, { envelope: await signed(who, roomId, { parts: [{ text }] }) })
          : post(who, roomId, { text })
      }),
    )
    for (const roomId of [room(0), room(1)]) {
      const log = await logOf(roomId)
      expect(log.map((one) => one.seq)).toEqual(log.map((_, index) => index + 1))
      expect(log).toHaveLength(60)
      let hash = '0'.repeat(64)
      for (const one of log) {
        hash = await chainHash(hash, one.envelope)
        expect(one.hash).toBe(hash)
        expect(await verifyEnvelope(one.envelope, world.world.market.serverDid)).toBe(true)
      }
      const room = await world.system.db.room.findUniqueOrThrow({ where: { id: roomId } })
      expect(room).toMatchObject({ head: 60, hash })
    }
    expect(new Set(posts.map((one) => one.id)).size).toBe(120)
  })

  it('keeps a sender’s order where signed and unsigned words follow on one another and none is waited for', async () => {
    const who = member(0)
    const roomId = room(2)
    const words = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? signed(who, roomId, { parts: [{ text: `${index}` }] }) : null)),
    )
    await Promise.all(words.map((envelope, index) => post(who, roomId, envelope ? { envelope } : { text: `${index}` })))
    const log = await logOf(roomId)
    expect(log.map((one) => one.envelope.parts[0]?.text)).toEqual(Array.from({ length: 40 }, (_, index) => `${index}`))
  })

  it('answers a message that came twice with its first number, within one write and after it, and refuses another under its id', async () => {
    const who = member(1)
    const roomId = room(3)
    const envelope = await signed(who, roomId)
    const other = await signed(who, roomId, { id: envelope.id, parts: [{ text: 'Other.' }] })
    const settled = await Promise.allSettled([envelope, envelope, other, envelope].map((one) => post(who, roomId, { envelope: one })))
    expect(settled.map((one) => (one.status === 'fulfilled' ? one.value.seq : (one.reason as { code: string }).code))).toEqual([
      1,
      1,
      'envelope.id_reused',
      1,
    ])
    expect((await post(who, roomId, { envelope })).seq).toBe(1)
    await expectProblem(post(who, roomId, { envelope: other }), 'envelope.id_reused')
    expect(await logOf(roomId)).toHaveLength(1)
  })

  it('signals the new messages and the last number to other processes', async () => {
    const other = await connectPostgresNotify(world.database.url, world.system.log)
    const signals: (Signal | 'reconnected')[] = []
    other.on((one) => signals.push(one))
    const { seq } = await post(member(0), room(2), { text: 'Heard elsewhere.' })
    const signal = { topic: 'room', id: room(2), seq, from: groupCommitWriterOf(world.system).name }
    await world.until('the signal', async () => signals.some((one) => one !== 'reconnected' && one.id === room(2) && one.seq === seq))
    expect(signals).toContainEqual(signal)
    await other.close()
  })

  it('refuses one and posts the others', async () => {
    const stranger = await makeMember(world, 9)
    const roomId = room(3)
    const before = (await logOf(roomId)).length
    const settled = await Promise.allSettled([
      post(member(0), roomId, { text: 'a' }),
      post(stranger, roomId, { text: 'b' }),
      post(member(0), `rom_${'7'.repeat(32)}`, { text: 'nowhere' }),
      // What no column can hold: it spoils its own write only.
      signed(member(2), roomId, { type: 'a\u0000b' }).then((envelope) => post(member(2), roomId, { envelope })),
      post(member(1), roomId, { text: 'c' }),
    ])
    expect(settled.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'])
    const log = (await logOf(roomId)).slice(before)
    expect(log.map((one) => one.envelope.parts[0]?.text).sort()).toEqual(['a', 'c'])
  })

  it('posts no more in a room than its limit, answers repeats nevertheless, and lets no stranger use it up', async () => {
    const roomId = room(1)
    const [stranger, envelope] = [await makeMember(world, 8), await signed(member(0), roomId)]
    const { seq } = await post(member(0), roomId, { envelope })
    await Promise.allSettled(Array.from({ length: 20 }, () => post(stranger, roomId, { text: 'let me in' })))
    const { ctx } = member(0)
    const later = new Date(Date.now() + 3_600_000)
    const still = { ...ctx, clock: { now: () => later } }
    for (let index = 0; index < rateLimits.room.burst; index++) consumeRoomRate(still, roomId)
    await expectProblem(post(member(0), roomId, { text: 'too much' }), 'rate.exceeded')
    expect((await post(member(0), roomId, { envelope })).seq).toBe(seq)
    expect((await post(member(0), room(3), { text: 'elsewhere' })).seq).toBeGreaterThan(0)
    world.clock.advance(3_700_000)
    expect((await post(member(0), roomId, { text: 'again' })).seq).toBe(seq + 1)
  })

  it('lets a room wait that a longer transaction holds, in its order, and no other room with it', async () => {
    const held = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const [roomId, other] = [room(0), room(1)]
    const from = (await logOf(roomId)).length
    const longer = inTransaction(member(0).ctx, async (tx) => {
      await postInTransaction(tx, await signedWord(member(0), roomId, 'held'))
      held.resolve()
      await release.promise
    })
    await held.promise
    const waiting = ['1', '2', '3'].map((text) => post(member(1), roomId, { text }))
    expect((await post(member(1), other, { text: 'elsewhere' })).seq).toBeGreaterThan(0)
    const later = post(member(2), roomId, { text: '4' })
    release.resolve()
    await Promise.all([longer, ...waiting, later])
    const texts = (await logOf(roomId)).slice(from).map((one) => one.envelope.parts[0]?.text)
    expect(texts[0]).toBe('held')
    expect(texts.filter((text) => text !== '4')).toEqual(['held', '1', '2', '3'])
    expect(texts).toContain('4')
  })

  it('states in which state the talk stands, also when words before it in the same write have changed it', async () => {
    const roomId = room(2)
    const who = member(2)
    const moved = await signed(who, roomId, { state: 'task_assignment', next_speakers: [member(0).did] })
    await Promise.all([post(who, roomId, { envelope: moved }), post(who, roomId, { text: 'after' })])
    expect((await logOf(roomId)).at(-1)?.envelope.state).toBe('task_assignment')
    expect(await world.system.db.conversation.findUniqueOrThrow({ where: { roomId } })).toMatchObject({
      state: 'task_assignment',
      nextSpeakers: [],
    })
  })

  it('signals what it has written, after the commit', async () => {
    const roomId = room(3)
    const received: Promise<number>[] = []
    const stop = groupCommitWriterOf(world.system).onCommitted((commit: Committed) => {
      for (const log of commit.logs ?? []) received.push(logOf(log.roomId).then((rows) => rows.at(-1)?.seq ?? 0))
    })
    const { seq } = await post(member(0), roomId, { text: 'heard' })
    stop()
    expect(await Promise.all(received)).toEqual([seq])
  })

  it('publishes the message of a verb with its commit and not before, never after a rollback, and caches the room from then on', async () => {
    const roomId = await roomFor('gol_told', [member(0)])
    const { ctx } = member(0)
    const committed: Committed[] = []
    const board = groupCommitWriterOf(world.system)
    const stop = board.onCommitted((commit) => committed.push(commit))
    const speakUp = async (tx: TestWorld['system'], text: string) =>
      postInTransaction({ ...tx, actor: ctx.actor }, await signedWord(member(0), roomId, text, 'async_task_assignment'))
    await expect(
      inTransaction(world.system, async (tx) => {
        await speakUp(tx, 'undone')
        throw new Error('undo')
      }),
    ).rejects.toThrow('undo')
    await inTransaction(world.system, async (tx) => {
      await speakUp(tx, 'first')
      await postSystemMessage(tx, { roomId, kind: 'noted', data: {} })
      expect(committed).toEqual([])
    })
    stop()
    const log = await logOf(roomId)
    const heads = committed.flatMap(({ logs }) => logs ?? []).flatMap(({ messages }) => messages)
    expect(heads.map(({ head, hash, body }) => ({ seq: head, hash, body: body.toString() }))).toEqual(
      log.map(({ seq, hash, body }) => ({ seq, hash, body })),
    )
    expect(log).toHaveLength(2)
    const before = board.metrics()
    expect(await post(member(0), roomId, { text: 'third' })).toMatchObject({ seq: 3 })
    expect(board.metrics()).toMatchObject({ optimistic: before.optimistic + 1, locked: before.locked })
  })

  it('writes twice at a time while little waits, and more often only where much does', async () => {
    const real = world.world.contextFor({ kind: 'anonymous' }).ports.writer
    const released = Promise.withResolvers<void>()
    let underWay = 0
    const held = async <T>(write: () => Promise<T>) => {
      underWay++
      await released.promise
      return write()
    }
    const writer: typeof real = {
      ...real,
      transact: (work) => held(() => real.transact(work)),
      send: (steps) => held(() => real.send(steps)),
    }
    const ports = { ...member(0).ctx.ports, writer }
    const postText = (who: number, roomId: string) => post({ ...member(who), ctx: { ...member(who).ctx, ports } }, roomId, {})
    const board = groupCommitWriterOf({ ...member(0).ctx, ports })
    const waiting = (count: number) => world.until(`${count} in line`, async () => board.metrics().queued === count)
    const posted: Promise<PostAnswer>[] = []
    for (const index of [0, 1]) {
      posted.push(postText(0, room(index)))
      await world.until('the write', async () => underWay === index + 1)
    }
    for (let index = 0; index < 63; index++) posted.push(postText(index % 3, room(2)))
    await waiting(63)
    expect(underWay).toBe(2)
    posted.push(postText(0, room(3)))
    await world.until('a third write', async () => underWay === 3)
    expect(board.metrics().queued).toBe(0)
    released.resolve()
    expect(await Promise.all(posted)).toHaveLength(66)
  })

  it('writes together the messages of one turn and of the next', async () => {
    // Rooms that only this writer writes. If another writer's signal is late, an append to its room fails. For 250 ms the room then
    // takes the locked path, in a transaction of its own.
    const own = await Promise.all(['gol_turn', 'gol_next'].map((goalId) => roomFor(goalId, [member(0), member(1)])))
    const ownRoom = (who: 0 | 1) => own[who] as `rom_${string}`
    for (const who of [0, 1] as const) await post(member(who), ownRoom(who), {})
    const board = groupCommitWriterOf(member(0).ctx)
    // Nothing is in progress any more that would take it along.
    await new Promise(setImmediate)
    // Validated before: the gateway may read its rules just then, which takes more turns.
    const validate = (who: 0 | 1) => {
      const input = { type: 'message.post', room_id: ownRoom(who), act: 'discussion', parts: [{ text: 'Now.' }] } as const
      return validatePost(member(who).ctx, input as unknown as PostMessage)
    }
    const validated = [await validate(0), await validate(1)] as const
    const before = board.metrics()
    const postText = (who: 0 | 1) =>
      new Promise<PostAnswer>((resolve, reject) => board.post(member(who).did, validated[who], { resolve, reject }))
    const first = postText(0)
    await new Promise(setImmediate)
    await Promise.all([first, postText(1)])
    const { sizes, optimistic, locked } = board.metrics()
    expect({ count: sizes.count, optimistic, locked }).toEqual({
      count: before.sizes.count + 1,
      optimistic: before.optimistic + 1,
      locked: before.locked,
    })
  })

  it('asks for the same again where the database was lost, and posts it once', async () => {
    const roomId = room(3)
    const real = world.world.contextFor({ kind: 'anonymous' }).ports.writer
    let losses = 1
    // The commit goes through, and its answer is lost.
    const writer: typeof real = {
      ...real,
      async transact<T>(work: (lane: TransactionConnection) => Promise<T>) {
        const result = await real.transact(work)
        if (losses-- > 0) return connectPipelinedWriter('postgresql://127.0.0.1:1/none', () => undefined).transact<T>(async () => result)
        return result
      },
    }
    const ctx = { ...member(0).ctx, ports: { ...member(0).ctx.ports, writer } }
    const envelope = await signed(member(0), roomId)
    const wakes: Committed[] = []
    const stop = groupCommitWriterOf(ctx).onCommitted((commit) => wakes.push(commit))
    const before = (await logOf(roomId)).length
    await expectProblem(post({ ...member(0), ctx }, roomId, { envelope }), 'server.unavailable')
    expect(wakes).toEqual([{ logs: null, roomIds: [roomId] }])
    expect((await post({ ...member(0), ctx }, roomId, { envelope })).seq).toBe(before + 1)
    stop()
    expect(await logOf(roomId)).toHaveLength(before + 1)
  })
})
