import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { type DeliveredEnvelope, type Envelope, hashAfter, signEnvelope, transcriptStart, uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { inTransaction } from '../../../../server/db.ts'
import { type ArchivePoint, archiveMessages } from '../../../../server/delivery/archive/archive-messages.ts'
import { createArchiveFileStore } from '../../../../server/delivery/archive/file-store.ts'
import {
  appendMessage,
  createPartitions,
  eraseMessageBody,
  findMessageById,
  openLog,
  readStoredMessages,
  rewriteErasedFiles,
} from '../../../../server/delivery/index.ts'
import { openRoomWorld, system } from '../../database-only-world.ts'

const world = openRoomWorld()
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-erased-'))
const dayMs = 86_400_000
const room = `rom_${'4'.repeat(32)}`
let ctx: Context

async function write(text: string): Promise<void> {
  const { signer } = ctx.ports
  const id = uuidv7(world.clock.now().getTime(), crypto.getRandomValues(new Uint8Array(10)))
  const draft = { id, room_id: room, sender_id: signer.did, state: 'discussion', type: 'discussion', parts: [{ text }] }
  const envelope = (await signEnvelope(signer, draft as never)) as Envelope & { sig: NonNullable<Envelope['sig']> }
  await ctx.db.$transaction((db) => appendMessage({ ...ctx, db }, envelope, { isOurs: false, from: 'test' }))
}

async function erase(seq: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const [message] = await readStoredMessages(tx, { roomId: room, after: seq - 1, limit: 1 })
    if (!message) throw new Error(`no message ${seq}`)
    await eraseMessageBody(tx, {
      roomId: room,
      message: { ...message, envelope: JSON.parse(message.body) as DeliveredEnvelope },
      requester: 'client',
    })
  })
}

/** Everything that the room's readers get, its chain checked by what they can know. */
async function readAll(): Promise<string> {
  const rows = await readStoredMessages(ctx, { roomId: room, after: 0, limit: 1_000 })
  let hash: string | null = transcriptStart
  for (const row of rows) {
    hash = hash === null ? null : await hashAfter(hash, JSON.parse(row.body) as DeliveredEnvelope, ctx.market.serverDid)
    expect(row.hash).toBe(hash)
  }
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index + 1))
  return JSON.stringify(rows)
}
async function inFiles(): Promise<string> {
  const texts = readdirSync(folder).map(async (name) => (await promisify(zstdDecompress)(readFileSync(path.join(folder, name)))).toString())
  return (await Promise.all(texts)).join('\n')
}

beforeAll(async () => {
  ctx = { ...world.as(system), ports: { ...world.ctx.ports, files: createArchiveFileStore(folder) } }
  ctx = { ...ctx, market: { ...ctx.market, serverDid: ctx.ports.signer.did as typeof ctx.market.serverDid } }
  // On the 5th of a month. So 31 days later is the next month, and one month is old enough for an archive file on every day of the year.
  const today = new Date()
  world.clock.advance(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 5) - world.clock.now().getTime())
  await openLog(ctx, { id: room, kind: 'room' })
  for (let month = 0; month < 4; month++) {
    await createPartitions(ctx)
    for (let index = 0; index < 3; index++) await write(`secret ${month * 3 + index + 1}.`)
    world.clock.advance(31 * dayMs)
  }
}, 900_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('cleanFiles', () => {
  it('keeps out of a file what was erased before its month was filed', async () => {
    await erase(2)
    await archiveMessages(ctx, { retentionDays: 90 })
    expect(readdirSync(folder)).toHaveLength(1)
    expect(await rewriteErasedFiles(ctx)).toEqual([])
    expect(await inFiles()).toMatch(/secret 1\.[\s\S]*secret 3\./)
    expect(await inFiles()).not.toContain('secret 2.')
  })

  it('hides what lies in a file at once, takes it out of the file, and leaves no other file behind', async () => {
    const { id } = JSON.parse((await readStoredMessages(ctx, { roomId: room, after: 2, limit: 1 }))[0]?.body ?? '') as { id: string }
    await erase(3)
    await erase(3)
    expect(await readAll()).not.toContain('secret 3.')
    expect((await findMessageById(ctx, { roomId: room, id }))?.body).not.toContain('secret 3.')
    expect(await inFiles()).toContain('secret 3.')
    expect(await rewriteErasedFiles(ctx)).toHaveLength(1)
    expect(await rewriteErasedFiles(ctx)).toEqual([])
    expect(readdirSync(folder)).toHaveLength(1)
    expect(await inFiles()).toContain('secret 1.')
    expect(await inFiles()).not.toContain('secret 3.')
    expect(await readAll()).not.toContain('secret 3.')
  })

  it('serves readers that opened the file before it was written again', async () => {
    const { files } = ctx.ports
    let isLate = false
    const late: Context = {
      ...ctx,
      ports: {
        ...ctx.ports,
        files: {
          ...files,
          read: async (file, asked) => {
            if (!isLate) {
              isLate = true
              await erase(1)
              await rewriteErasedFiles(ctx)
            }
            return files.read(file, asked)
          },
        },
      },
    }
    const [first] = await readStoredMessages(late, { roomId: room, after: 0, limit: 1 })
    expect(isLate).toBe(true)
    expect(first?.body).toContain('message.tombstone')
  })

  it.each(['detached', 'verified'] as const)(
    'loses nothing that is erased while a month is in progress into a file: %s',
    async (point: ArchivePoint) => {
      const seq = point === 'detached' ? 5 : 8
      world.clock.advance(31 * dayMs)
      const reached = async (at: ArchivePoint) => (at === point ? erase(seq) : undefined)
      await archiveMessages(ctx, { retentionDays: 90, reached })
      expect(await readAll()).not.toContain(`secret ${seq}.`)
      await rewriteErasedFiles(ctx)
      expect(await inFiles()).not.toContain(`secret ${seq}.`)
      expect(await inFiles()).toContain(`secret ${seq + 1}.`)
      expect(await readAll()).not.toContain(`secret ${seq}.`)
      expect(await ctx.db.erasedMessage.count({ where: { isArchiveRedacted: false } })).toBe(0)
    },
  )
})
