import { TRPCError } from '@trpc/server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { joinRoom, leaveRoom, openRoom } from '../../../server/conversations/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { DomainError } from '../../../server/errors.ts'
import { createConcurrencyLimiter } from '../../../server/http/concurrency-limiter.ts'
import { hashSecret } from '../../../server/identity/hash-secret.ts'
import { revokeSession } from '../../../server/identity/index.ts'
import { createCaller } from '../../../server/trpc/app-router.ts'
import type { RequestContext } from '../../../server/trpc/request-context.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'
import { fillInbox } from '../hub/bare-agent.ts'

let world: TestWorld
let client: TestPerson
let member: TestPerson
let room: `rom_${string}`
beforeAll(async () => {
  world = await createWorld({ jobs: false, hub: false })
  ;[client, member] = [await world.person({ usdc: 0n }), await world.person({ usdc: 0n })]
  room = await inTransaction(world.system, (tx) => openRoom(tx, { goalId: `gol_${'a'.repeat(32)}`, clientId: client.did }))
  await join()
  await fillInbox(world, room, 2)
})
afterAll(() => world?.[Symbol.asyncDispose]())
afterEach(() => vi.useRealTimers())

const join = () => joinRoom(world.system, { roomId: room, memberId: member.did, agentId: null, ownerId: null, role: 'member' })
const callOf = (ctx: Context, given: Partial<RequestContext> = {}): RequestContext => ({
  ...{ ctx, services: world.world, token: null, userAgent: '', source: '192.0.2.1', reply: null, id: 'test' },
  ...given,
})

type Event = { readonly kind: string; readonly message?: { readonly seq: number } }
/** The stream as events: what each page gets, without its ids. */
async function* follow(
  call: RequestContext,
  more: { once?: boolean; lastEventId?: string; goal_id?: string } = {},
): AsyncGenerator<number | string> {
  for await (const event of await createCaller(call).conversations.follow({ room_id: room, ...more })) {
    // The declared type is what a browser gets of it.
    const [, received] = event as unknown as [string, Event]
    yield received.message?.seq ?? received.kind
  }
}

async function allOf(stream: AsyncIterable<number | string>): Promise<(number | string)[]> {
  const seen: (number | string)[] = []
  for await (const one of stream) seen.push(one)
  return seen
}

/** The stream after the messages that are there, of which it has `count`. */
async function passed(stream: AsyncGenerator<number | string>, count: number): Promise<typeof stream> {
  for (let seq = 1; seq <= count; seq++) expect((await stream.next()).value).toBe(seq)
  return stream
}

async function refusal(reading: Promise<unknown>): Promise<DomainError> {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  const cause = error instanceof TRPCError ? error.cause : error
  if (!(cause instanceof DomainError)) throw error ?? new Error('was not refused')
  return cause
}

/** The person with a login, as by the cookie of a browser. */
async function signedIn(person: TestPerson): Promise<{ call: RequestContext; sessionId: string }> {
  const { db, ids, clock } = world.system
  const [now, token, id] = [clock.now(), ids.secret(), ids.next('ses')]
  const [address, expiresAt] = [person.account.address.toLowerCase(), new Date(now.getTime() + 3_600_000)]
  const { chainId } = world.world.market
  await db.person.upsert({ where: { id: person.did }, create: { id: person.did, address, chainId, createdAt: now }, update: {} })
  await db.session.create({
    data: { id, tokenHash: hashSecret(token), personId: person.did, userAgent: '', createdAt: now, seenAt: now, expiresAt },
  })
  return { call: callOf(person.ctx, { token }), sessionId: id }
}

describe('a stream of the web', () => {
  it('resumes after the last event, and ends after what is there where it is asked once', async () => {
    const seen = await allOf(follow(callOf(member.ctx), { once: true }))
    expect(seen).toEqual([1, 2])
    expect(await allOf(follow(callOf(member.ctx), { once: true, lastEventId: '1' }))).toEqual([2])
    expect(world.world.streams.size).toBe(0)
  })

  it('is refused with a wait where its address or its person has as many as allowed, and gives its place back', async () => {
    const few = { ...world.world, streams: createConcurrencyLimiter({ maxPerCaller: 2 }) }
    const open = [callOf(member.ctx, { services: few }), callOf(member.ctx, { services: few, source: '192.0.2.2' })].map((call) =>
      follow(call),
    )
    for (const one of open) await one.next()
    const ofPerson = await refusal(follow(callOf(member.ctx, { services: few, source: '192.0.2.3' })).next())
    expect(ofPerson).toMatchObject({ code: 'rate.exceeded', facts: { retry_after_seconds: 30 } })
    const second = follow(callOf(client.ctx, { services: few }))
    await second.next()
    expect((await refusal(follow(callOf(client.ctx, { services: few })).next())).message).toContain('the maximum number of open streams')
    for (const one of [...open, second]) await one.return(undefined)
    expect(few.streams.size).toBe(0)
  })

  it('ends within 15 s of the end of its login', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { call, sessionId } = await signedIn(member)
    const next = (await passed(follow(call), 2)).next()
    await revokeSession(member.ctx, sessionId)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('hands over no message that comes after the end of its login', async () => {
    const { call, sessionId } = await signedIn(member)
    const next = (await passed(follow(call), 2)).next()
    await revokeSession(member.ctx, sessionId)
    await fillInbox(world, room, 1, { from: 3 })
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('ends with its login’s time, by the clock of the server', async () => {
    const { call } = await signedIn(member)
    const stream = follow(call)
    await stream.next()
    world.clock.advance(2 * 3_600_000)
    await fillInbox(world, room, 1, { from: 4 })
    const rest = await allOf(stream)
    expect(rest).not.toContain(4)
  })

  it('sends nothing more to a removed member', async () => {
    await join()
    const next = refusal((await passed(follow(callOf(member.ctx)), 4)).next())
    await leaveRoom(world.system, { roomId: room, memberId: member.did })
    await fillInbox(world, room, 1, { from: 5 })
    expect((await next).code).toBe('room.not_member')
    await join()
  })
})
