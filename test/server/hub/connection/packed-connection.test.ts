import {
  canonicalize,
  chainHash,
  type DeliveredEnvelope,
  type Envelope,
  type Json,
  randomSeed,
  signEnvelope,
  signerFromSeed,
  uuidv7,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { createPackedCodec } from '../../../../agents/src/transport/packed-codec.ts'
import { createPackedEncoder } from '../../../../server/hub/codec/packed-encoder.ts'
import { createPackedConnection } from '../../../../server/hub/connection/packed-connection.ts'
import type { WriteBuffer } from '../../../../server/hub/connection/write-buffer.ts'

// Two ends of a connection without a wire between them, over rooms that the test writes.
const room = `rom_${'1'.repeat(32)}`
const [ada, ben] = await Promise.all([signerFromSeed(randomSeed()), signerFromSeed(randomSeed())])
const newId = () => uuidv7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
type Frame = { type: string; [field: string]: unknown }

async function say(by: typeof ada, text: string, more: object = {}) {
  return signEnvelope(by, {
    id: newId(),
    group_id: room,
    sender_id: by.did,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text }],
    ...more,
  })
}

/** The log of one room, as the hub writes it. */
function openLog() {
  let seq = 0
  return (envelope: Envelope): string => canonicalize({ ...envelope, seq: ++seq, received_at: new Date().toISOString() } as Json)
}

function openPair(packedEncoder = createPackedEncoder(), did: string = ada.did) {
  const far = createPackedCodec()
  const came: { bytes: number; frames: Frame[] }[] = []
  const outlet: WriteBuffer = {
    writeFrames(frame) {
      const head = (frame[1] ?? 0) < 126 ? 2 : 4
      came.push({ bytes: frame.length, frames: far.decode(frame.subarray(head)) as Frame[] })
    },
    writeText: (text) => void came.push({ bytes: text.length, frames: [JSON.parse(text)] }),
    flush: () => undefined,
  }
  const socket = { OPEN: 1, readyState: 1, extensions: '' } as unknown as WebSocket
  const near = createPackedConnection({ packedEncoder, socket }, outlet, did)
  const frames = () => came.flatMap((one) => one.frames)
  return {
    packs: packedEncoder,
    near,
    far,
    came,
    delivered: () => frames().flatMap((frame) => (frame.type === 'deliver' ? [frame.envelope as DeliveredEnvelope] : [])),
    results: () => frames().filter((frame) => frame.type === 'result'),
    /** A command goes up; what it is to the hub. */
    send(id: number, command: object) {
      const packed = far.encode(JSON.stringify({ type: 'command', id, command }))
      if (typeof packed === 'string') throw new Error('not packed')
      const frame = near.decode(packed) as { type: 'command'; id: number; command: { type: string } }
      near.noteCommand(frame)
      return { frame, bytes: packed.length }
    },
  }
}

const canonical = (value: unknown) => canonicalize(value as Json)

describe('a packed connection', () => {
  it('hears each message as it is in the log, bit for bit, so that the chain of hashes holds', async () => {
    const { packs, near, delivered } = openPair()
    const write = openLog()
    const bodies: string[] = []
    let hash = '0'.repeat(64)
    for (const by of [ben, ben, ada, ben]) {
      const odd = { 'x-later': { deep: [1.5, -3, null, 'é 字'] }, deadline: '2026-02-03T04:05:06Z', next_speakers: [ada.did, ben.did] }
      const body = write(await say(by, `What ${by.did} says.`, odd))
      bodies.push(body)
      near.deliver([packs.encode(room, body)])
      hash = await chainHash(hash, JSON.parse(body))
    }
    expect(delivered().map(canonical)).toEqual(bodies)
    let chained = '0'.repeat(64)
    for (const envelope of delivered()) chained = await chainHash(chained, envelope)
    expect(chained).toBe(hash)
  })

  it('is told a room’s words once, and what is new of them before it is used', async () => {
    const { packs, near, came } = openPair()
    const write = openLog()
    for (const text of ['one', 'two', 'six']) near.deliver([packs.encode(room, write(await say(ben, text)))])
    expect(came.map(({ frames }) => frames.length)).toEqual([0, 1, 1, 1])
    expect(came[1]?.bytes).toBe(came[3]?.bytes)
    near.deliver([packs.encode(room, write(await say(ben, 'ten', { next_speakers: [ada.did] })))])
    expect(came.map(({ frames }) => frames.length)).toEqual([0, 1, 1, 1, 0, 1])
  })

  it('shares what is packed with all others of the room, also with who comes later', async () => {
    const one = openPair()
    const write = openLog()
    const bodies = await Promise.all(['one', 'two'].map((text) => say(ben, text)))
    const stored = bodies.map((envelope) => write(envelope))
    const run = one.packs.encodeLazily(room, stored)
    one.near.deliver(run())
    const other = openPair(one.packs)
    other.near.deliver(run())
    expect(run()).toBe(run())
    expect([one, other].map((pair) => pair.delivered().map(canonical))).toEqual([stored, stored])
  })

  it('uses the room’s words upwards too, and only those that it was told', async () => {
    const { packs, near, far, send } = openPair()
    const write = openLog()
    const first = send(1, { type: 'message.post', group_id: room, envelope: await say(ada, 'hello') })
    near.deliver([packs.encode(room, write(await say(ben, 'welcome')))])
    near.deliver([packs.encode(room, write(await say(ada, 'from elsewhere')))])
    const second = send(2, { type: 'message.post', group_id: room, envelope: await say(ada, 'hello') })
    expect(second.bytes).toBeLessThan(first.bytes - 100)
    const stranger = openPair(packs)
    const packed = far.encode(JSON.stringify({ type: 'ack', group_id: room, seq: 1 })) as Uint8Array
    expect(near.decode(packed)).toEqual({ type: 'ack', group_id: room, seq: 1 })
    expect(() => stranger.near.decode(packed)).toThrowError(expect.objectContaining({ code: 'request.malformed' }))
  })
})

describe('its own message', () => {
  it('comes back as a number, which of a post is the result as well', async () => {
    const { packs, near, send, came, delivered, results } = openPair()
    const envelope = await say(ada, 'A long text that must not come twice. '.repeat(10))
    const { frame } = send(7, { type: 'message.post', group_id: room, envelope })
    const body = openLog()(envelope)
    near.deliver([packs.encode(room, body)])
    near.sendResult(frame, JSON.stringify({ group_id: room, seq: 1, id: envelope.id }))
    expect(came.map(({ bytes }) => bytes)).toEqual([18])
    expect(delivered().map(canonical)).toEqual([body])
    expect(results()).toEqual([{ type: 'result', id: 7, result: { group_id: room, seq: 1, id: envelope.id } }])
  })

  it('comes back as a number also after its result, and beside the result of another command', async () => {
    const { packs, near, send, delivered, results } = openPair()
    const write = openLog()
    const envelopes = [await say(ada, 'said late'), await say(ada, 'done', { type: 'task_progress' })]
    const post = send(1, { type: 'message.post', group_id: room, envelope: envelopes[0] })
    near.sendResult(post.frame, '{"seq":1}')
    const task = send(2, { type: 'task.progress', task_id: 't', envelope: envelopes[1] })
    const bodies = envelopes.map((envelope) => write(envelope))
    near.deliver(bodies.map((body) => packs.encode(room, body)))
    near.sendResult(task.frame, '{"lease":1}')
    expect(delivered().map(canonical)).toEqual(bodies)
    expect(results()).toEqual([
      { type: 'result', id: 1, result: { seq: 1 } },
      // The connection makes a result of the number again, and whoever waited has it already.
      { type: 'result', id: 1, result: { group_id: room, seq: 1, id: envelopes[0]?.id } },
      { type: 'result', id: 2, result: { lease: 1 } },
    ])
  })

  it('comes in full where the log has it under another signature, from another sender, after a refusal, or read again', async () => {
    const cases: ((pair: ReturnType<typeof openPair>, frame: never) => void)[] = [
      ({ near }, frame) => near.noteRejected(frame),
      ({ near }) => near.forgetOwnMessages(),
      () => undefined,
    ]
    for (const [index, change] of cases.entries()) {
      const pair = openPair()
      const envelope = await say(ada, 'mine')
      const { frame } = pair.send(1, { type: 'message.post', group_id: room, envelope })
      change(pair, frame as never)
      const altered = index === 2 ? { ...envelope, sig: { alg: 'EdDSA' as const, kid: ada.did, value: 'A'.repeat(86) } } : envelope
      const body = openLog()(altered)
      pair.near.deliver([pair.packs.encode(room, body)])
      expect(pair.came.at(-1)?.bytes).toBeGreaterThan(100)
      expect(pair.delivered().map(canonical)).toEqual([body])
    }
    const pair = openPair(createPackedEncoder(), ben.did)
    const envelope = await say(ada, 'not mine')
    pair.send(1, { type: 'message.post', group_id: room, envelope })
    const body = openLog()(envelope)
    pair.near.deliver([pair.packs.encode(room, body)])
    expect(pair.delivered().map(canonical)).toEqual([body])
    expect(pair.came.at(-1)?.bytes).toBeGreaterThan(100)
  })

  it('brings the server’s signature where it had none', async () => {
    const { packs, near, send, delivered } = openPair()
    const { sig: _sig, ...unsigned } = await say(ada, 'vouched for')
    send(1, { type: 'message.post', group_id: room, envelope: unsigned })
    const vouched = { ...unsigned, sig: { alg: 'session' as const, kid: ben.did, value: 'A'.repeat(86), path: 'A'.repeat(43) } }
    const body = openLog()(vouched as never)
    near.deliver([packs.encode(room, body)])
    expect(delivered().map(canonical)).toEqual([body])
  })
})

it('a hub forgets a room that nobody reads, and tells its words anew to who comes back', async () => {
  const { packs, near, came, delivered } = openPair()
  const write = openLog()
  near.deliver([packs.encode(room, write(await say(ben, 'one')))])
  packs.dropRoom(room)
  near.keepOnly([])
  const body = write(await say(ben, 'two'))
  near.deliver([packs.encode(room, body)])
  expect(came.map(({ frames }) => frames.length)).toEqual([0, 1, 0, 1])
  expect(canonical(delivered()[1])).toBe(body)
})
