import { constants, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { deflatedFrame, deflateThresholdBytes, sharedFrames, textFrames } from '../../../../server/hub/codec/frames.ts'

/** The payloads of frames, and whether each was compressed. */
function readFrames(bytes: Buffer): { text: string; isSqueezed: boolean }[] {
  const found: { text: string; isSqueezed: boolean }[] = []
  for (let at = 0; at < bytes.length; ) {
    const isSqueezed = bytes[at] === 0xc1
    expect([0x81, 0xc1]).toContain(bytes[at])
    const short = bytes[at + 1] ?? 0
    const [length, head] =
      short < 126 ? [short, 2] : short === 126 ? [bytes.readUInt16BE(at + 2), 4] : [Number(bytes.readBigUInt64BE(at + 2)), 10]
    const payload = bytes.subarray(at + head, at + head + length)
    const inflated = isSqueezed
      ? inflateRawSync(Buffer.concat([payload, Buffer.from([0, 0, 0xff, 0xff])]), { finishFlush: constants.Z_SYNC_FLUSH })
      : payload
    found.push({ text: inflated.toString(), isSqueezed })
    at += head + length
  }
  return found
}

const noise = (length: number) => Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * index * 7919) % 89))).join('')

describe('deflatedFrame', () => {
  it('is what a reader inflates, for any length, and nothing where a message is small', () => {
    expect(deflatedFrame('x'.repeat(deflateThresholdBytes - 1))).toBeNull()
    for (const text of ['x'.repeat(deflateThresholdBytes), `{"täxt":"${noise(9_000)}"}`, noise(300_000) + 'ü'.repeat(100_000)]) {
      const frame = deflatedFrame(text)
      expect(readFrames(frame ?? Buffer.alloc(0))).toEqual([{ text, isSqueezed: true }])
      expect(frame?.length).toBeLessThan(text.length)
    }
  })
})

describe('sharedFrames', () => {
  it('makes each kind once, squeezes only what is large, and keeps the order', () => {
    const texts = ['small', 'l'.repeat(5_000), 'also small']
    const frames = sharedFrames(texts.map((text) => Buffer.from(text)))
    const delivered = (text: string) => `{"type":"deliver","envelope":${text}}`
    expect(readFrames(frames(false))).toEqual(texts.map((text) => ({ text: delivered(text), isSqueezed: false })))
    expect(readFrames(frames(true))).toEqual(texts.map((text) => ({ text: delivered(text), isSqueezed: text.length > 1_000 })))
    expect(frames(true)).toBe(frames(true))
    expect(sharedFrames([Buffer.from('small')])(true)).toEqual(textFrames([delivered('small')]))
  })
})
