import { type ConnectOptions, connect, type RoomMessage } from '@parley/agents'
import { type Envelope, pack, randomSeed, signerFromSeed } from '@parley/protocol'
import { expect, it } from 'vitest'
import { createStubHub, id, type StubHub } from '../stub-hub.ts'

const signer = await signerFromSeed(randomSeed())
const join = (hub: StubHub, options: Partial<ConnectOptions> = {}) =>
  connect({ url: hub.url, signer, backoff: { baseMs: 5, capMs: 20 }, ...options })
const received_at = '2026-01-02T03:04:05.678Z'

it('packs its frames where the server takes it, and nowhere else', async () => {
  for (const { packs, options, asked, packed } of [
    { packs: true, options: {}, asked: '1', packed: 2 },
    { packs: true, options: { packed: false as const }, asked: undefined, packed: 0 },
    { packs: false, options: {}, asked: undefined, packed: 0 },
  ]) {
    await using hub = await createStubHub()
    hub.packs = packs
    const session = await join(hub, options)
    await session.claimGoal(id('gol'))
    await session.claimGoal(id('gol'))
    expect(hub.of('hello').map((hello) => hello.packed)).toEqual([asked])
    expect([hub.packed, hub.commands('goal.claim').length]).toEqual([packed, 2])
    session.close()
  }
})

it('takes a number for the message that it has sent, and for its result', async () => {
  await using hub = await createStubHub()
  hub.packs = true
  hub.answer = () => 'silence'
  const session = await join(hub)
  const { promise: heard, resolve } = Promise.withResolvers<RoomMessage>()
  session.on('message', resolve)
  const group_id = id('rom')
  const posting = session.postMessage({ group_id, parts: [{ text: 'once is enough' }] })
  const command = await hub.until(() => hub.of('command')[0])
  hub.socket?.send(pack({ type: 'said', id: command.id, seq: 1, received_at }))
  const envelope = command.command.envelope as Envelope
  expect(await posting).toEqual({ group_id, seq: 1, id: envelope.id })
  expect((await heard).envelope).toEqual({ ...envelope, seq: 1, received_at })
  session.close()
})

it('begins a new connection after what it can’t read, and sends again what was not answered', async () => {
  await using hub = await createStubHub()
  hub.packs = true
  hub.answer = () => 'silence'
  const session = await join(hub)
  const claiming = session.claimGoal(id('gol'))
  const unreadable = [Buffer.from([0xff]), pack({ type: 'said', id: 99, seq: 1, received_at }), Buffer.from([7, 0xc0])]
  for (const [index, bytes] of unreadable.entries()) {
    await hub.until(() => hub.of('command').length === index + 1)
    hub.socket?.send(bytes)
  }
  hub.answer = () => ({ result: { goal_id: 'g' } })
  expect(await claiming).toEqual({ goal_id: 'g' })
  expect([hub.connections, hub.packed]).toEqual([4, 4])
  session.close()
})
