import { helloBytes, randomSeed, signDelegation, signerFromSeed, verifyEnvelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { joinRoom, openRoom } from '../../../../server/conversations/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { markOnline } from '../../../../server/registry/index.ts'
import { dayAround } from '../../../support/delegation.ts'
import { createFundedGoal, publishTestAgent } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { connectLine, delivered, fillInbox, listAgent, openLine, sayHello, upTo } from '../bare-agent.ts'

let world: TestWorld
let owner: TestPerson
beforeAll(async () => {
  world = await createWorld()
  owner = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const isOnline = async (agentId: string) => {
  const row = await world.system.db.presence.findUnique({ where: { agentId } })
  return row !== null && row.leftAt === null
}

describe('hello', () => {
  it('refuses a signature by another key, and closes', async () => {
    const agent = await listAgent(world, owner, 'forged')
    const line = await openLine(world.hubUrl)
    await sayHello(line, agent, { signer: await signerFromSeed(randomSeed()) })
    expect((await line.next('problem')).problem).toMatchObject({ code: 'auth.signature_invalid', status: 401 })
    expect(await line.closed).toBe(4401)
    expect(await isOnline(agent.agentId)).toBe(false)
  })

  it('refuses a proof that was made for another server', async () => {
    const agent = await listAgent(world, owner, 'relayed')
    const line = await openLine(world.hubUrl)
    await sayHello(line, agent, { audience: (await signerFromSeed(randomSeed())).did })
    expect((await line.next('problem')).problem.code).toBe('auth.signature_invalid')
    expect(await line.closed).toBe(4401)
  })

  it('refuses the proof of an earlier connection', async () => {
    const agent = await listAgent(world, owner, 'replayed')
    const first = await openLine(world.hubUrl)
    const { nonce, server } = await first.next('challenge')
    const { did } = agent.signer
    const hello = {
      type: 'hello',
      did,
      token: agent.token,
      signature: await agent.signer.sign(helloBytes({ audience: server, nonce, did })),
    }
    first.send(hello)
    await first.next('welcome')
    const second = await openLine(world.hubUrl)
    second.send(hello)
    expect((await second.next('problem')).problem.code).toBe('auth.signature_invalid')
    expect(await second.closed).toBe(4401)
    // The first is not disturbed by it.
    first.send({ type: 'ping' })
    await first.next('pong')
    first.close()
  })

  it('refuses a delegation that is not the agent’s for this server, and closes', async () => {
    const agent = await listAgent(world, owner, 'delegating')
    const stranger = await signerFromSeed(randomSeed())
    const day = dayAround(world.clock.now())
    for (const delegation of [
      await signDelegation(stranger, world.world.market.serverDid, day),
      await signDelegation(agent.signer, stranger.did, day),
      await signDelegation(agent.signer, world.world.market.serverDid, { ...day, expires_at: day.not_before + 60 }),
    ]) {
      const line = await openLine(world.hubUrl)
      await sayHello(line, agent, { delegation })
      expect((await line.next('problem')).problem).toMatchObject({ code: 'auth.delegation_invalid', status: 401, retry: 'after_change' })
      expect(await line.closed).toBe(4401)
    }
    expect(await isOnline(agent.agentId)).toBe(false)
  })

  it('posts a text under the delegation of its connection, refuses what binds, and posts nothing without one', async () => {
    const agent = await listAgent(world, owner, 'talking')
    const { serverDid } = world.world.market
    const roomId = await inTransaction(world.system, (tx) => openRoom(tx, { goalId: 'gol_talk', clientId: owner.did }))
    const member = { roomId, memberId: agent.signer.did, agentId: agent.agentId, ownerId: owner.did, role: 'member' } as const
    await joinRoom(world.system, member)
    const post = (id: string, more: object = {}) => {
      const command = { type: 'message.post', room_id: roomId, parts: [{ text: 'Hello.' }], ...more }
      return { type: 'command', id, command }
    }
    const bare = await connectLine(world.hubUrl, agent)
    bare.send(post('a'))
    expect((await bare.next('problem')).problem).toMatchObject({ code: 'envelope.signature_required', retry: 'after_change' })
    const line = await openLine(world.hubUrl)
    const delegation = await signDelegation(agent.signer, serverDid, dayAround(world.clock.now()))
    await sayHello(line, agent, { delegation })
    await line.next('welcome')
    line.send(post('b'))
    expect((await line.next('result')).result).toMatchObject({ seq: 1 })
    const { envelope } = await line.next('deliver')
    expect(envelope.sig).toMatchObject({ alg: 'session', delegation })
    expect(await verifyEnvelope(envelope, serverDid)).toBe(true)
    line.send(post('c', { act: 'vote', parts: [{ data: { kind: 'vote', choice: 'Yes' } }] }))
    expect(await line.next('problem')).toMatchObject({ id: 'c', problem: { code: 'envelope.signature_required' } })
    line.close()
  })

  it('refuses a key that no one has bound, and a token that no one has', async () => {
    const agent = await listAgent(world, owner, 'unbound')
    const unbound = await openLine(world.hubUrl)
    await sayHello(unbound, { ...agent, token: undefined as never })
    expect((await unbound.next('problem')).problem.code).toBe('auth.required')
    const wrong = await openLine(world.hubUrl)
    await sayHello(wrong, { ...agent, token: 'no-such-token' })
    expect((await wrong.next('problem')).problem.status).toBe(401)
    expect(await wrong.closed).toBe(4401)
  })

  it('is to come before anything else', async () => {
    for (const frame of [
      { type: 'command', id: 1, command: { type: 'listing.discover', query: {} } },
      { type: 'ack', room_id: `inb_${'0'.repeat(32)}`, seq: 1 },
      { type: 'subscribe', room_id: `inb_${'0'.repeat(32)}`, after: 0 },
    ]) {
      const line = await openLine(world.hubUrl)
      line.send(frame)
      expect(await line.closed).toBe(4401)
      expect(line.frames.map((one) => one.type)).toEqual(['challenge'])
    }
  })

  it('leaves no trace where the socket is gone before the proof is read', async () => {
    const agent = await listAgent(world, owner, 'fleeting')
    const kept = await connectLine(world.hubUrl, agent)
    const fleeting = await openLine(world.hubUrl)
    await sayHello(fleeting, agent)
    fleeting.socket.terminate()
    // Another's whole handshake later the hub has long read that hello.
    ;(await connectLine(world.hubUrl, await listAgent(world, owner, 'bystander'))).close()
    kept.send({ type: 'ping' })
    await kept.next('pong')
    expect(kept.frames.some((frame) => frame.type === 'fenced')).toBe(false)
    expect(await isOnline(agent.agentId)).toBe(true)
    kept.close()
    await world.until('the agent to be gone', async () => !(await isOnline(agent.agentId)))
  })
})

describe('a frame that is none', () => {
  it('is answered, and the connection continues', async () => {
    const line = await connectLine(world.hubUrl, await listAgent(world, owner, 'babbler'))
    const deep = `{"type":"command","id":1,"command":${'['.repeat(60)}${']'.repeat(60)}}`
    for (const text of [
      '',
      'no json',
      '[]',
      'null',
      '{"type":"dance"}',
      '{"type":"ping","type":"pong"}',
      '{"type":"ack","room_id":"somewhere","seq":0}',
      deep,
    ]) {
      line.sendText(text)
      expect((await line.next('problem')).problem, text).toMatchObject({ code: 'request.malformed', status: 400, retry: 'after_change' })
    }
    line.send({ type: 'ping' })
    await line.next('pong')
    line.close()
  })

  it('is identified by its own id where it has one', async () => {
    const line = await connectLine(world.hubUrl, await listAgent(world, owner, 'numbered'))
    line.send({ type: 'command', id: 'seven', command: 7 })
    expect(await line.next('problem')).toMatchObject({ id: 'seven', problem: { code: 'request.malformed' } })
    line.send({ type: 'command', id: 8, command: { type: 'goal.dance' } })
    expect(await line.next('problem')).toMatchObject({ id: 8, problem: { code: 'request.unknown_command' } })
    line.send({ type: 'command', id: 9, command: { type: 'goal.claim' } })
    expect(await line.next('problem')).toMatchObject({ id: 9, problem: { code: 'request.malformed' } })
    line.send({ type: 'command', id: 10, command: { type: 'listing.discover', query: {} } })
    expect(await line.next('result')).toMatchObject({ id: 10, result: { listings: expect.any(Array) } })
    line.close()
  })

  it('ends the connection where it is larger than any may be', async () => {
    const line = await connectLine(world.hubUrl, await listAgent(world, owner, 'bulky'))
    line.sendText(`{"type":"ping","pad":"${'x'.repeat(8_388_608)}"}`)
    expect(await line.closed).toBe(1009)
  })
})

describe('a binary message', () => {
  it('is read as a frame if it is the text of one in UTF-8, and is refused otherwise', async () => {
    const line = await connectLine(world.hubUrl, await listAgent(world, owner, 'mumbler'))
    const malformed = [[], [0xff], [0xff, 0x00, 0x7b], [0x00, 0xe1, 0x00, 0xf6, 0x04, 0x70, 0x69, 0x6e, 0x67]]
    for (const bytes of [...malformed.map((one) => Buffer.from(one)), Buffer.from('{"type":"ping"')]) {
      line.socket.send(bytes)
      const { id, problem } = await line.next('problem')
      expect({ id, ...problem }, bytes.toString('hex')).toMatchObject({
        id: null,
        code: 'request.malformed',
        status: 400,
        retry: 'after_change',
      })
    }
    line.socket.send(Buffer.from('{"type":"ping"}'))
    await line.next('pong')
    line.close()
  })
})

describe('the refusal of a malformed frame', () => {
  it('has the id of the frame, also if it is too long for a command', async () => {
    const line = await connectLine(world.hubUrl, await listAgent(world, owner, 'longid'))
    for (const [id, echoed] of [
      ['x'.repeat(65), 'x'.repeat(65)],
      ['x'.repeat(512), 'x'.repeat(512)],
      ['x'.repeat(513), null],
      [1.5, null],
    ]) {
      line.sendText(JSON.stringify({ type: 'command', id, command: { type: 'goal.claim' } }))
      expect((await line.next('problem')).id).toBe(echoed)
    }
    line.close()
  })
})

describe('frames in flight', () => {
  it('are 64 at most; with the 65th the sender is cut off, and nothing after it is done', async () => {
    const agent = await listAgent(world, owner, 'flooder')
    await fillInbox(world, agent.inboxId, 2)
    const line = await connectLine(world.hubUrl, agent)
    const log = vi.spyOn(world.system.log, 'info')
    const release = await holdCursors()
    // The answer to our close is held back, so that the hub continues to receive from us.
    line.socket.pause()
    // All wait behind the first, which waits for the table.
    line.send({ type: 'ack', room_id: agent.inboxId, seq: 1 })
    await world.until('the first to be in hand', waitsForLock)
    for (let id = 2; id <= 65; id++) line.send({ type: 'command', id, command: { type: 'goal.dance' } })
    await world.until('the flood to be seen', async () => log.mock.calls.some(([facts]) => (facts as { code?: number }).code === 4429))
    release()
    const acked = async () => (await world.system.db.cursor.findFirst({ where: { roomId: agent.inboxId } }))?.acked
    await world.until('the first to be done', async () => acked())
    // By now the line is free again, and what comes is still too late.
    line.send({ type: 'ack', room_id: agent.inboxId, seq: 2 })
    // Our answer to the close stands behind it on the line: once the hub has that, it has received this.
    line.socket.resume()
    expect(await line.closed).toBe(4429)
    await world.until('the hub to have written it off', async () => !(await isOnline(agent.agentId)))
    expect(line.frames.some((frame) => 'id' in frame && frame.id === 65)).toBe(false)
    expect(await acked()).toBe(1)
  })

  it('are left with their sender while those before them weigh too much, and come through afterwards', async () => {
    const agent = await listAgent(world, owner, 'hauler')
    await fillInbox(world, agent.inboxId, 1)
    const line = await connectLine(world.hubUrl, agent)
    const pause = vi.spyOn(WebSocket.prototype, 'pause')
    const resume = vi.spyOn(WebSocket.prototype, 'resume')
    const release = await holdCursors()
    line.send({ type: 'ack', room_id: agent.inboxId, seq: 1 })
    await world.until('the first to be in hand', waitsForLock)
    for (let id = 1; id <= 4; id++) line.send({ type: 'command', id, command: { type: 'goal.dance', text: 'x'.repeat(7_000_000) } })
    await world.until('the hub to stop reading', async () => pause.mock.calls.length > 0)
    expect(resume).not.toHaveBeenCalled()
    release()
    await world.until('the answers', async () => line.frames.filter((frame) => 'id' in frame).length === 4)
    expect(line.frames.flatMap((frame) => ('id' in frame ? [frame.id] : []))).toEqual(upTo(4))
    expect(resume).toHaveBeenCalled()
    vi.restoreAllMocks()
    line.close()
  })

  it('are done in sequence, in the order they came', async () => {
    const line = await connectLine(world.hubUrl, await listAgent(world, owner, 'orderly'))
    for (let id = 1; id <= 60; id++)
      line.send({ type: 'command', id, command: id % 2 ? { type: 'listing.discover', query: {} } : { type: 'goal.dance' } })
    await world.until('the answers', async () => line.frames.filter((frame) => 'id' in frame).length === 60)
    expect(line.frames.flatMap((frame) => ('id' in frame ? [frame.id] : []))).toEqual(upTo(60))
    line.close()
  })
})

/** Whether a connection of this database waits for a lock. */
async function waitsForLock(): Promise<boolean> {
  const rows = await world.system.db.$queryRaw<unknown[]>`
    select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`
  return rows.length > 0
}

/** Lets no one ack until released. */
async function holdCursors(): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const db = world.system.db as typeof world.system.db & {
    $transaction: (work: (tx: typeof world.system.db) => Promise<void>, options: object) => Promise<void>
  }
  void db.$transaction(
    async (tx) => {
      await tx.$executeRaw`lock table "cursor" in exclusive mode`
      locked.resolve()
      await promise
    },
    { timeout: 15_000 },
  )
  await locked.promise
  return resolve
}

describe('a newer connection', () => {
  it('takes over, and the older one does nothing more', async () => {
    const agent = await listAgent(world, owner, 'twofold')
    const older = await connectLine(world.hubUrl, agent)
    const newer = await connectLine(world.hubUrl, agent)
    await older.next('fenced')
    expect(await older.closed).toBe(4409)
    newer.send({ type: 'ping' })
    await newer.next('pong')
    expect(await isOnline(agent.agentId)).toBe(true)
    newer.close()
  })

  it('takes over from another hub too', async () => {
    const agent = await listAgent(world, owner, 'elsewhere')
    const here = await connectLine(world.hubUrl, agent)
    // What another hub writes when the agent comes to it.
    await markOnline(world.system, agent.agentId, 'a-connection-of-another-hub')
    await here.next('fenced')
    expect(await here.closed).toBe(4409)
  })
})

describe('resuming', () => {
  it('continues after what was acked, and nothing is lost or doubled', async () => {
    const agent = await listAgent(world, owner, 'returning')
    await fillInbox(world, agent.inboxId, 5)
    const first = await connectLine(world.hubUrl, agent)
    expect(first.welcome).toMatchObject({ inbox: agent.inboxId, agent_id: agent.agentId })
    expect(first.welcome.rooms).toEqual([{ room_id: agent.inboxId, head: 5, acked: 0 }])
    await world.until('the backlog', async () => delivered(first, agent.inboxId).length === 5)
    first.send({ type: 'ack', room_id: agent.inboxId, seq: 3 })
    // An older ack, one of the far future and one of a room that isn't the agent's change nothing.
    first.send({ type: 'ack', room_id: agent.inboxId, seq: 2 })
    first.send({ type: 'ping' })
    await first.next('pong')
    first.close()
    await first.closed
    await fillInbox(world, agent.inboxId, 3, { from: 6 })
    const second = await connectLine(world.hubUrl, agent)
    expect(second.welcome.rooms).toEqual([{ room_id: agent.inboxId, head: 8, acked: 3 }])
    await fillInbox(world, agent.inboxId, 2, { from: 9 })
    await world.until('the rest', async () => delivered(second, agent.inboxId).length >= 7)
    expect(delivered(second, agent.inboxId)).toEqual(upTo(10, 4))
    second.close()
  })

  it('takes no ack beyond the end, none of a foreign room, and none that no database could hold', async () => {
    const agent = await listAgent(world, owner, 'boaster')
    const other = await listAgent(world, owner, 'victim')
    await fillInbox(world, agent.inboxId, 2)
    await fillInbox(world, other.inboxId, 2)
    const line = await connectLine(world.hubUrl, agent)
    line.send({ type: 'ack', room_id: other.inboxId, seq: 2 })
    line.send({ type: 'subscribe', room_id: other.inboxId, after: 0 })
    line.send({ type: 'subscribe', room_id: agent.inboxId, after: Number.MAX_SAFE_INTEGER })
    line.send({ type: 'ack', room_id: agent.inboxId, seq: Number.MAX_SAFE_INTEGER })
    line.send({ type: 'ping' })
    await line.next('pong')
    const beyond = { problem: { code: 'cursor.beyond_head', facts: { room_id: agent.inboxId, head: 2 } } }
    expect(line.frames.filter((frame) => frame.type === 'problem')).toMatchObject([beyond, beyond])
    expect(delivered(line, other.inboxId)).toEqual([])
    const cursors = await world.system.db.cursor.findMany({ where: { roomId: { in: [agent.inboxId, other.inboxId] } } })
    expect(cursors).toEqual([])
    line.close()
  })

  it('delivers what is written after a subscription beyond the end was refused', async () => {
    const agent = await listAgent(world, owner, 'leaper')
    await fillInbox(world, agent.inboxId, 2)
    const line = await connectLine(world.hubUrl, agent)
    await world.until('the first two', async () => delivered(line, agent.inboxId).length === 2)
    line.send({ type: 'subscribe', room_id: agent.inboxId, after: 1_002 })
    expect((await line.next('problem')).problem).toMatchObject({ code: 'cursor.beyond_head', status: 409, retry: 'after_change' })
    await fillInbox(world, agent.inboxId, 2, { from: 3 })
    await world.until('the next two', async () => delivered(line, agent.inboxId).length === 4)
    for (const after of [-1, 0.5, '1', null]) {
      line.send({ type: 'subscribe', room_id: agent.inboxId, after })
      expect((await line.next('problem')).problem.code, String(after)).toBe('request.malformed')
    }
    line.close()
  })

  it('brings a room that opens meanwhile, from its beginning', async () => {
    const fixture = await createFundedGoal(world, 'joining')
    const agent = await listAgent(world, owner, 'joiner')
    const line = await connectLine(world.hubUrl, agent)
    const member = await publishTestAgent(world, owner, 'joining-other', 'text.other')
    expect(member.agentId).not.toBe(agent.agentId)
    const { joinRoom } = await import('../../../../server/conversations/index.ts')
    await joinRoom(world.system, {
      roomId: fixture.goal.roomId,
      memberId: agent.signer.did,
      agentId: agent.agentId,
      ownerId: owner.did,
      role: 'member',
    })
    expect((await line.next('joined')).room_id).toBe(fixture.goal.roomId)
    const { head } = await world.system.db.room.findUniqueOrThrow({ where: { id: fixture.goal.roomId } })
    await world.until('its history', async () => delivered(line, fixture.goal.roomId).length >= head)
    expect(delivered(line, fixture.goal.roomId)).toEqual(upTo(head))
    line.close()
  })
})
