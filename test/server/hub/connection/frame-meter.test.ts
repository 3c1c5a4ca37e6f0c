import { describe, expect, it } from 'vitest'
import { createFrameMeter, type FrameLimits } from '../../../../server/hub/connection/frame-meter.ts'

const limits: FrameLimits = { messageBytes: 70_000, compressedBytes: 100, fragments: 3 }

/** A frame as a client sends it, masked with zeros. */
function frame(payload: number, { opcode = 1, isLast = true, isCompressed = false } = {}): Buffer {
  const length = payload < 126 ? [0x80 | payload] : payload < 65_536 ? [0xfe, payload >> 8, payload & 255] : [0xff, 0, 0, 0, 0]
  const rest = payload < 65_536 ? [] : [(payload >>> 24) & 255, (payload >> 16) & 255, (payload >> 8) & 255, payload & 255]
  return Buffer.concat([
    Buffer.from([(isLast ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode, ...length, ...rest, 0, 0, 0, 0]),
    Buffer.alloc(payload),
  ])
}

describe('a frame meter', () => {
  it.each([1, 2, 7, 1_000, 1_000_000])('finds the same messages in parts of %i bytes', (size) => {
    const meter = createFrameMeter()
    const wire = Buffer.concat([frame(0), frame(125), frame(126), frame(65_535), frame(65_536), frame(4, { opcode: 9 }), frame(3)])
    for (let at = 0; at < wire.length; at += size) expect(meter.read(wire.subarray(at, at + size), limits)).toBeNull()
    expect(meter).toMatchObject({ messages: 6, incompleteBytes: 0, bytes: wire.length })
  })

  it('counts what is not complete, also between fragments and behind a control frame', () => {
    const meter = createFrameMeter()
    const begun = frame(10, { isLast: false })
    meter.read(begun, limits)
    expect(meter).toMatchObject({ messages: 0, incompleteBytes: begun.length })
    const ping = frame(5, { opcode: 9 })
    meter.read(ping, limits)
    expect(meter.incompleteBytes).toBe(begun.length + ping.length)
    meter.read(frame(10, { opcode: 0 }), limits)
    expect(meter).toMatchObject({ messages: 1, incompleteBytes: 0 })
    meter.read(frame(10).subarray(0, 3), limits)
    expect(meter.incompleteBytes).toBe(3)
  })

  it('refuses by the announced length, before the payload has come', () => {
    expect(createFrameMeter().read(frame(70_001).subarray(0, 14), limits)).toBe('too large')
    expect(createFrameMeter().read(frame(101, { isCompressed: true }).subarray(0, 8), limits)).toBe('too large')
    const parts = createFrameMeter()
    parts.read(frame(40_000, { isLast: false }), limits)
    expect(parts.read(frame(30_001, { opcode: 0 }).subarray(0, 8), limits)).toBe('too large')
    const endless = Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
    expect(createFrameMeter().read(endless, limits)).toBe('too large')
  })

  it('refuses more fragments than are allowed, empty ones too, and begins to count again with each message', () => {
    const meter = createFrameMeter()
    for (let message = 0; message < 3; message++) {
      expect(meter.read(frame(0, { isLast: false }), limits)).toBeNull()
      expect(meter.read(frame(0, { opcode: 0, isLast: false }), limits)).toBeNull()
      expect(meter.read(frame(0, { opcode: 0 }), limits)).toBeNull()
    }
    for (let fragment = 0; fragment < 3; fragment++)
      expect(meter.read(frame(0, { opcode: fragment === 0 ? 1 : 0, isLast: false }), limits)).toBeNull()
    expect(meter.read(frame(0, { opcode: 0, isLast: false }), limits)).toBe('too many fragments')
  })
})
