import { describe, expect, it } from 'vitest'
import type { Span } from '../../../server/delivery/index.ts'
import { createForeign } from '../../../server/hub/foreign.ts'
import { createPacks } from '../../../server/hub/packs.ts'
import { createLog } from '../../../server/log.ts'

// A log that counts how often it is read, and readers that note what they are given.
function open() {
  const log: { seq: number; body: string; hash: string }[] = []
  const given: [number, number][] = []
  const looked: number[] = []
  const state = { reads: 0, isBroken: false }
  const read = async ({ after, upTo }: Span) => {
    state.reads++
    if (state.isBroken) throw new RangeError('away')
    return log.filter((row) => row.seq > after && row.seq <= upTo)
  }
  const foreign = createForeign(
    createLog('test', 'silent'),
    read,
    createPacks(),
    ({ first, last }) => given.push([first, last]),
    (_, seq) => looked.push(seq),
  )
  const write = (upTo: number) => {
    for (let seq = log.length + 1; seq <= upTo; seq++)
      log.push({ seq, body: `{"group_id":"room","id":"i","parts":[],"sender_id":"s","seq":${seq}}`, hash: '' })
  }
  return { foreign, given, looked, state, write, settled: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))) }
}

describe('what another process has written', () => {
  it('is read once for all readers, however many signals tell of it, and in order', async () => {
    const { foreign, given, looked, state, write, settled } = open()
    write(2)
    foreign.heard('room', 2)
    expect(looked).toEqual([2])
    write(250)
    for (const seq of [3, 100, 250, 90]) foreign.heard('room', seq)
    await settled()
    expect(given).toEqual([
      [3, 102],
      [103, 202],
      [203, 250],
    ])
    expect(state.reads).toBe(3)
    foreign.heard('room', 250)
    await settled()
    expect(state.reads).toBe(3)
  })

  it('is read also where nothing was heard of the group before, once it is known how far its readers are', async () => {
    const { foreign, given, looked, write, settled } = open()
    write(4)
    foreign.begin('room', 4)
    foreign.begin('room', 2)
    write(6)
    foreign.heard('room', 6)
    await settled()
    expect([given, looked]).toEqual([[[5, 6]], []])
  })

  it('goes out before what was written here after it, and neither twice', async () => {
    const { foreign, given, write, settled } = open()
    expect(foreign.follows('room', 1, 1)).toBe(true)
    expect(foreign.follows('room', 2, 3)).toBe(true)
    write(6)
    // 4 and 5 are another's, and the signal of them is late.
    expect(foreign.follows('room', 6, 6)).toBe(false)
    await settled()
    expect(given).toEqual([[4, 6]])
    foreign.heard('room', 5)
    await settled()
    expect(given).toHaveLength(1)
    expect(foreign.follows('room', 7, 7)).toBe(true)
  })

  it('is left to the readers where it cannot be read, or nobody has read the group here before', async () => {
    const { foreign, given, looked, state, write, settled } = open()
    write(9)
    foreign.follows('room', 1, 1)
    state.isBroken = true
    foreign.heard('room', 9)
    await settled()
    expect([given, looked]).toEqual([[], [9]])
    foreign.forget('room')
    foreign.heard('room', 9)
    expect(looked).toEqual([9, 9])
  })
})
