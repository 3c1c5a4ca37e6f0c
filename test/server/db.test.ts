import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  afterCommit,
  connectDatabase,
  connectPipelinedWriter,
  inTransaction,
  type PipelinedStatement,
  type TransactionConnection,
} from '../../server/db.ts'
import { createPostgresBinaryCopyWriter } from '../../server/delivery/postgres-binary-copy-writer.ts'
import { toProblem, versionConflict } from '../../server/errors.ts'
import { startAddress } from '../support/postgres-with-standby.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const copyRooms = 'copy "room" ("id", "kind", "hash", "createdAt") from stdin (format binary)'
function roomRows(id: string, hash: string): Buffer {
  const rows = createPostgresBinaryCopyWriter(4, 0)
  rows.row()
  for (const text of [id, 'inbox', hash]) rows.text(text)
  rows.instant(Date.UTC(2026, 0, 1))
  return rows.end()
}
const lock = (ctx: TestWorld['system'], id: string) => ctx.db.$executeRaw`select 1 from "room" where "id" = ${id} for update`

describe('afterCommit', () => {
  const outcomes: string[] = []
  const callbacksOf = (name: string) => [() => void outcomes.push(`${name} done`), () => void outcomes.push(`${name} unsure`)] as const

  it('waits for the commit, and for nothing where there is no transaction', async () => {
    await inTransaction(world.system, async (tx) => {
      afterCommit(tx, ...callbacksOf('inside'))
      await tx.db.$executeRaw`select 1`
      expect(outcomes).toEqual([])
    })
    afterCommit(world.system, ...callbacksOf('outside'))
    expect(outcomes.splice(0)).toEqual(['inside done', 'outside done'])
  })
  it('reports that it can not be known where all was done and the commit fails, and nothing where the work does', async () => {
    const failsLate = inTransaction(world.system, async (tx) => {
      afterCommit(tx, ...callbacksOf('late'))
      await tx.db.$executeRaw`create temporary table "twice" ("n" int unique deferrable initially deferred) on commit drop`
      await tx.db.$executeRaw`insert into "twice" values (1), (1)`
    })
    await expect(failsLate).rejects.toThrow()
    const failsEarly = inTransaction(world.system, async (tx) => {
      afterCommit(tx, ...callbacksOf('early'))
      throw new Error('no')
    })
    await expect(failsEarly).rejects.toThrow('no')
    expect(outcomes.splice(0)).toEqual(['late unsure'])
  })
})

describe('the writer of talk', () => {
  it('finds by key, by one plan for every sender, however small the table was when it was made', async () => {
    const lines = await world.system.ports.writer.transact((lane) =>
      lane.query<{ 'QUERY PLAN': string }>(
        'how-logs-are-found',
        'explain select g."head" from unnest(array[\'inb_x\']) as said("id") join "room" g on g."id" = said."id"',
        [],
      ),
    )
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Nested Loop[\s\S]*Index/)
    expect(plan).not.toMatch(/Seq Scan on "?room|Hash Join/)
    const [mode] = await world.system.ports.writer.transact((lane) =>
      lane.query<{ plan_cache_mode: string }>('plans', 'show plan_cache_mode', []),
    )
    expect(mode).toEqual({ plan_cache_mode: 'force_generic_plan' })
  })
})

describe('inTransaction', () => {
  it('runs one of two again that wait for each other', async () => {
    for (const id of ['inb_a', 'inb_b']) await world.system.db.room.create({ data: { id, kind: 'inbox', hash: '', createdAt: new Date() } })
    const both = Promise.withResolvers<void>()
    let arrived = 0
    let runs = 0
    const cross = (first: string, second: string) =>
      inTransaction(world.system, async (tx) => {
        runs++
        await lock(tx, first)
        if (++arrived === 2) both.resolve()
        await both.promise
        await lock(tx, second)
      })
    await Promise.all([cross('inb_a', 'inb_b'), cross('inb_b', 'inb_a')])
    expect(runs).toBe(3)
  })
  it('runs a transaction again that another save blocked, and gives up in the end', async () => {
    let runs = 0
    const twice = inTransaction(world.system, async () => {
      if (++runs < 3) throw versionConflict('The row')
      return 'saved'
    })
    expect(await twice).toBe('saved')
    await expect(inTransaction(world.system, async () => Promise.reject(versionConflict('The row')))).rejects.toMatchObject({
      code: 'version.conflict',
    })
  })
  it('keeps nothing of a transaction that threw', async () => {
    const failing = inTransaction(world.system, async (tx) => {
      await tx.db.room.create({ data: { id: 'inb_c', kind: 'inbox', hash: '', createdAt: new Date() } })
      throw new RangeError('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await world.system.db.room.findUnique({ where: { id: 'inb_c' } })).toBeNull()
  })
  it('reports that the database is unavailable where it can’t be reached, so that the same may be asked again', async () => {
    const nowhere = connectDatabase('postgresql://nobody@127.0.0.1:1/none')
    const ctx = { ...world.system, db: nowhere }
    await expect(inTransaction(ctx, (tx) => tx.db.room.count())).rejects.toMatchObject({ code: 'server.unavailable' })
    await nowhere.$disconnect()
  })
  it('ends a statement and a connection that take too long', async () => {
    const [row] = await world.system.db.$queryRaw<{ limit: string }[]>`select current_setting('statement_timeout') as limit`
    expect(row?.limit).toBe('1min')
    const silent = net.createServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as net.AddressInfo
    const far = connectDatabase(`postgresql://nobody@127.0.0.1:${port}/none`)
    await expect(inTransaction({ ...world.system, db: far }, (tx) => tx.db.room.count())).rejects.toMatchObject({
      code: 'server.unavailable',
    })
    await far.$disconnect()
    silent.close()
  })
  it('gives the same result where what stands before the database closes the connection in the middle of a question', async () => {
    const url = new URL(world.database.url)
    const direct = Number(url.port)
    const between = await startAddress(() => direct)
    url.port = String(between.port)
    const far = connectDatabase(url.href)
    const sleep = 'do $$ begin perform pg_sleep(600); end $$'
    const asleep = async () => {
      const [row] = await world.system.db.$queryRaw<{ asleep: bigint }[]>`
        select count(*) as asleep from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
      return row?.asleep
    }
    const wait = (db: TestWorld['system']['db']) => db.$executeRawUnsafe(sleep).catch((error: unknown) => error)
    const within = inTransaction({ ...world.system, db: far }, (tx) => tx.db.$executeRawUnsafe(sleep))
    const outside = wait(far)
    const refused = expect(within).rejects.toMatchObject({ code: 'server.unavailable' })
    await world.until('both to be asked', async () => (await asleep()) === 2n)
    between.cut()
    await refused
    expect(toProblem(await outside, '')).toMatchObject({ code: 'server.unavailable', retry: 'later' })
    await far.$disconnect()
    await between.close()
    await world.system.db.$executeRaw`
      select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`
  })
  it.each(['57P03', '57P01', '53100', '58030', '08006', '25006'])('reports the same for a database that answers with %s', async (code) => {
    const insert = (db: TestWorld['system']['db']) =>
      db.$executeRawUnsafe(`do $$ begin raise exception 'not now' using errcode = '${code}'; end $$`)
    await expect(inTransaction(world.system, (tx) => insert(tx.db))).rejects.toMatchObject({ code: 'server.unavailable' })
    const outside = await insert(world.system.db).catch((error: unknown) => error)
    expect(toProblem(outside, '')).toMatchObject({ code: 'server.unavailable', retry: 'later' })
  })
  it('does not say so of a statement that is wrong', async () => {
    const wrong = await world.system.db.$executeRawUnsafe('select 1 / 0').catch((error: unknown) => error)
    expect(toProblem(wrong, '').code).toBe('server.internal_error')
  })
})

describe('connectWriter', () => {
  it('keeps nothing of what threw, and the connection continues', async () => {
    const { writer } = world.system.ports
    const add = (rows: Buffer): PipelinedStatement => ({ name: 'add-rooms', text: copyRooms, rows })
    const write = (lane: TransactionConnection) => lane.pipeline([add(roomRows('inb_w', '\\n'))])
    await expect(
      writer.transact(async (lane) => {
        await write(lane)
        throw new RangeError('no')
      }),
    ).rejects.toThrow('no')
    await expect(writer.transact((lane) => lane.pipeline([add(Buffer.from('nonsense'))]))).rejects.toMatchObject({ code: '22P04' })
    expect(await world.system.db.room.findUnique({ where: { id: 'inb_w' } })).toBeNull()
    await writer.transact(write)
    expect(await world.system.db.room.findUnique({ where: { id: 'inb_w' } })).toMatchObject({ hash: '\\n' })
  })

  it('takes nothing more once its transaction has ended', async () => {
    const { writer } = world.system.ports
    const late = writer.transact(async (lane) => {
      await lane.pipelineAndCommit([])
      return lane.query('late', 'select 1', [])
    })
    await expect(late).rejects.toThrow('ended')
  })

  it('sends a transaction whole, and keeps nothing of one in which a statement fails, wherever it stands', async () => {
    const { writer } = world.system.ports
    const add = (id: string): PipelinedStatement => ({ name: 'add-rooms', text: copyRooms, rows: roomRows(id, 'grüß\tdich') })
    const hold = (holds: boolean): PipelinedStatement => ({ name: 'expect', text: 'select "expect"($1::boolean)', values: [String(holds)] })
    const found = () => world.system.db.room.findMany({ where: { id: { startsWith: 'inb_sent' } }, orderBy: { id: 'asc' } })
    await expect(writer.send([add('inb_sent_1'), hold(false)])).rejects.toMatchObject({ code: 'P0412' })
    await expect(writer.send([hold(false), add('inb_sent_1')])).rejects.toMatchObject({ code: 'P0412' })
    expect(await found()).toEqual([])
    await writer.send([hold(true), add('inb_sent_1'), hold(true)])
    await writer.send([hold(true), add('inb_sent_2')])
    await expect(writer.send([hold(true), add('inb_sent_3'), add('inb_sent_2')])).rejects.toMatchObject({ code: '23505' })
    expect((await found()).map((room) => room.hash)).toEqual(['grüß\tdich', 'grüß\tdich'])
  })

  it('reports that the database is unavailable where it can’t be reached or is lost, and finds it again', async () => {
    const nowhere = connectPipelinedWriter('postgresql://nobody@127.0.0.1:1/none', () => undefined)
    await expect(nowhere.transact(async () => null)).rejects.toMatchObject({ code: 'server.unavailable' })
    await expect(nowhere.send([])).rejects.toMatchObject({ code: 'server.unavailable' })
    await nowhere.close()
    const { writer } = world.system.ports
    const lost = writer.transact(async (lane) => {
      const [own] = await lane.query<{ pid: number }>('own-pid', 'select pg_backend_pid() as pid', [])
      await world.system.db.$executeRaw`select pg_terminate_backend(${own?.pid}::int)`
      return lane.query('own-pid', 'select pg_backend_pid() as pid', [])
    })
    await expect(lost).rejects.toMatchObject({ code: 'server.unavailable' })
    const sent = writer.send([{ name: 'end-own', text: 'select pg_terminate_backend(pg_backend_pid())', values: [] }])
    await expect(sent).rejects.toMatchObject({ code: 'server.unavailable' })
    expect(await writer.transact((lane) => lane.query('one', 'select 1 as one', []))).toEqual([{ one: 1 }])
  })

  it('releases what a process that is stopped has locked, and reports that it can be tried again', async () => {
    const { writer } = world.system.ports
    const name = 'inb_stood_still'
    await writer.transact((lane) => lane.pipeline([{ name: 'add-rooms', text: copyRooms, rows: roomRows(name, 'x') }]))
    const lock = (lane: TransactionConnection) => lane.query('lock-one', 'select 1 from "room" where "id" = $1 for update', [name])
    const isOver = Promise.withResolvers<void>()
    const standing = writer.transact(async (lane) => {
      await lock(lane)
      await isOver.promise
    })
    standing.catch(() => undefined)
    // It waits for the other's transaction, which no one ends but the database.
    await writer.transact(lock)
    isOver.resolve()
    await expect(standing).rejects.toMatchObject({ code: 'server.unavailable' })
  }, 900_000)
})
