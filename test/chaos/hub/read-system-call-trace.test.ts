import { describe, expect, it } from 'vitest'
import { readSystemCallTrace } from '../../../chaos/hub/read-system-call-trace.ts'

const log = '7</data/pg_wal/000000010000000000000001>'
const idOf = (n: number) => `0190c0de-0000-7000-8000-00000000000${n}`
const write = (n: number) => `100 17.1 pwrite64(${log}, "\\20\\0${idOf(n)}\\0", 8192, 0) = 8192`
const sync = (result = '0') => `100 17.2 fdatasync(${log}) = ${result}`
const begunSync = `101 17.2 fdatasync(${log} <unfinished ...>`
const endedSync = '101 17.3 <... fdatasync resumed>) = 0'
const ack = (n: number) => `200 17.4 writev(21<socket:[1]>, [{iov_base="~{\\"type\\":\\"result\\",\\"id\\":\\"${idOf(n)}\\"}"}], 1) = 200`
const deliver = (n: number) =>
  `200 17.4 write(22<socket:[2]>, "~{\\"type\\":\\"deliver\\",\\"envelope\\":{\\"v\\":\\"1\\",\\"id\\":\\"${idOf(n)}\\"", 500) = 500`

describe('a trace', () => {
  it('in which all acks and deliveries follow a synced write has nothing early in it', () => {
    const lines = [write(1), sync(), deliver(1), ack(1), write(2), sync(), ack(2)]
    expect(readSystemCallTrace(lines)).toEqual({ acks: 2, deliveries: 1, syncs: 2, early: 0 })
  })

  it('may have the sync done by another process than the write', () => {
    expect(readSystemCallTrace([write(1), begunSync, endedSync, ack(1)]).early).toBe(0)
  })

  it.each([
    ['an ack before the sync', [write(1), ack(1), sync()]],
    ['a delivery before the sync', [write(1), deliver(1), sync(), ack(1)]],
    ['an ack of what was never written', [write(1), sync(), ack(2)]],
    ['a sync before the write', [sync(), write(1), ack(1)]],
    ['a sync that failed', [write(1), sync('-1 EIO (Input/output error)'), ack(1)]],
    ['a sync of another file', [write(1), '100 17.2 fdatasync(9</data/base/1/1>) = 0', ack(1)]],
    ['a sync that has not ended', [write(1), begunSync, ack(1), endedSync]],
    ['a sync that began before the write had ended', [begunSync, write(1), endedSync, ack(1)]],
  ])('with %s is caught', (_, lines) => {
    expect(readSystemCallTrace(lines).early).toBe(1)
  })

  it('is read across halves of calls that others come between', () => {
    const halves = [`100 17.1 pwrite64(${log}, "${idOf(1)}", 8192, 0 <unfinished ...>`, '300 17.1 write(1, "x", 1) = 1']
    const rest = ['100 17.2 <... pwrite64 resumed>) = 8192', begunSync, '300 17.2 write(1, "x", 1) = 1', endedSync, ack(1)]
    expect(readSystemCallTrace([...halves, ...rest])).toEqual({ acks: 1, deliveries: 0, syncs: 1, early: 0 })
  })
})
