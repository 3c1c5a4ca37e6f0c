import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createSubscriptions } from '../../../../server/hub/connection/subscriptions.ts'
import { createReplayBuffer } from '../../../../server/hub/fanout/replay-buffer.ts'
import { type Hub, startHub } from '../../../../server/hub/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { connectLine, connectPaused, delivered, fillInbox, listAgent, upTo } from '../bare-agent.ts'

let world: TestWorld
let owner: TestPerson
let impatient: Hub
beforeAll(async () => {
  world = await createWorld()
  owner = await world.person({ usdc: 0n })
  impatient = await startHub(
    world.world.contextFor({ kind: 'anonymous' }),
    world.world.listener,
    { host: '127.0.0.1', port: 0 },
    { slowForMs: 300 },
  )
})
afterAll(async () => {
  await impatient?.close()
  await world?.[Symbol.asyncDispose]()
})

/** Enough of these, and no socket takes them all at once. */
const longText = 'x'.repeat(60_000)

describe('a room', () => {
  it('arrives in order while it is written to, and again from any place', async () => {
    const agent = await listAgent(world, owner, 'historian')
    await fillInbox(world, agent.inboxId, 130)
    const line = await connectLine(world.hubUrl, agent)
    const writing = fillInbox(world, agent.inboxId, 30, { from: 131 })
    await writing
    await world.until('all of it', async () => delivered(line, agent.inboxId).length >= 160)
    expect(delivered(line, agent.inboxId)).toEqual(upTo(160))
    line.send({ type: 'subscribe', room_id: agent.inboxId, after: 40 })
    await world.until('the history', async () => delivered(line, agent.inboxId).length >= 280)
    expect(delivered(line, agent.inboxId).slice(160)).toEqual(upTo(160, 41))
    line.close()
  })

  it('starts over where a reader goes back in the middle of it, and has no gap from there', async () => {
    const agent = await listAgent(world, owner, 'rewinder')
    await fillInbox(world, agent.inboxId, 150, { text: longText })
    const line = await connectPaused(world.hubUrl, agent)
    line.send({ type: 'subscribe', room_id: agent.inboxId, after: 1 })
    line.send({ type: 'subscribe', room_id: agent.inboxId, after: 0 })
    // Frames are received in order, so that with this one done the others are in hand.
    line.send({ type: 'ack', room_id: agent.inboxId, seq: 1 })
    const acked = async () => (await world.system.db.cursor.findFirst({ where: { roomId: agent.inboxId } }))?.acked
    await world.until('both to be heard', async () => (await acked()) === 1)
    line.socket.resume()
    await world.until('all of it from the first on', async () => delivered(line, agent.inboxId).at(-1) === 150)
    const all = delivered(line, agent.inboxId)
    expect(all.slice(all.lastIndexOf(1))).toEqual(upTo(150))
    line.close()
  })
})

it('reads the log only up to what is still in memory, also where that begins in the middle of what it would read', async () => {
  const agent = await listAgent(world, owner, 'latecomer')
  await fillInbox(world, agent.inboxId, 150)
  const sent: number[] = []
  const socket = { bufferedAmount: 0, send: (text: string) => sent.push(JSON.parse(text).envelope.seq), close: () => undefined }
  const recent = createReplayBuffer()
  for (const [first, last] of [
    [31, 60],
    [61, 140],
    [141, 150],
  ] as const)
    recent.add({ roomId: agent.inboxId, first, last, bytes: 1, frames: () => Buffer.from(`${first} ${last}`) })
  const outlet = {
    writeFrames: (frames: Buffer) => void sent.push(...upTo(...(frames.toString().split(' ').map(Number).reverse() as [number, number]))),
  }
  const tally = { pushed: 0, fetched: 0, slow: 0, behind: 0 }
  const feed = createSubscriptions(world.system, { socket, counters: tally, replayBuffer: recent } as never, outlet as never, 1_000)
  feed.follow(agent.inboxId, 0, 150)
  await world.until('all of it', async () => sent.length >= 150 && tally.behind === 0)
  expect(sent).toEqual(upTo(150))
  expect(tally).toMatchObject({ fetched: 30, pushed: 120 })
  recent.close()
})

describe('a slow reader', () => {
  it('is cut off, and has lost nothing when it comes back', async () => {
    const agent = await listAgent(world, owner, 'sleeper')
    await fillInbox(world, agent.inboxId, 150, { text: longText })
    const log = vi.spyOn(world.system.log, 'info')
    const line = await connectPaused(`http://127.0.0.1:${impatient.port}`, agent)
    // The hub gives up by its own clock, and stops reading the log for it.
    await world.until('the hub to give up', async () =>
      log.mock.calls.some(([fields]) => (fields as { event?: string }).event === 'connection.slow_reader_closed'),
    )
    line.socket.resume()
    expect(await line.closed).toBe(4408)
    const before = delivered(line, agent.inboxId)
    expect(before).toEqual(upTo(before.length))
    expect(before.length).toBeLessThan(150)
    const again = await connectLine(world.hubUrl, agent)
    again.send({ type: 'subscribe', room_id: agent.inboxId, after: before.length })
    await world.until('the rest', async () => delivered(again, agent.inboxId).at(-1) === 150)
    const rest = delivered(again, agent.inboxId)
    expect(rest.slice(rest.lastIndexOf(before.length + 1))).toEqual(upTo(150, before.length + 1))
    again.close()
  })

  it('holds up no one else', async () => {
    const [slow, quick] = [await listAgent(world, owner, 'snail'), await listAgent(world, owner, 'hare')]
    await fillInbox(world, slow.inboxId, 120, { text: longText })
    const snail = await connectPaused(world.hubUrl, slow)
    const hare = await connectLine(world.hubUrl, quick)
    await fillInbox(world, quick.inboxId, 5)
    await world.until('the quick one’s messages', async () => delivered(hare, quick.inboxId).length === 5)
    snail.socket.terminate()
    hare.close()
  })
})

describe('a reader that inflates', () => {
  it('gets large messages compressed and small ones as they are, in their order, from the log and as they are posted', async () => {
    const hub = await startHub(
      world.world.contextFor({ kind: 'anonymous' }),
      world.world.listener,
      { host: '127.0.0.1', port: 0 },
      { deflatesLoopback: true },
    )
    const agent = await listAgent(world, owner, 'inflater')
    await fillInbox(world, agent.inboxId, 3, { text: longText })
    const line = await connectLine(`http://127.0.0.1:${hub.port}`, agent)
    expect(line.socket.extensions).toContain('permessage-deflate')
    await fillInbox(world, agent.inboxId, 2, { from: 4 })
    await fillInbox(world, agent.inboxId, 1, { from: 6, text: longText })
    await world.until('all of it', async () => delivered(line, agent.inboxId).length >= 6)
    expect(delivered(line, agent.inboxId)).toEqual(upTo(6))
    // Four of them have 60,000 letters.
    expect((line.socket as unknown as { _socket: { bytesRead: number } })._socket.bytesRead).toBeLessThan(30_000)
    line.close()
    await hub.close()
    const plain = await connectLine(world.hubUrl, agent)
    expect(plain.socket.extensions).toBe('')
    plain.close()
  })
})
