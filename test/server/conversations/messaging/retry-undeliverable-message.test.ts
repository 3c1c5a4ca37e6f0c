import { connect } from '@parley/agents'
import { type DeliveredEnvelope, isDeadLetterPlaceholder, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import {
  joinRoom,
  listUndeliverableMessages,
  openRoom,
  readMessages,
  retryUndeliverableMessage,
  searchMessages,
} from '../../../../server/conversations/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { createCaller } from '../../../../server/trpc/app-router.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { fillInbox, type KeyedAgent, listAgent, upTo } from '../../hub/bare-agent.ts'

let world: TestWorld
let client: TestPerson
let operator: TestPerson
let wired: KeyedAgent
let poller: KeyedAgent
let room: `rom_${string}`
/** The text of message 2 as it was before it was damaged. */
let whole: string

/** As a hand in the database would, past its triggers. */
const byHand = (change: (db: Context['db']) => Promise<unknown>) =>
  inTransaction(world.system, async (tx) => {
    await tx.db.$executeRaw`set local session_replication_role = replica`
    await change(tx.db)
  })

beforeAll(async () => {
  world = await createWorld({ jobs: false, env: { LOG_LEVEL: 'silent' } })
  client = await world.person({ usdc: 0n })
  operator = await world.person({ usdc: 0n, isOperator: true })
  wired = await listAgent(world, client, 'wired')
  poller = await listAgent(world, client, 'poller')
  room = await inTransaction(world.system, (tx) => openRoom(tx, { goalId: 'gol_poison', clientId: client.did }))
  const { did } = await world.system.db.listing.findUniqueOrThrow({ where: { agentId: poller.agentId } })
  for (const [memberId, { agentId }] of [[wired.signer.did, wired] as const, [did, poller] as const])
    await joinRoom(world.system, { roomId: room, memberId, agentId, ownerId: client.did, role: 'member' })
  await fillInbox(world, room, 8)
  whole = (await world.system.db.message.findFirstOrThrow({ where: { roomId: room, seq: 2 } })).body
  await byHand(async (db) => {
    await db.message.updateMany({ where: { roomId: room, seq: 2 }, data: { body: whole.slice(0, 40) } })
    await db.message.updateMany({ where: { roomId: room, seq: 4 }, data: { body: whole } })
    await db.message.updateMany({ where: { roomId: room, seq: 5 }, data: { body: '[]' } })
    await db.message.deleteMany({ where: { roomId: room, seq: 7 } })
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const poisoned = [2, 4, 5, 7]
const placeholders = (messages: readonly DeliveredEnvelope[]) =>
  messages.filter((one) => isDeadLetterPlaceholder(one, world.world.market.serverDid)).map(({ seq }) => seq)

describe('a message that can’t be delivered', () => {
  it('leaves a placeholder of the server’s at its number for who polls, and the rest comes', async () => {
    const poll = async (query: string) => {
      const response = await fetch(`${world.hubUrl}/v1/messages${query}`, { headers: { authorization: `Bearer ${poller.token}` } })
      return (await response.json()) as { messages: DeliveredEnvelope[]; ack: string }
    }
    const { messages, ack } = await poll('')
    const here = messages.filter(({ room_id }) => room_id === room)
    expect(here.map(({ seq }) => seq)).toEqual(upTo(8))
    expect(placeholders(here)).toEqual(poisoned)
    for (const one of here) expect(await verifyEnvelope(one, world.world.market.serverDid)).toBe(true)
    expect((await poll(`?ack=${ack}`)).messages).toEqual([])
  })

  it('reaches an agent as a problem, and is skipped: what follows is handed over, and all is acked', async () => {
    const problems: unknown[] = []
    const seen: number[] = []
    const session = await connect({
      url: world.hubUrl,
      signer: wired.signer,
      token: wired.token,
      on: {
        problem: ({ code, facts }) => void problems.push([code, facts?.seq]),
        message: ({ envelope }) => void (envelope.room_id === room && seen.push(envelope.seq)),
      },
    })
    const acked = async () => (await world.system.db.cursor.findFirst({ where: { roomId: room, memberId: wired.agentId } }))?.acked
    await world.until('all to be acked', async () => (await acked()) === 8)
    expect(seen).toEqual([1, 3, 6, 8])
    expect(problems).toEqual(poisoned.map((seq) => ['session.message_quarantined', seq]))
    session.close()
  })

  it('stands in the transcript, the stream and the search of the web as the same placeholder', async () => {
    const page = { roomId: room, after: 0, limit: 50 }
    const read = await readMessages(client.ctx, page)
    expect(placeholders(read)).toEqual(poisoned)
    const call = { ctx: client.ctx, services: world.world, token: null, userAgent: '', source: '', reply: null, id: 'test' }
    const streamed: DeliveredEnvelope[] = []
    for await (const event of await createCaller(call).conversations.follow({ room_id: room })) {
      // Its types show what a browser receives.
      const [, delivered] = event as unknown as [string, { kind: 'message'; message: DeliveredEnvelope }]
      const { message } = delivered
      streamed.push(message)
      if (message.seq === 8) break
    }
    expect(streamed).toEqual(read)
    expect(placeholders((await searchMessages(client.ctx, { ...page, filter: {} })).messages)).toEqual([2, 4, 5])
  })

  it('is listed for operators, once, with what is wrong with it, and for no one else', async () => {
    await expectProblem(listUndeliverableMessages(client.ctx), 'permission.denied')
    const held = await listUndeliverableMessages(operator.ctx)
    expect(held.map(({ seq }) => seq).sort()).toEqual(poisoned)
    expect(held.every(({ roomId }) => roomId === room)).toBe(true)
    const reason = Object.fromEntries(held.map((one) => [one.seq, one.reason]))
    expect(reason).toMatchObject({
      2: expect.stringContaining('JSON'),
      4: expect.stringContaining('another room'),
      5: expect.stringContaining('not an envelope'),
      7: expect.stringContaining('is missing'),
    })
  })
})

describe('retryUndeliverableMessage', () => {
  it('refuses anyone who is no operator, and a message that is not set apart', async () => {
    for (const ctx of [client.ctx, world.world.contextFor({ kind: 'anonymous' })])
      await expectProblem(retryUndeliverableMessage(ctx, { room_id: room, seq: 2 }), 'permission.denied')
    await expectProblem(retryUndeliverableMessage(operator.ctx, { room_id: room, seq: 1 }), 'room.not_found')
    const call = { ctx: operator.ctx, services: world.world, token: null, userAgent: '', source: '', reply: null, id: 'test' }
    for (const seq of [2 ** 31, Number.MAX_SAFE_INTEGER])
      await expect(createCaller(call).conversations.retry({ room_id: room, seq })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  it('leaves it set apart while it is as it was', async () => {
    expect(await retryUndeliverableMessage(operator.ctx, { room_id: room, seq: 2 })).toEqual({
      state: 'dead_letter',
      reason: expect.stringContaining('JSON'),
    })
    expect(placeholders(await readMessages(client.ctx, { roomId: room, after: 0, limit: 50 }))).toEqual(poisoned)
  })

  it('puts it back where it is sound again, notifies the room, and writes one audit row', async () => {
    await byHand((db) => db.message.updateMany({ where: { roomId: room, seq: 2 }, data: { body: whole } }))
    expect(await retryUndeliverableMessage(operator.ctx, { room_id: room, seq: 2 })).toEqual({ state: 'released', reason: null })
    await expectProblem(retryUndeliverableMessage(operator.ctx, { room_id: room, seq: 2 }), 'room.not_found')
    const read = await readMessages(client.ctx, { roomId: room, after: 0, limit: 50 })
    expect(placeholders(read)).toEqual([4, 5, 7])
    expect(read.at(-1)).toMatchObject({ seq: 9, parts: [{}, { data: { kind: 'message.released', seq: 2 } }] })
    expect((await listUndeliverableMessages(operator.ctx)).map(({ seq }) => seq).sort()).toEqual([4, 5, 7])
    const rows = await world.system.db.auditEntry.findMany({ where: { chain: room, action: 'message.retry' } })
    expect(rows).toHaveLength(2)
  })
})
