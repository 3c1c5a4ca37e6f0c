import { describe, expect, it } from 'vitest'
import type { SeqRange } from '../../../../server/delivery/index.ts'
import { createInOrderDelivery } from '../../../../server/hub/fanout/in-order-delivery.ts'
import { createLog } from '../../../../server/log.ts'

// A log that counts how often it is read, and readers that note what they are given.
function open() {
  const log: { seq: number; body: string; hash: string }[] = []
  const given: [number, number][] = []
  /** The numbers in its description. */
  const numbers: number[] = []
  const looked: number[] = []
  const state = { reads: 0, isBroken: false }
  const read = async ({ after, upTo }: SeqRange) => {
    state.reads++
    if (state.isBroken) throw new RangeError('away')
    return log.filter((row) => row.seq > after && row.seq <= upTo)
  }
  const foreign = createInOrderDelivery({
    log: createLog('test', 'silent'),
    read,
    deliver({ first, last, frames }) {
      given.push([first, last])
      for (const [, seq] of frames(false)
        .toString()
        .matchAll(/"seq":(\d+)/g))
        numbers.push(Number(seq))
    },
    notifyReaders: (_, seq) => looked.push(seq),
  })
  const write = (upTo: number) => {
    for (let seq = log.length + 1; seq <= upTo; seq++)
      log.push({ seq, body: `{"room_id":"room","id":"i","parts":[],"sender_id":"s","seq":${seq}}`, hash: '' })
  }
  return {
    foreign,
    given,
    numbers,
    looked,
    state,
    write,
    settled: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
  }
}

const own = (...seqs: number[]) => seqs.map((seq) => Buffer.from(`{"seq":${seq}}`))

describe('what another process has written', () => {
  it('is read once for all readers, for any number of signals, and in order', async () => {
    const { foreign, given, looked, state, write, settled } = open()
    write(2)
    foreign.noteHead('room', 2)
    expect(looked).toEqual([2])
    write(250)
    for (const seq of [3, 100, 250, 90]) foreign.noteHead('room', seq)
    await settled()
    expect(given).toEqual([
      [3, 102],
      [103, 202],
      [203, 250],
    ])
    expect(state.reads).toBe(3)
    foreign.noteHead('room', 250)
    await settled()
    expect(state.reads).toBe(3)
  })

  it('is read also without an earlier signal of the room, once it is known how far its readers are', async () => {
    const { foreign, given, looked, write, settled } = open()
    write(4)
    foreign.track('room', 4)
    foreign.track('room', 2)
    write(6)
    foreign.noteHead('room', 6)
    await settled()
    expect([given, looked]).toEqual([[[5, 6]], []])
  })

  it('goes out before what was written here after it, and neither twice', async () => {
    const { foreign, given, write, settled } = open()
    foreign.accept('room', 1, own(1))
    foreign.accept('room', 2, own(2, 3))
    expect(given).toEqual([
      [1, 1],
      [2, 3],
    ])
    write(6)
    // 4 and 5 are another's, and the signal of them is late.
    foreign.accept('room', 6, own(6))
    expect(given).toHaveLength(2)
    await settled()
    expect(given.slice(2)).toEqual([
      [4, 5],
      [6, 6],
    ])
    foreign.noteHead('room', 5)
    foreign.accept('room', 5, own(5, 6))
    await settled()
    expect(given).toHaveLength(4)
    foreign.accept('room', 7, own(7))
    foreign.accept('room', 6, own(6, 7, 8))
    expect(given.slice(4)).toEqual([
      [7, 7],
      [8, 8],
    ])
  })

  it('that comes while it is read goes out behind it, without being read as well', async () => {
    const { foreign, given, state, write, settled } = open()
    foreign.track('room', 0)
    write(4)
    foreign.noteHead('room', 2)
    // Two that read, and talk that continues: it is never more than one reading late.
    foreign.accept('room', 3, own(3))
    foreign.accept('room', 4, own(4))
    foreign.accept('room', 5, own(5))
    await settled()
    expect(given).toEqual([
      [1, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ])
    expect(state.reads).toBe(1)
  })

  it('that comes partly again while it is read goes out once', async () => {
    const { foreign, given, numbers, write, settled } = open()
    foreign.track('room', 0)
    write(2)
    foreign.noteHead('room', 2)
    await null
    foreign.accept('room', 2, own(2, 3, 4))
    await settled()
    expect(given).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(numbers).toEqual([1, 2, 3, 4])
  })

  it('that is too much to be kept is read', async () => {
    const { foreign, given, state, write, settled } = open()
    foreign.track('room', 0)
    write(3)
    foreign.noteHead('room', 1)
    foreign.accept('room', 2, [Buffer.alloc(2_000_000)])
    foreign.accept('room', 3, own(3))
    await settled()
    // The last one was kept, and waits for those that are read.
    expect([given, state.reads]).toEqual([
      [
        [1, 2],
        [3, 3],
      ],
      1,
    ])
  })

  it('is left to the readers where it cannot be read, or no one has read the room here before', async () => {
    const { foreign, given, looked, state, write, settled } = open()
    write(9)
    foreign.accept('room', 1, own(1))
    state.isBroken = true
    foreign.noteHead('room', 9)
    await settled()
    expect([given, looked]).toEqual([[[1, 1]], [9]])
    foreign.untrack('room')
    foreign.noteHead('room', 9)
    expect(looked).toEqual([9, 9])
  })
})
