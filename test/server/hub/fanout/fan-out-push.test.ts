import { PassThrough } from 'node:stream'
import { randomSeed, signerFromSeed } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { systemClock } from '../../../../server/clock.ts'
import type { Context } from '../../../../server/context.ts'
import { deliverFrameText, textFrames } from '../../../../server/hub/codec/frames.ts'
import { createSubscriptions } from '../../../../server/hub/connection/subscriptions.ts'
import { createWriteBuffer } from '../../../../server/hub/connection/write-buffer.ts'
import { createReplayBuffer } from '../../../../server/hub/fanout/replay-buffer.ts'
import { createIds } from '../../../../server/ids.ts'

// A socket whose reader is as slow as the test sets, over a log that counts how often it is read.
const room = `rom_${'1'.repeat(32)}`
const signer = await signerFromSeed(randomSeed())

/** `isKept`: what was just given out is available. */
function openReader(isKept = false) {
  const replayBuffer = createReplayBuffer()
  const log: { seq: number; body: string }[] = []
  const came: { how: 'log' | 'live'; seq: number }[] = []
  const reads = { count: 0 }
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    closedWith: 0,
    unsendable: 0,
    send(text: string) {
      if (text.includes(`"id":"m${socket.unsendable}"`)) throw new Error('no such frame')
      came.push({ how: 'log', seq: seqIn(text) })
    },
    close(code: number) {
      socket.closedWith = code
    },
  }
  const raw = new PassThrough()
  const counters = { pushed: 0, fetched: 0, slow: 0, behind: 0 }
  raw.on('data', (bytes: Buffer) => {
    for (const [, seq] of bytes.toString().matchAll(/"seq":(\d+)/g)) came.push({ how: 'live', seq: Number(seq) })
  })
  // A page of the log, by the values of its query: the first is after which message, the sixth how many at most.
  const $queryRaw = async (_text: TemplateStringsArray, ...values: (string | number)[]) => {
    reads.count++
    const [after, limit] = [Number(values[0]), Number(values[5])]
    const rows = log.filter((row) => row.seq > after).slice(0, limit)
    return rows.map((row) => ({ ...row, hash: '', before: '', end: rows.at(-1)?.seq }))
  }
  const group = { findUnique: async () => ({ head: log.at(-1)?.seq ?? 0, hash: null }) }
  const held: { seq: number; reason: string }[] = []
  const messageDeadLetter = {
    findUnique: async () => null,
    upsert: async ({ create }: { create: { seq: number; reason: string } }) => {
      held.push(create)
      return create
    },
  }
  const ctx = {
    db: { $queryRaw, room: group, messageDeadLetter },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    clock: systemClock,
    ids: createIds(systemClock),
    ports: { signer },
    market: { serverDid: signer.did },
  } as unknown as Context
  const ws = socket as unknown as WebSocket
  const feed = createSubscriptions(ctx, { socket: ws, counters, replayBuffer }, createWriteBuffer(ws, raw), 60)
  const write = (seq: number) => log.push({ seq, body: bodyOf(seq) })
  const push = (first: number, last: number) => {
    const seqs = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    for (const seq of seqs) write(seq)
    const frames = () => textFrames(seqs.map((seq) => deliverFrameText(`{"seq":${seq}}`)))
    const live = { roomId: room, first, last, bytes: 0, frames }
    if (!feed.deliver(live) && isKept) replayBuffer.add(live)
  }
  return {
    socket,
    feed,
    came,
    reads,
    tally: counters,
    held,
    write,
    push,
    settled: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
  }
}
/** An envelope with all that a reader needs of one. */
function bodyOf(seq: number): string {
  const sig = { alg: 'none', kid: 'k', value: 'v' }
  const content = { parts: [], received_at: '2026-01-01T00:00:00Z', sender_id: 's', seq, sig }
  return JSON.stringify({ room_id: room, id: `m${seq}`, ...content, state: 'discussion', type: 'discussion' })
}
const seqIn = (text: string) => Number(/"seq":(\d+)/.exec(text)?.[1])
const until = (probe: () => boolean) => expect.poll(probe).toBe(true)

describe('a new message', () => {
  it('goes at once to a reader who has everything before it, and the log is not read for it', async () => {
    const { feed, came, reads, push, settled } = openReader()
    feed.follow(room, 0)
    await settled()
    const before = reads.count
    push(1, 2)
    push(3, 3)
    await settled()
    expect(came).toEqual([1, 2, 3].map((seq) => ({ how: 'live', seq })))
    feed.noteHead(room, 3)
    await settled()
    expect(reads.count).toBe(before)
  })

  it('is read from the log by who lacks something before it', async () => {
    const { feed, came, write, push, settled } = openReader()
    feed.follow(room, 0)
    await settled()
    write(1)
    push(2, 3)
    await settled()
    expect(came).toEqual([1, 2, 3].map((seq) => ({ how: 'log', seq })))
    push(4, 4)
    await settled()
    expect(came.at(-1)).toEqual({ how: 'live', seq: 4 })
  })

  it('comes once to who has read it from the log already, and not at all to who does not follow the room', async () => {
    const { feed, came, write, push, settled } = openReader()
    push(1, 1)
    await settled()
    expect(came).toEqual([])
    feed.follow(room, 0)
    write(2)
    feed.noteHead(room, 2)
    await settled()
    feed.deliver({ roomId: room, first: 2, last: 2, bytes: 0, frames: () => textFrames([deliverFrameText('{"seq":2}')]) })
    await settled()
    expect(came.map((one) => one.seq)).toEqual([1, 2])
  })

  it('is not passed over in a room that is expected, and no log is read where nothing was posted', async () => {
    const { feed, came, reads, write, push, settled } = openReader()
    write(1)
    feed.expect([room])
    feed.follow(room, 1, 1)
    await settled()
    expect(reads.count).toBe(0)
    push(2, 2)
    await settled()
    // Between the asking for its end and the answer.
    feed.expect([room])
    push(3, 3)
    feed.follow(room, 2, 2)
    await settled()
    feed.expect([room])
    write(4)
    feed.noteHead(room, 4)
    feed.follow(room, 3, 3)
    await settled()
    feed.follow(room, 3, 4)
    await settled()
    expect(came).toEqual([
      { how: 'live', seq: 2 },
      { how: 'log', seq: 3 },
      { how: 'log', seq: 4 },
      { how: 'log', seq: 4 },
    ])
  })

  it('is not kept for a slow reader: it waits in the log, and the reader is cut off when it stays slow', async () => {
    const { feed, came, socket, tally, push, settled } = openReader()
    feed.follow(room, 0)
    await settled()
    socket.bufferedAmount = 300_000
    push(1, 50)
    await settled()
    expect(came).toEqual([])
    socket.bufferedAmount = 0
    await until(() => came.length === 50)
    expect(came.every((one) => one.how === 'log')).toBe(true)
    socket.bufferedAmount = 300_000
    push(51, 51)
    await until(() => socket.closedWith !== 0)
    expect(socket.closedWith).toBe(4408)
    expect(came).toHaveLength(50)
    await until(() => tally.behind === 0)
    expect(tally).toEqual({ pushed: 0, fetched: 50, slow: 1, behind: 0 })
  })

  it('comes from memory, in its order, to a reader that was late for a moment', async () => {
    const { feed, came, reads, socket, push, write, settled } = openReader(true)
    feed.follow(room, 0, 0)
    socket.bufferedAmount = 300_000
    for (let seq = 1; seq <= 50; seq += 2) push(seq, seq + 1)
    await settled()
    expect(came).toEqual([])
    socket.bufferedAmount = 0
    await until(() => came.length === 50)
    expect(came).toEqual(Array.from({ length: 50 }, (_, index) => ({ how: 'live', seq: index + 1 })))
    // Once, to see that nothing follows.
    expect(reads.count).toBeLessThanOrEqual(1)
    // What another process has written meanwhile is not among them.
    socket.bufferedAmount = 300_000
    push(51, 52)
    write(53)
    push(54, 54)
    socket.bufferedAmount = 0
    await until(() => came.length === 54)
    const seqs = came.slice(50).map(({ seq }) => seq)
    expect(seqs.sort((a, b) => a - b)).toEqual([51, 52, 53, 54])
  })

  it('continues behind a message that can’t be sent, with a placeholder in its place', async () => {
    const { socket, feed, came, held, write } = openReader()
    socket.unsendable = 2
    for (const seq of [1, 2, 3]) write(seq)
    feed.follow(room, 0)
    await until(() => came.length === 3)
    expect(came.map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(held).toMatchObject([{ seq: 2, reason: expect.stringContaining('no such frame') }])
  })
})
