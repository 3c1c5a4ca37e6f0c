import { randomBytes } from 'node:crypto'
import { newMessageId } from '@parley/agents'
import { chainHash, type Envelope, randomSeed, signEnvelope, signerFromSeed, transcriptStart, uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { appendMessage, getHead, openLog, readStoredMessages } from '../../../server/delivery/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
const roomId = `rom_${'1'.repeat(32)}` as const
const signer = await signerFromSeed(randomSeed())
const envelope = async (text: string, more: object = {}) =>
  (await signEnvelope(signer, {
    id: newMessageId(),
    room_id: roomId,
    sender_id: signer.did,
    state: 'discussion',
    type: 'discussion',
    parts: [{ text }],
    ...more,
  } as never)) as Envelope & { sig: NonNullable<Envelope['sig']> }

beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  await openLog(world.system, { id: roomId, kind: 'room' })
})
afterAll(() => world[Symbol.asyncDispose]())

const append = async (message: Awaited<ReturnType<typeof envelope>>) =>
  inTransaction(world.system, (tx) => appendMessage(tx, message, { isOurs: false, from: 'test' }))

describe('appendMessage', () => {
  it('refuses a room that is not there', async () => {
    await expectProblem(append({ ...(await envelope('x')), room_id: `rom_${'2'.repeat(32)}` }), 'room.not_found')
  })
  it('takes what an agent has queued for four weeks, and no id of a time before', async () => {
    const days = (count: number) => uuidv7(Date.now() - count * 86_400_000, randomBytes(10))
    const room_id = `rom_${'3'.repeat(32)}` as const
    await openLog(world.system, { id: room_id, kind: 'room' })
    await append(await envelope('queued', { room_id, id: days(29) }))
    for (const id of [days(31), uuidv7(0, randomBytes(10))])
      await expectProblem(append(await envelope('too old', { room_id, id })), 'envelope.stale')
  })
  it('numbers without gaps under concurrency, and chains every message', async () => {
    const messages = await Promise.all(Array.from({ length: 20 }, (_one, index) => envelope(`m${index}`)))
    const appended = await Promise.all(messages.map(append))
    expect(appended.map((one) => one.seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_one, index) => index + 1))
    let hash = transcriptStart
    for (const row of await readStoredMessages(world.system, { roomId, after: 0, limit: 100 })) {
      hash = await chainHash(hash, JSON.parse(row.body))
      expect(row.hash).toBe(hash)
    }
    expect(await getHead(world.system, roomId)).toEqual({ head: 20, hash })
  })
  it('answers a repeated message with its first number, and refuses another body under its id', async () => {
    const message = await envelope('once')
    const [first, second] = await Promise.all([append(message), append(message)])
    expect(first.seq).toBe(second.seq)
    expect([first.isRepeat, second.isRepeat].sort()).toEqual([false, true])
    await expectProblem(append(await envelope('twice', { id: message.id })), 'envelope.id_reused')
  })
  it('carries what it does not know byte for byte', async () => {
    const { seq } = await append(await envelope('future', { 'x-later': { b: 1, a: ['ü', 1e21] } }))
    const [row] = await readStoredMessages(world.system, { roomId, after: seq - 1, limit: 1 })
    expect(row?.body).toContain('"x-later":{"a":["ü",1e+21],"b":1}')
  })
  it('keeps every message: the log can be neither changed nor shortened', async () => {
    await expect(world.system.db.message.updateMany({ data: { body: 'other' } })).rejects.toThrow(/append-only/)
    await expect(world.system.db.message.deleteMany()).rejects.toThrow(/append-only/)
  })
})
