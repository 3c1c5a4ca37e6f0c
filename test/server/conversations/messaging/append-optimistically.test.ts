import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { newMessageId } from '@parley/agents'
import { type EnvelopeDraft, signEnvelope, uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import type { Context } from '../../../../server/context.ts'
import {
  groupCommitWriterOf,
  joinRoom,
  leaveRoom,
  openRoom,
  postInTransaction,
  postSystemMessage,
} from '../../../../server/conversations/index.ts'
import { inTransaction, type Writer } from '../../../../server/db.ts'
import { readStoredMessages } from '../../../../server/delivery/index.ts'
import { serverUnavailable } from '../../../../server/errors.ts'
import { maintainMessagePartitions } from '../../../../server/jobs/maintain-message-partitions.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'
import { delegateAgain, type Member, makeMember, provenLog, signedWord } from '../room-member.ts'

let world: TestWorld
let members: Member[]
let goals = 0
const folder = path.join(os.tmpdir(), `parley-once-${process.pid}`)
type PostAnswer = { seq: number; id: string }

beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false, env: { MESSAGE_ARCHIVE_DIR: folder } })
  members = await Promise.all([0, 1].map((index) => makeMember(world, index)))
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const member = (index: number) => members[index] as Member
async function open(): Promise<`rom_${string}`> {
  const roomId = await inTransaction(world.system, (tx) => openRoom(tx, { goalId: `gol_once_${goals++}`, clientId: 'did:web:c' }))
  for (const { did } of members) await joinRoom(world.system, { roomId, memberId: did, agentId: null, ownerId: null, role: 'member' })
  return roomId
}
const post = async ({ ctx }: Member, roomId: string, words: { envelope?: object; text?: string }) =>
  (await dispatchCommand(ctx, {
    type: 'message.post',
    room_id: roomId,
    ...(words.envelope ? words : { parts: [{ text: words.text }] }),
  })) as PostAnswer
const signed = ({ signer }: Member, roomId: string, text: string, more: object = {}) =>
  signEnvelope(signer, {
    id: newMessageId(),
    room_id: roomId,
    sender_id: signer.did,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text }],
    ...more,
  } as unknown as EnvelopeDraft)

/** Another process on the same database; it counts how it writes. */
function elsewhere({ ctx, ...rest }: Member, change: (writer: Writer) => Partial<Writer> = () => ({})) {
  const { writer } = ctx.ports
  const ways = { sent: 0, asked: 0 }
  const counting: Writer = {
    ...writer,
    send(steps) {
      ways.sent++
      return writer.send(steps)
    },
    transact(work) {
      ways.asked++
      return writer.transact(work)
    },
  }
  const there: Context = { ...ctx, ports: { ...ctx.ports, writer: { ...counting, ...change(counting) } } }
  return { ...rest, ctx: there, ways }
}

/** The room's texts, once it is proved to be gap-free, signed and chained. */
const textsOf = async (roomId: string) => (await provenLog(world, roomId)).map(({ parts }) => parts[0]?.text)

describe('a room that is known', () => {
  it('is written to without asking, by many at once', async () => {
    const roomId = await open()
    const one = elsewhere(member(0))
    const other = { ...member(1), ctx: { ...member(1).ctx, ports: one.ctx.ports } }
    await post(one, roomId, { text: 'first' })
    await post(other, roomId, { text: 'second' })
    const { asked } = one.ways
    const texts = Array.from({ length: 80 }, (_, index) => `${index}`)
    await Promise.all(texts.map((text, index) => post(index % 2 ? one : other, roomId, { text })))
    expect(one.ways.asked).toBe(asked)
    expect(one.ways.sent).toBeGreaterThan(0)
    expect((await textsOf(roomId)).slice(2)).toEqual(texts)
  })

  it('is asked again where a verb or another process has spoken in it since, and nothing is lost', async () => {
    const roomId = await open()
    const [here, there] = [elsewhere(member(0)), elsewhere(member(1))]
    for (const text of ['1', '2']) await post(here, roomId, { text })
    for (const text of ['3', '4']) await post(there, roomId, { text })
    await post(here, roomId, { text: '5' })
    await inTransaction(member(1).ctx, async (tx) => postInTransaction(tx, await signedWord(member(1), roomId, '6')))
    await Promise.all(['7', '8'].map((text) => post(here, roomId, { text })))
    await Promise.all(Array.from({ length: 30 }, (_, index) => post(index % 2 ? here : there, roomId, { text: 'both' })))
    expect(await textsOf(roomId)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', ...Array(30).fill('both')])
  })

  it('is written to without asking where what another process said was overheard, in the state in which that left the talk', async () => {
    const roomId = await open()
    const [here, there] = [elsewhere(member(0)), elsewhere(member(1))]
    for (const one of [here, there]) await post(one, roomId, { text: 'known' })
    await post(there, roomId, { text: 'more' })
    await post(there, roomId, { envelope: await signed(there, roomId, 'moved', { state: 'task_assignment' }) })
    const rows = await readStoredMessages(world.system, { roomId, after: 1, limit: 10 })
    groupCommitWriterOf(here.ctx).noteRemoteMessages(roomId, rows)
    // While the others may be speaking at this moment, it would ask.
    await setTimeout(50)
    const before = { ...here.ways }
    await post(here, roomId, { text: 'at once' })
    expect(here.ways).toEqual({ sent: before.sent + 1, asked: before.asked })
    expect(await textsOf(roomId)).toEqual(['known', 'known', 'more', 'moved', 'at once'])
    const [last] = await readStoredMessages(world.system, { roomId, after: 4, limit: 1 })
    expect(JSON.parse(last?.body ?? '')).toMatchObject({ state: 'task_assignment' })
  })

  it('is written to while another room waits for the disk, and keeps its own order', async () => {
    const [slow, quick] = [await open(), await open()]
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let isSlow = false
    const here = elsewhere(member(0), (writer) => ({
      async send(steps) {
        if (isSlow) {
          isSlow = false
          reached.resolve()
          await released.promise
        }
        return writer.send(steps)
      },
    }))
    for (const roomId of [slow, quick]) await post(here, roomId, { text: 'known' })
    isSlow = true
    const first = post(here, slow, { text: 'first' })
    await reached.promise
    const second = post(here, slow, { text: 'second' })
    expect((await post(here, quick, { text: 'meanwhile' })).seq).toBe(2)
    expect((await textsOf(slow)).length).toBe(1)
    released.resolve()
    expect([(await first).seq, (await second).seq]).toEqual([2, 3])
    expect(await textsOf(slow)).toEqual(['known', 'first', 'second'])
  })

  it('takes nothing more from a member who has left, and all from the others in the same write', async () => {
    const roomId = await open()
    for (const who of members) await post(who, roomId, { text: 'here' })
    await leaveRoom(world.system, { roomId, memberId: member(1).did })
    const [stays, left] = await Promise.allSettled([post(member(0), roomId, { text: 'still' }), post(member(1), roomId, { text: 'gone' })])
    expect(stays?.status).toBe('fulfilled')
    expect(left).toMatchObject({ reason: { code: 'room.not_member' } })
    expect(await textsOf(roomId)).toEqual(['here', 'here', 'still'])
  })

  it('answers what came before through another process with its first number, and refuses another under its id', async () => {
    const roomId = await open()
    const [here, there] = [elsewhere(member(0)), elsewhere(member(0))]
    const envelope = await signed(member(0), roomId, 'once')
    const other = await signed(member(0), roomId, 'twice', { id: envelope.id })
    const { seq } = await post(there, roomId, { envelope })
    await post(here, roomId, { text: 'known' })
    const settled = await Promise.allSettled([
      post(here, roomId, { text: 'before' }),
      post(here, roomId, { envelope }),
      post(here, roomId, { envelope: other }),
      post(here, roomId, { text: 'after' }),
    ])
    expect(
      settled.map((one) => (one.status === 'fulfilled' ? (one.value as PostAnswer).seq : (one.reason as { code: string }).code)),
    ).toEqual([3, seq, 'envelope.id_reused', 4])
    expect(await textsOf(roomId)).toEqual(['once', 'known', 'before', 'after'])
  })

  it('keeps where the conversation stands, and posts no message of its own where that has moved', async () => {
    const roomId = await open()
    const here = elsewhere(member(0))
    await post(here, roomId, { text: 'known' })
    const moved = await signed(member(0), roomId, 'on', { state: 'task_assignment', next_speakers: [member(1).did] })
    await Promise.all([post(here, roomId, { envelope: moved }), post(here, roomId, { text: 'after' })])
    const row = () => world.system.db.conversation.findUniqueOrThrow({ where: { roomId } })
    expect(await row()).toMatchObject({ state: 'task_assignment', nextSpeakers: [] })
    const { version } = await row()
    await post(here, roomId, { text: 'more' })
    expect(await row()).toMatchObject({ version })
    expect(here.ways.asked).toBe(1)
  })

  it('is asked again after the database was lost with the answer, and a repeated message stands there once', async () => {
    const roomId = await open()
    let isLost = false
    const here = elsewhere(member(0), (writer) => ({
      async send(steps) {
        await writer.send(steps)
        if (isLost) throw serverUnavailable(null)
      },
    }))
    await post(here, roomId, { text: 'known' })
    isLost = true
    const envelope = await signed(member(0), roomId, 'lost')
    await expectProblem(post(here, roomId, { envelope }), 'server.unavailable')
    isLost = false
    expect((await post(here, roomId, { envelope })).seq).toBe(2)
    expect(await textsOf(roomId)).toEqual(['known', 'lost'])
  })
})

describe('a message that is repeated through another process', () => {
  it('is answered with its first number also where that is being written at this moment', async () => {
    const roomId = await open()
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = inTransaction(world.system, async (tx) => {
      await tx.db.$queryRaw`select pg_advisory_xact_lock(${holdKey})::text`
      held.resolve()
      await released.promise
    })
    await held.promise
    let holds = false
    const here = elsewhere(member(0), (writer) => ({
      send: (steps) =>
        writer.send(holds ? [...steps, { name: 'hold', text: `select pg_advisory_xact_lock(${holdKey})`, values: [] }] : steps),
    }))
    const there = elsewhere(member(0))
    await post(here, roomId, { text: 'known' })
    holds = true
    const envelope = await signed(member(0), roomId, 'once')
    const first = post(here, roomId, { envelope })
    await world.until('the first to be written', async () => (await waitingFor('advisory')) === 1)
    const again = post(there, roomId, { envelope })
    await world.until('the second to wait for its room', async () => (await waitingFor('transactionid')) === 1)
    released.resolve()
    await holding
    expect([(await first).seq, (await again).seq]).toEqual([2, 2])
    expect(await textsOf(roomId)).toEqual(['known', 'once'])
  })
})

describe('a member that is removed at the very moment', () => {
  /** Removes the second member, in a transaction that posts in the room and stays open; its end is to be awaited. */
  async function removing(roomId: string, write: (tx: Context) => Promise<unknown>) {
    const [changed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const removed = inTransaction(member(0).ctx, async (tx) => {
      await leaveRoom(tx, { roomId, memberId: member(1).did })
      await write(tx)
      changed.resolve()
      await released.promise
    })
    await changed.promise
    const end = () => {
      released.resolve()
      return removed
    }
    return { end }
  }
  const ways = {
    'the server says so': (roomId: string) => (tx: Context) => postSystemMessage(tx, { roomId, kind: 'left', data: {}, text: 'gone' }),
    'a member says so': (roomId: string) => async (tx: Context) => postInTransaction(tx, await signedWord(member(0), roomId, 'gone')),
  }

  it.each(Object.entries(ways))('has no word after that of its going, where %s, and the others have theirs', async (_, change) => {
    const roomId = await open()
    const [here, there] = [elsewhere(member(0)), elsewhere(member(1))]
    const both = { ...here, ctx: { ...here.ctx, actor: there.ctx.actor } }
    for (const who of [here, both]) await post(who, roomId, { text: 'known' })
    const { end } = await removing(roomId, change(roomId))
    const late = Promise.allSettled([
      post(here, roomId, { text: 'stays' }),
      post(both, roomId, { text: 'late' }),
      post(there, roomId, { text: 'late' }),
    ])
    await world.until('both processes to wait for the room', async () => (await waitingForRows()) === 2)
    await end()
    const [stays, ...gone] = await late
    expect(stays).toMatchObject({ status: 'fulfilled' })
    for (const one of gone) expect(one).toMatchObject({ reason: { code: 'room.not_member' } })
    expect(await textsOf(roomId)).toEqual(['known', 'known', 'gone', 'stays'])
  })

  it.each(Object.entries(ways))(
    'is refused the verb that would speak after that, where %s, and nothing of it is done',
    async (_, change) => {
      const roomId = await open()
      const { end } = await removing(roomId, change(roomId))
      const late = inTransaction(member(1).ctx, async (tx) => postInTransaction(tx, await signedWord(member(1), roomId, 'late')))
      const refused = expectProblem(late, 'room.not_member')
      await world.until('the verb to wait for the room', async () => (await waitingForRows()) === 1)
      await end()
      await refused
      expect(await textsOf(roomId)).toEqual(['gone'])
    },
  )
})

const holdKey = 8_274

/** How many connections wait for a row that another connection has locked, whether in front or behind others who wait for it. */
const waitingForRows = async () => (await waitingFor('transactionid')) + (await waitingFor('tuple'))

/** How many connections wait for a lock of this kind. */
async function waitingFor(kind: string): Promise<number> {
  const [row] = await world.system.db.$queryRaw<{ count: number }[]>`
    select count(*)::int as "count" from "pg_locks" l join "pg_stat_activity" a using ("pid")
    where not l."granted" and l."locktype" = ${kind} and a."datname" = current_database()`
  return row?.count ?? 0
}

describe('a message of a time that is still to come', () => {
  it('is refused, beyond what clocks differ by', async () => {
    const [roomId, who] = [await open(), member(0)]
    const idIn = (minutes: number) => uuidv7(world.clock.now().getTime() + minutes * 60_000, randomBytes(10))
    const ahead = async (minutes: number) => post(who, roomId, { envelope: await signed(who, roomId, 'Early.', { id: idIn(minutes) }) })
    await expectProblem(ahead(11), 'envelope.stale')
    await expectProblem(ahead(60 * 24 * 365 * 1_000), 'envelope.stale')
    expect(await ahead(9)).toMatchObject({ seq: 1 })
  })
})

describe('rooms of which messages are filed', () => {
  it('answers a repeated message with its first number, refuses a new one of that time, and continues', async () => {
    const roomId = await open()
    let who = member(0)
    const first = await signed(who, roomId, 'Long ago.')
    await post(who, roomId, { envelope: first })
    const old = await signed(who, roomId, 'Never sent.')
    world.clock.advance(120 * 86_400_000)
    await maintainMessagePartitions(world.system, 31)
    who = await delegateAgain(world, who)
    // The room is known as it stood before; what was filed meanwhile shows when its table is gone.
    expect(await post(who, roomId, { envelope: first })).toMatchObject({ seq: 1 })
    await expectProblem(post(who, roomId, { envelope: old }), 'envelope.stale')
    await expectProblem(post(who, roomId, { envelope: await signed(who, roomId, 'Other words.', { id: first.id }) }), 'envelope.id_reused')
    expect(await post(who, roomId, { text: 'Today.' })).toMatchObject({ seq: 2 })
    const there = elsewhere(who)
    const [late, again, posted] = await Promise.allSettled([
      post(there, roomId, { envelope: old }),
      post(there, roomId, { envelope: first }),
      post(there, roomId, { text: 'Elsewhere.' }),
    ])
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'envelope.stale' } })
    expect(again).toMatchObject({ value: { seq: 1 } })
    expect(posted).toMatchObject({ value: { seq: 3 } })
    expect((await readStoredMessages(world.system, { roomId, after: 0, limit: 10 })).map(({ seq }) => seq)).toEqual([1, 2, 3])
  })
})
