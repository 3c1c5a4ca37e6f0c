import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chainHash, type DeliveredEnvelope, type Envelope, signEnvelope, transcriptStart, uuidv7 } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import { findMessages, searchMessages } from '../../../../server/conversations/index.ts'
import { type ArchivePoint, archiveMessages, archivePoints } from '../../../../server/delivery/archive/archive-messages.ts'
import { createArchiveFileStore } from '../../../../server/delivery/archive/file-store.ts'
import { appendMessage, createPartitions, findMessageById, openLog, readStoredMessages } from '../../../../server/delivery/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { openRoomWorld, system } from '../../database-only-world.ts'

const world = openRoomWorld()
const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-files-'))
const dayMs = 86_400_000
const [room, other, belated] = [`rom_${'1'.repeat(32)}`, `rom_${'2'.repeat(32)}`, `rom_${'3'.repeat(32)}`] as const
let ctx: Context
/** The messages of the room, in order: by senders whose clocks went right. */
const posted: Envelope[] = []

async function write(roomId: string, at: number, text: string, id = uuidv7(at, crypto.getRandomValues(new Uint8Array(10)))) {
  const { signer } = ctx.ports
  const draft = { id, room_id: roomId, sender_id: signer.did, state: 'discussion', type: 'discussion', parts: [{ text }] }
  const envelope = (await signEnvelope(signer, draft as never)) as Envelope & { sig: NonNullable<Envelope['sig']> }
  await ctx.db.$transaction((db) => appendMessage({ ...ctx, db }, envelope, { isOurs: false, from: 'test' }))
  return envelope
}

const tables = async () =>
  (await ctx.db.$queryRaw<{ name: string }[]>`select relname as name from pg_class where relname like 'message\_%' and relkind = 'r'`)
    .map(({ name }) => name)
    .filter((name) => /^message_(start|\d{4}_\d{2})$/.test(name))
    .sort()

beforeAll(async () => {
  ctx = { ...world.as(system), ports: { ...world.ctx.ports, files: createArchiveFileStore(folder) } }
  // The first table ends with the month in which the database was made.
  world.clock.advance(Date.now() - world.clock.now().getTime())
  for (const id of [room, other, belated]) await openLog(ctx, { id, kind: 'room' })
  await ctx.db.conversation.create({ data: { roomId: room, goalId: 'gol_1', nextSpeakers: [], triggers: [], isPublic: true } })
  for (let month = 0; month < 4; month++) {
    await createPartitions(ctx)
    for (let index = 0; index < 30; index++) posted.push(await write(room, world.clock.now().getTime(), `month ${month}, word ${index}`))
    // A sender whose clock is three weeks late: its message lies in an older table than those before it.
    posted.push(await write(room, world.clock.now().getTime() - 21 * dayMs, `late ${month}`))
    await write(other, world.clock.now().getTime(), `beside ${month}`)
    world.clock.advance(31 * dayMs)
  }
  await write(belated, world.clock.now().getTime() + 40 * dayMs, 'first, and in a table that stays')
  await write(belated, world.clock.now().getTime() - 93 * dayMs, 'last, and in the oldest')
}, 900_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The whole room by pages, its chain checked. */
async function readAll(page: number): Promise<string[]> {
  const ids: string[] = []
  let hash = transcriptStart as string
  for (let after = 0; ; ) {
    const rows = await readStoredMessages(ctx, { roomId: room, after, limit: page })
    for (const row of rows) {
      const envelope = JSON.parse(row.body) as DeliveredEnvelope
      expect(envelope.seq).toBe(++after)
      hash = await chainHash(hash, envelope)
      expect(row.hash).toBe(hash)
      ids.push(envelope.id)
    }
    if (rows.length < page) return ids
  }
}

describe('openPartitions', () => {
  it('has a table for each month ahead, opens each once, and moves in what came before its time', async () => {
    await createPartitions(ctx)
    expect(await createPartitions(ctx)).toBe(0)
    const early = await write(other, world.clock.now().getTime() + 95 * dayMs, 'from a clock that is fast')
    const [rest] = await ctx.db.$queryRaw<{ n: number }[]>`select count(*)::int as n from "message_rest"`
    expect(rest?.n).toBe(1)
    world.clock.advance(40 * dayMs)
    expect(await createPartitions(ctx)).toBeGreaterThan(0)
    const [left] = await ctx.db.$queryRaw<{ n: number }[]>`select count(*)::int as n from "message_rest"`
    expect(left?.n).toBe(0)
    expect(await findMessageById(ctx, { roomId: other, id: early.id })).toMatchObject({ seq: 5 })
  })
})

describe('fileMessages', () => {
  it('leaves everything where it is before its time', async () => {
    const before = await tables()
    expect(await archiveMessages(ctx, { retentionDays: 4_000 })).toEqual([])
    expect(await tables()).toEqual(before)
  })

  it('drops no table whose file lacks a row of it', async () => {
    const { files } = ctx.ports
    const careless: typeof files = {
      ...files,
      write: (name, rows) =>
        files.write(
          name,
          (async function* () {
            for await (const lot of rows) yield lot.slice(0, -1)
          })(),
        ),
    }
    const before = await tables()
    await expect(archiveMessages({ ...ctx, ports: { ...ctx.ports, files: careless } }, { retentionDays: 31 })).rejects.toThrow(/differs/)
    expect(await tables()).toEqual(before)
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
  })

  it('ended at any point it continues there, and the log reads the same at every moment', async () => {
    const ids = posted.map(({ id }) => id)
    const isEnded: ArchivePoint[] = []
    const left = new Map<string, Buffer>()
    for (const point of archivePoints) {
      const run = archiveMessages(ctx, {
        retentionDays: 31,
        reached: async (at) => {
          // Between the note and its commit the table is locked, and who reads waits.
          if (at !== 'noted') expect(await readAll(20)).toEqual(ids)
          if (at !== point) return
          for (const name of readdirSync(folder)) left.set(name, readFileSync(path.join(folder, name)))
          throw new Error('the process ends here')
        },
      })
      await expect(run).rejects.toThrow('the process ends here')
      // Half a file is taken away by who fails, but not by who is gone.
      for (const [name, bytes] of left) writeFileSync(path.join(folder, name), bytes)
      isEnded.push(point)
      expect(await readAll(50)).toEqual(ids)
    }
    expect(isEnded).toEqual([...archivePoints])
    await archiveMessages(ctx, { retentionDays: 31 })
    expect(await readAll(1_000)).toEqual(ids)
    const filed = await ctx.db.messagePartition.findMany({ where: { state: 'archived' } })
    expect(filed.length).toBeGreaterThanOrEqual(3)
    expect(await tables()).not.toContain('message_start')
    const whole = readdirSync(folder).filter((name) => !name.endsWith('.part'))
    expect(whole.sort()).toEqual(filed.map(({ name, sha256 }) => `${name}-${sha256?.slice(0, 16)}.jsonl.zst`).sort())
    for (const { name, sha256 } of filed) {
      const bytes = readFileSync(path.join(folder, whole.find((file) => file.startsWith(`${name}-`)) ?? ''))
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    }
    const halves = readdirSync(folder).filter((name) => name.endsWith('.part'))
    expect(halves).toHaveLength(2)
    for (const name of halves) rmSync(path.join(folder, name))
  })

  it('is read to the end also where the last of it lies in a file and what comes before does not', async () => {
    const rows = await readStoredMessages(ctx, { roomId: belated, after: 0, limit: 10 })
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('is read whole while a month leaves its table between two questions', async () => {
    const { db } = ctx
    // The state of the tables as it will be, beside the files as they were.
    const early = await db.archivedRange.findMany({ where: { roomId: 'nobody' } })
    let hasAsked = false
    const messagePartition = {
      findMany: async () => {
        await new Promise(setImmediate)
        hasAsked = true
        return []
      },
    }
    const archivedRange = { findMany: (asked: never) => (hasAsked ? db.archivedRange.findMany(asked) : Promise.resolve(early)) }
    const torn = new Proxy(db, {
      get: (of, name) => ({ messagePartition, archivedRange })[name as 'archivedRange'] ?? Reflect.get(of, name),
    })
    const rows = await readStoredMessages({ ...ctx, db: torn }, { roomId: room, after: 0, limit: 1_000 })
    expect(rows).toHaveLength(posted.length)
  })

  it('resumes anywhere in it', async () => {
    for (const after of [0, 1, 29, 30, 31, 61, 77, posted.length - 1, posted.length, posted.length + 5]) {
      const rows = await readStoredMessages(ctx, { roomId: room, after, limit: 7 })
      expect(rows.map(({ seq }) => seq)).toEqual(
        Array.from({ length: Math.max(0, Math.min(7, posted.length - after)) }, (_, n) => after + 1 + n),
      )
    }
  })

  it('knows a filed message by its id for ever, refuses another body under it, and takes no new one of that time', async () => {
    const [first] = posted
    if (!first) throw new Error('nothing was said')
    const again = await ctx.db.$transaction((db) => appendMessage({ ...ctx, db }, first as never, { isOurs: false, from: 'test' }))
    expect(again).toMatchObject({ seq: 1, isRepeat: true })
    await expectProblem(write(room, 0, 'other words', first.id), 'envelope.id_reused')
    await expectProblem(write(room, Number.parseInt(first.id.slice(0, 8) + first.id.slice(9, 13), 16), 'too late'), 'envelope.stale')
    await expect(
      ctx.db
        .$executeRaw`insert into "message" select ${room}, 9999, ${uuidv7(1, new Uint8Array(10))}::uuid, 's', 't', 's', null, 'b', 'h', 'h', now()`,
    ).rejects.toThrow(/message_rest_lower_bound/)
  })

  it('is searched like the table', async () => {
    const found = await searchMessages(ctx, { roomId: room, filter: { text: 'WORD 7' }, after: 0, limit: 10 })
    expect(found.total).toBe(4)
    expect(found.messages.map(({ seq }) => seq)).toEqual([8, 39, 70, 101])
    expect((await searchMessages(ctx, { roomId: room, filter: { types: ['vote'] }, after: 0, limit: 10 })).total).toBe(0)
  })

  it('is searched from where the page before ended, and each page reads no more than it needs', async () => {
    const { files } = ctx.ports
    let read = 0
    const counting = async (...asked: Parameters<typeof files.read>) => {
      const rows = await files.read(...asked)
      read += rows.length
      return rows
    }
    const counted = { ...ctx, ports: { ...ctx.ports, files: { ...files, read: counting } } }
    const seqs: number[] = []
    let pages = 0
    for (let [after, isMore] = [0, true]; isMore; pages++) {
      const page = await findMessages(counted, { roomId: room, filter: { text: 'word' }, after, limit: 10 })
      seqs.push(...page.messages.map(({ seq }) => seq))
      expect(page.next).toBeGreaterThanOrEqual(page.messages.at(-1)?.seq ?? after)
      ;({ next: after, isMore } = page)
    }
    const all = await readStoredMessages(ctx, { roomId: room, after: 0, limit: 1_000 })
    expect(seqs).toEqual(all.filter(({ body }) => body.includes('word')).map(({ seq }) => seq))
    expect(seqs.length).toBeGreaterThan(100)
    expect(read / pages).toBeLessThanOrEqual(100)
  })

  it('lies in files that any reader of Zstandard gives out as lines', async () => {
    const [name = ''] = readdirSync(folder)
    const { zstdDecompressSync } = await import('node:zlib')
    const lines = zstdDecompressSync(readFileSync(path.join(folder, name)))
      .toString()
      .trim()
      .split('\n')
    expect(Object.keys(JSON.parse(lines[0] ?? '')).sort()).toContain('body')
  })

  it('reports that it can’t read where a file is damaged or gone, and never that nothing was posted', async () => {
    const damaged = { ...ctx, ports: { ...ctx.ports, files: createArchiveFileStore(folder) } }
    const spans = await ctx.db.archivedRange.findMany({ where: { roomId: room } })
    const ofRoom = (name: string) => spans.some(({ partition }) => name.startsWith(`${partition}-`))
    for (const name of readdirSync(folder).filter(ofRoom)) {
      const bytes = readFileSync(path.join(folder, name))
      const spoiled = Buffer.from(bytes)
      spoiled[20] = (spoiled[20] ?? 0) ^ 0xff
      writeFileSync(path.join(folder, name), spoiled)
      await expectProblem(readStoredMessages(damaged, { roomId: room, after: 0, limit: 1_000 }), 'server.unavailable')
      truncateSync(path.join(folder, name), 9)
      await expectProblem(
        readStoredMessages(
          { ...ctx, ports: { ...ctx.ports, files: createArchiveFileStore(folder) } },
          { roomId: room, after: 0, limit: 1_000 },
        ),
        'server.unavailable',
      )
      writeFileSync(path.join(folder, name), bytes)
    }
    expect((await readStoredMessages(damaged, { roomId: room, after: 0, limit: 1_000 })).length).toBe(posted.length)
  })
})
