import { describe, expect, it } from 'vitest'
import { corruptionOf, missingSeqs } from '../../../server/delivery/find-corrupt-messages.ts'

describe('numbers of which nothing is there', () => {
  it('are those between, and those up to the end', () => {
    expect(missingSeqs([{ seq: 3 }, { seq: 5 }], 1, 7)).toEqual([2, 4, 6, 7])
    expect(missingSeqs([], 4, 4)).toEqual([])
  })

  it.each([2 ** 53, 2 ** 63, Number.POSITIVE_INFINITY])('are none where a log is read from behind its end, at %d', (after) => {
    expect(missingSeqs([], after, after)).toEqual([])
  })
})

describe('an envelope whose hashes hold', () => {
  const sound = {
    ...{ v: '1', id: '0', room_id: 'rom_1', sender_id: 'did:web:a', state: 'discussion', type: 'discussion', seq: 1 },
    ...{ received_at: '2026-03-01T12:00:00.000Z', parts: [{ text: 'Hello.' }], sig: { alg: 'EdDSA', kid: 'did:web:a', value: 'x' } },
  }
  const poison = (change: object) => {
    const { seq = 1, ...rest } = { ...sound, ...change } as { seq?: number }
    return corruptionOf({ seq: 1, body: JSON.stringify({ seq, ...rest }), hash: '' }, 'rom_1')
  }

  it('is handed on where all that readers take for granted is there', () => {
    expect(poison({})).toBeNull()
    const artifact = { name: 'a.txt', sha256: '0'.repeat(64) }
    expect(poison({ to: ['did:web:b'], parts: [{ data: {} }, { artifact }], payment: { tx: '0x1' }, more: [null] })).toBeNull()
  })

  it.each([
    ['parts', { parts: [null] }],
    ['parts', { parts: ['text'] }],
    ['parts', { parts: [{ text: 7 }] }],
    ['parts', { parts: [{ artifact: null }] }],
    ['parts', { parts: [{ artifact: { sha256: 'x' } }] }],
    ['parts', { parts: [{ data: [] }] }],
    ['parts', { parts: {} }],
    ['sig', { sig: undefined }],
    ['sig', { sig: null }],
    ['sig', { sig: { alg: 'EdDSA', kid: 1, value: 'x' } }],
    ['to', { to: 'did:web:b' }],
    ['to', { to: [null] }],
    ['received_at', { received_at: undefined }],
    ['received_at', { received_at: 'yesterday' }],
    ['next_speakers', { next_speakers: {} }],
    ['payment', { payment: 'paid' }],
    ['type', { type: null }],
    ['sender_id', { sender_id: 7 }],
  ])('is held back for its %s: %j', (field, change) => {
    expect(poison(change)).toContain(field)
  })
})
