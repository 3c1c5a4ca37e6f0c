import { type AgentSession, type ConnectOptions, connect, type ProblemError, type RoomMessage } from '@parley/agents'
import { deadLetteredKind, type Envelope, randomSeed, type Signer, sha256, signerFromSeed, verifyEnvelope } from '@parley/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { charterOf } from '../charters.ts'
import { createStubHub, id, problem, type StubHub, uuid } from '../stub-hub.ts'

let signer: Signer
let peer: Signer

beforeEach(async () => {
  signer = await signerFromSeed(randomSeed())
  peer = await signerFromSeed(randomSeed())
})

const backoff = { baseMs: 5, capMs: 20 }
const join = (hub: StubHub, options: Partial<ConnectOptions> = {}) => connect({ url: hub.url, signer, backoff, ...options })
const text = (value: string) => [{ text: value }]

/** Collects messages and resolves at a given count. */
function collect(session: AgentSession, from?: string) {
  const all: RoomMessage[] = []
  const waits: { count: number; resolve: () => void }[] = []
  session.on('message', (message) => {
    if (from && message.envelope.room_id !== from) return
    all.push(message)
    for (const wait of waits) if (all.length >= wait.count) wait.resolve()
  })
  return {
    all,
    seqs: () => all.map((message) => message.envelope.seq),
    count: (count: number) => (all.length >= count ? Promise.resolve() : new Promise<void>((resolve) => waits.push({ count, resolve }))),
  }
}

describe('connect', () => {
  it('rejects with the problem when the server refuses the key permanently', async () => {
    await using hub = await createStubHub()
    hub.refusals.push(problem('listing.key_bound'))
    await expect(join(hub)).rejects.toMatchObject({ name: 'ProblemError', code: 'listing.key_bound' })
    expect(hub.connections).toBe(1)
  })

  it('comes again when the server asks to retry later', async () => {
    await using hub = await createStubHub()
    hub.refusals.push(problem('server.unavailable', 'later'), problem('auth.nonce_invalid', 'later'))
    const session = await join(hub)
    expect(hub.connections).toBe(3)
    session.close()
  })

  it('refuses a server other than the expected one', async () => {
    await using hub = await createStubHub()
    await expect(join(hub, { server: peer.did })).rejects.toMatchObject({ code: 'session.server_changed' })
    expect(hub.of('hello')).toEqual([])
  })

  it('proves its key and shows the token until it is welcomed, and not again', async () => {
    await using hub = await createStubHub()
    const session = await join(hub, { token: 'tok' })
    expect(session).toMatchObject({ did: signer.did, agent_id: hub.agent_id, inbox: hub.inbox, server: hub.signer.did, handle: 'tester' })
    hub.socket?.terminate()
    await hub.until(() => hub.of('hello').length === 2)
    expect(hub.of('hello').map((hello) => hello.token)).toEqual(['tok', undefined])
    session.close()
  })

  it('waits for a server that is not there yet', async () => {
    const port = await createStubHub()
    const { url } = port
    await port[Symbol.asyncDispose]()
    const abort = new AbortController()
    const connecting = connect({ url, signer, backoff, signal: abort.signal })
    abort.abort()
    await expect(connecting).rejects.toMatchObject({ code: 'session.closed' })
  })
})

describe('delivery', () => {
  it('hands over each room in its order, once, and acks what has been handled', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    for (const word of ['a', 'b', 'c']) await hub.postMessage(room, text(word))
    const session = await join(hub)
    const seen = collect(session, room)
    await seen.count(3)
    for (const envelope of hub.rooms.get(room)?.messages ?? []) hub.write({ type: 'deliver', envelope })
    await hub.postMessage(room, text('d'))
    await seen.count(4)
    expect(seen.seqs()).toEqual([1, 2, 3, 4])
    await hub.until(() => hub.rooms.get(room)?.acked === 4)
    session.close()
  })

  it('does not begin with a message before the listeners of the one before have finished', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    await hub.postMessage(room, text('a'))
    await hub.postMessage(room, text('b'))
    const gate = Promise.withResolvers<void>()
    const steps: string[] = []
    const session = await join(hub)
    session.on('message', async ({ envelope }) => {
      if (envelope.room_id !== room) return
      steps.push(`begin ${envelope.seq}`)
      if (envelope.seq === 1) await gate.promise
      steps.push(`end ${envelope.seq}`)
    })
    const other = id('rom')
    const elsewhere = collect(session, other)
    await hub.postMessage(other, text('elsewhere'))
    await elsewhere.count(1)
    expect(steps).toEqual(['begin 1'])
    expect(hub.rooms.get(room)?.acked).toBe(0)
    gate.resolve()
    await hub.until(() => hub.rooms.get(room)?.acked === 2)
    expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2'])
    session.close()
  })

  it('asks again for what is missing and continues in order', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    const session = await join(hub)
    const seen = collect(session, room)
    hub.passes = (envelope) => envelope.seq !== 2
    for (const word of ['a', 'b', 'c', 'd']) await hub.postMessage(room, text(word))
    await seen.count(4)
    expect(seen.seqs()).toEqual([1, 2, 3, 4])
    expect(hub.of('subscribe')).toEqual([{ type: 'subscribe', room_id: room, after: 1 }])
    session.close()
  })

  it('takes up every room where it stood after the connection is lost', async () => {
    await using hub = await createStubHub()
    const [one, two] = [id('rom'), id('rom')]
    const session = await join(hub)
    const seen = collect(session)
    await hub.postMessage(one, text('a'))
    await hub.postMessage(two, text('b'))
    await seen.count(2)
    hub.socket?.terminate()
    hub.socket = undefined
    await hub.postMessage(one, text('c'))
    await hub.postMessage(two, text('d'))
    await seen.count(4)
    expect(seen.all.map(({ envelope }) => envelope.parts[0]?.text).sort()).toEqual(['a', 'b', 'c', 'd'])
    await hub.until(() => hub.rooms.get(one)?.acked === 2 && hub.rooms.get(two)?.acked === 2)
    session.close()
  })

  it('leaves out a message that its sender did not sign, reports it, and continues', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    const problems: string[] = []
    const session = await join(hub, { on: { problem: (one) => void problems.push(one.code) } })
    const seen = collect(session, room)
    const posted = await hub.postMessage(room, text('good'), {}, peer)
    hub.put({ ...posted, id: uuid(), parts: text('something else') })
    hub.put({ ...posted, v: '2' } as unknown as Envelope)
    await hub.postMessage(room, text('good too'))
    await seen.count(2)
    expect(seen.all.map(({ envelope }) => envelope.parts[0]?.text)).toEqual(['good', 'good too'])
    expect(problems).toEqual(['envelope.signature_invalid', 'session.message_unreadable'])
    await hub.until(() => hub.rooms.get(room)?.acked === 4)
    session.close()
  })

  it('passes by what stands for a message that can’t be delivered, reports it, and believes only the server in that', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    const problems: string[] = []
    const session = await join(hub, { on: { problem: (one) => void problems.push(one.code) } })
    const seen = collect(session, room)
    const placeholder = (seq: number) => [{ data: { kind: deadLetteredKind, seq } }]
    await hub.postMessage(room, text('a'))
    await hub.postMessage(room, placeholder(2))
    await hub.postMessage(room, placeholder(3), {}, peer)
    await hub.postMessage(room, placeholder(1))
    await seen.count(3)
    expect(seen.seqs()).toEqual([1, 3, 4])
    expect(problems).toEqual(['session.message_quarantined'])
    await hub.until(() => hub.rooms.get(room)?.acked === 4)
    session.close()
  })

  it('reports a listener that throws, and counts the message as handled', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    const errors: unknown[] = []
    const session = await join(hub, { on: { error: (error) => void errors.push(error) } })
    const fault = new TypeError('broken listener')
    session.on('message', () => Promise.reject(fault))
    await hub.postMessage(room, text('a'))
    await hub.until(() => hub.rooms.get(room)?.acked === 1)
    expect(errors).toEqual([fault])
    session.close()
  })

  it('lets work run beside the room, and acks up to the first that is unfinished', async () => {
    await using hub = await createStubHub()
    const room = id('rom')
    const gate = Promise.withResolvers<void>()
    const session = await join(hub, { on: { task: () => gate.promise } })
    const seen = collect(session, room)
    await hub.postMessage(room, text('a'))
    const data = { kind: 'task', step: 1, skill_id: 'text.shout', inputs: [] }
    await hub.postMessage(room, [{ data }], { type: 'async_task_assignment', task_id: id('tsk'), to: [signer.did] }, peer)
    await hub.postMessage(room, text('c'))
    await seen.count(3)
    await hub.until(() => hub.rooms.get(room)?.acked === 1)
    gate.resolve()
    await hub.until(() => hub.rooms.get(room)?.acked === 3)
    session.close()
  })

  it('stops when a newer connection takes over', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    const fenced = new Promise((resolve) => session.on('fenced', resolve))
    hub.write({ type: 'fenced' })
    expect(await fenced).toMatchObject({ code: 'session.fenced' })
    await expect(session.claimGoal(id('gol'))).rejects.toMatchObject({ code: 'session.fenced' })
    expect(hub.connections).toBe(1)
  })

  it('answers pings', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    hub.write({ type: 'ping' })
    await hub.until(() => hub.of('pong').length === 1)
    hub.write({ type: 'frame_of_a_later_version', id: 1 })
    hub.socket?.send('{')
    hub.socket?.send(Buffer.from([0x00, 0xe1]))
    hub.write({ type: 'ping' })
    await hub.until(() => hub.of('pong').length === 2)
    session.close()
  })
})

describe('send', () => {
  it('signs the message that the command leaves in its room', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    const charter = charterOf({ principal: peer.did, members: [{ did: signer.did, skill_id: 'text.shout' }] })
    const { goal_id, room_id } = charter
    const charter_hash = `0x${'a'.repeat(64)}`
    await session.acceptTeam({ goal_id, room_id, charter_hash })
    const [command] = hub.commands('team.accept')
    expect(command).toMatchObject({ goal_id, charter_hash })
    expect(command).not.toHaveProperty('room_id')
    const envelope = command?.envelope as Envelope
    expect(envelope).toMatchObject({ room_id, sender_id: signer.did, type: 'accept', state: 'discussion' })
    expect(envelope.parts[0]?.data).toEqual({ kind: 'charter.accept', charter_hash })
    expect(await verifyEnvelope(envelope, hub.signer.did)).toBe(true)
    session.close()
  })

  it('names what it uploads by its hash', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    const [task_id, room_id] = [id('tsk'), id('rom')]
    const file = { name: 'a.txt', media_type: 'text/plain', artifact_type: 'text.shout' }
    await session.completeTask({ task_id, room_id, text: 'Done.', artifacts: [{ ...file, content: btoa('HELLO') }] })
    const envelope = hub.commands('task.complete')[0]?.envelope as Envelope
    const hash = await sha256(new TextEncoder().encode('HELLO'))
    expect(envelope.parts).toEqual([{ text: 'Done.' }, { artifact: { ...file, sha256: hash, size: 5 } }])
    expect(envelope).toMatchObject({ type: 'task_result', task_id })
    session.close()
  })

  it('repeats an unanswered command after a reconnect, byte for byte', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    hub.answer = () => 'silence'
    const asking = session.failTask({ task_id: id('tsk'), room_id: id('rom'), reason: 'no' })
    await hub.until(() => hub.of('command').length === 1)
    hub.answer = () => ({ result: { ok: true } })
    hub.socket?.terminate()
    expect(await asking).toEqual({ ok: true })
    const [first, second, ...more] = hub.of('command')
    expect(second).toEqual(first)
    expect(more).toEqual([])
    session.close()
  })

  it('asks again where the trouble passes, and rejects where it does not', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    let times = 0
    hub.answer = () => (++times < 3 ? { problem: { code: 'rate.exceeded', retry: 'later' } } : { result: { offer: {} } })
    await session.claimGoal(id('gol'))
    expect(times).toBe(3)
    hub.answer = () => ({ problem: { code: 'goal.already_claimed' } })
    await expect(session.claimGoal(id('gol'))).rejects.toMatchObject({
      code: 'goal.already_claimed',
      retry: 'never',
    } satisfies Partial<ProblemError>)
    session.close()
  })

  it('refuses what no frame carries, and a room it can not know, before asking', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    const part = { text: 'x'.repeat(65_536) }
    await expect(session.postMessage({ room_id: id('rom'), parts: Array.from({ length: 65 }, () => part) })).rejects.toThrow()
    await expect(session.failTask({ task_id: id('tsk'), reason: 'no' })).rejects.toMatchObject({ code: 'session.room_unknown' })
    await expect(session.send({ type: 'listing.discover', query: { text: 'x'.repeat(9_000_000) } })).rejects.toMatchObject({
      code: 'session.frame_too_large',
    })
    expect(hub.of('command')).toEqual([])
    session.close()
  })

  it('runs no further ahead of the server than it has shown to have read', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    const asked = Array.from({ length: 200 }, () => session.claimGoal(id('gol')))
    hub.answersPings = false
    await hub.until(() => hub.of('command').length >= 39)
    hub.socket?.ping()
    await new Promise((resolve) => hub.socket?.once('pong', resolve))
    expect(hub.of('command').length).toBeLessThanOrEqual(40)
    hub.answersPings = true
    hub.write({ type: 'pong' })
    await Promise.all(asked)
    expect(hub.of('command')).toHaveLength(200)
    session.close()
  })

  it('rejects what is unanswered when the session is closed', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    hub.answer = () => 'silence'
    const asking = session.claimGoal(id('gol'))
    session.close()
    await expect(asking).rejects.toMatchObject({ code: 'session.closed' })
  })

  it('assigns a step by the charter of the room', async () => {
    await using hub = await createStubHub()
    const charter = charterOf({ principal: signer.did, members: [{ did: peer.did, skill_id: 'text.shout', mode: 'async' }] })
    const { goal_id, room_id } = charter
    const session = await join(hub)
    const seen = collect(session, room_id)
    await session.proposeTeam({ goal_id, charter })
    hub.put(hub.commands('team.propose')[0]?.envelope as Envelope)
    await seen.count(1)
    const task_id = id('tsk')
    await session.assignTask({ goal_id, task_id, step: 1, inputs: [] })
    expect(hub.commands('task.assign')[0]?.envelope).toMatchObject({
      type: 'async_task_assignment',
      state: 'task_assignment',
      mode: 'async',
      task_id,
      to: [peer.did],
      parts: [{ data: { kind: 'task', task_id, step: 1, skill_id: 'text.shout', inputs: [] } }],
    })
    await expect(session.assignTask({ goal_id, task_id, step: 2 })).rejects.toMatchObject({ code: 'session.step_unknown' })
    session.close()
  })

  it('refuses an artifact whose bytes are not those that the hash names', async () => {
    await using hub = await createStubHub()
    const session = await join(hub)
    hub.answer = () => ({ result: { artifact: {}, content: btoa('other') } })
    await expect(session.getArtifact({ room_id: id('rom'), sha256: '0'.repeat(64) })).rejects.toMatchObject({
      code: 'session.artifact_differs',
    })
    const { bytes } = await session.getArtifact({ room_id: id('rom'), sha256: await sha256(new TextEncoder().encode('other')) })
    expect(new TextDecoder().decode(bytes)).toBe('other')
    session.close()
  })
})
