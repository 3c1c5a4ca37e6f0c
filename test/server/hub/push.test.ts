import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import type { Context } from '../../../server/context.ts'
import { createFeed } from '../../../server/hub/feed.ts'
import { openOutlet } from '../../../server/hub/outlet.ts'
import { deliverText, textFrames } from '../../../server/hub/wire.ts'

// A socket whose reader is as slow as the test says, over a log that counts how often it is read.
function openReader() {
  const log: { seq: number; body: string }[] = []
  const came: { how: 'log' | 'live'; seq: number }[] = []
  const reads = { count: 0 }
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    closedWith: 0,
    send: (text: string) => came.push({ how: 'log', seq: seqIn(text) }),
    close(code: number) {
      socket.closedWith = code
    },
  }
  const raw = new PassThrough()
  const tally = { pushed: 0, fetched: 0, slow: 0, behind: 0 }
  raw.on('data', (bytes: Buffer) => {
    for (const [, seq] of bytes.toString().matchAll(/"seq":(\d+)/g)) came.push({ how: 'live', seq: Number(seq) })
  })
  const findMany = async ({ where, take }: { where: { seq: { gt: number } }; take: number }) => {
    reads.count++
    return log.filter((row) => row.seq > where.seq.gt).slice(0, take)
  }
  const group = { findUnique: async () => ({ head: log.at(-1)?.seq ?? 0 }) }
  const ctx = { db: { message: { findMany }, group }, log: { info: () => undefined, warn: () => undefined } } as unknown as Context
  const feed = createFeed(ctx, socket as unknown as WebSocket, openOutlet(socket as unknown as WebSocket, raw), 60, tally)
  const write = (seq: number) => log.push({ seq, body: `{"seq":${seq}}` })
  const push = (first: number, last: number) => {
    const seqs = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    for (const seq of seqs) write(seq)
    feed.push({ groupId: 'room', first, last, frames: textFrames(seqs.map((seq) => deliverText(`{"seq":${seq}}`))) })
  }
  return {
    socket,
    feed,
    came,
    reads,
    tally,
    write,
    push,
    settled: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
  }
}
const seqIn = (text: string) => Number(/"seq":(\d+)/.exec(text)?.[1])
const until = (probe: () => boolean) => expect.poll(probe).toBe(true)

describe('what was just said', () => {
  it('goes at once to a reader who has everything before it, and the log is not read for it', async () => {
    const { feed, came, reads, push, settled } = openReader()
    feed.follow('room', 0)
    await settled()
    const before = reads.count
    push(1, 2)
    push(3, 3)
    await settled()
    expect(came).toEqual([1, 2, 3].map((seq) => ({ how: 'live', seq })))
    feed.wake('room', 3)
    await settled()
    expect(reads.count).toBe(before)
  })

  it('is read from the log by who lacks something before it', async () => {
    const { feed, came, write, push, settled } = openReader()
    feed.follow('room', 0)
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
    feed.follow('room', 0)
    write(2)
    feed.wake('room', 2)
    await settled()
    feed.push({ groupId: 'room', first: 2, last: 2, frames: textFrames([deliverText('{"seq":2}')]) })
    await settled()
    expect(came.map((one) => one.seq)).toEqual([1, 2])
  })

  it('is not kept for a slow reader: it waits in the log, and the reader is cut off when it stays slow', async () => {
    const { feed, came, socket, tally, push, settled } = openReader()
    feed.follow('room', 0)
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
})
