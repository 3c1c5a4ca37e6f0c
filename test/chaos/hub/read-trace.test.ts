import { describe, expect, it } from 'vitest'
import { readTrace } from './read-trace.ts'

const log = '7</data/pg_wal/000000010000000000000001>'
const [backend, hub] = [100, 200]
const at = (index: number) => `17000000${index}.000001`
const write = (index: number) => `${backend} ${at(index)} pwrite64(${log}, "\\20"..., 8192, 0) = 8192`
const sync = (index: number, result = '0') => `${backend} ${at(index)} fdatasync(${log}) = ${result}`
const ack = (index: number) =>
  `${hub} ${at(index)} writev(21<socket:[1]>, [{iov_base="\\201~\\0\\200{\\"type\\":\\"result\\",\\"id\\":"..., iov_len=200}], 1) = 200`
const deliver = (index: number) => `${hub} ${at(index)} write(22<socket:[2]>, "\\201~\\1\\0{\\"type\\":\\"deliver\\""..., 500) = 500`
const read = (...lines: string[]) => readTrace(lines, new Set([backend]))

describe('a trace', () => {
  it('in which all acks and deliveries follow a synced write has nothing early in it', () => {
    expect(read(write(1), sync(2), deliver(3), ack(4), write(5), sync(6), ack(7))).toEqual({ acks: 2, deliveries: 1, syncs: 2, early: 0 })
  })

  it.each([
    ['an ack before the sync', [write(1), ack(2), sync(3)]],
    ['a delivery before the sync', [write(1), deliver(2), sync(3), ack(4)]],
    ['an ack for what the sync before has carried', [write(1), sync(2), ack(3), ack(4)]],
    ['a sync before the write', [sync(1), write(2), ack(3)]],
    ['a sync that failed', [write(1), sync(2, '-1 EIO (Input/output error)'), ack(3)]],
    ['a sync of another file', [write(1), `${backend} ${at(2)} fdatasync(9</data/base/1/1>) = 0`, ack(3)]],
    ['a sync that has not ended', [write(1), `${backend} ${at(2)} fdatasync(${log} <unfinished ...>`, ack(3)]],
    [
      'a sync that began before the write had ended',
      [`${backend} ${at(1)} fdatasync(${log} <unfinished ...>`, write(2), `${backend} ${at(3)} <... fdatasync resumed>) = 0`, ack(4)],
    ],
  ])('with %s is caught', (_, lines) => {
    expect(read(...lines).early).toBe(1)
  })

  it('is read across halves of calls that others come between', () => {
    const halves = [write(1), `${backend} ${at(2)} fdatasync(${log} <unfinished ...>`, `300 ${at(3)} write(1, "x", 1) = 1`]
    expect(read(...halves, `${backend} ${at(4)} <... fdatasync resumed>) = 0`, ack(5))).toEqual({
      acks: 1,
      deliveries: 0,
      syncs: 1,
      early: 0,
    })
  })
})
