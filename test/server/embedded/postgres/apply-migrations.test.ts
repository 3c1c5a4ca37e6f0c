import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contractSince, migrationNames } from '../../../../server/db/check-migrations.ts'
import { applyMigrations, demandBaseline, pendingMigrations } from '../../../../server/embedded/postgres/apply-migrations.ts'
import { runSql } from '../../../../server/embedded/postgres/postgres.ts'
import { hasNativeEngine } from '../../../../server/embedded/postgres/wasm-schema-engine-path.ts'
import { root } from '../../../../server/embedded/processes/run-script.ts'
import { createDatabase } from '../../../support/database.ts'

describe('pendingMigrations', () => {
  const ours = path.join(root, 'prisma/migrations')

  it('finds none in a migrated database, and the new one once it is written', async () => {
    await using database = await createDatabase()
    expect(await pendingMigrations(database.url, ours)).toEqual([])
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'))
    onTestFinished(() => fs.rmSync(copy, { recursive: true }))
    fs.cpSync(ours, copy, { recursive: true })
    fs.mkdirSync(path.join(copy, '99990101000000_later'))
    expect(await pendingMigrations(database.url, copy)).toEqual(['99990101000000_later'])
  })

  it('finds all of them in a database that Prisma has not seen', async () => {
    await using database = await createDatabase()
    await runSql(database.url, 'drop table if exists _prisma_migrations')
    expect(await pendingMigrations(database.url, ours)).toEqual(migrationNames(ours))
  })
})

/** A database as a version before the baseline left it, without the tables of the job queue. */
async function createOldDatabase() {
  const database = await createDatabase()
  await runSql(
    database.url,
    `delete from _prisma_migrations; drop schema if exists graphile_worker cascade;
     insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at) values
       (gen_random_uuid(), '', '20261121080000_the_main_job', now(), now()), (gen_random_uuid(), '', '20261124140000_channel_opener', now(), now())`,
  )
  const state = () =>
    runSql(database.url, `select migration_name, to_regnamespace('graphile_worker') as queue from _prisma_migrations order by 1`)
  return { ...database, state, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

describe('a database from before the baseline', () => {
  const reason =
    'An older version created the database: it has the migration 20261124140000_channel_opener, and this version begins with 20261125000000_baseline. No automatic upgrade exists, so nothing was changed.'

  it('is refused with the reason and the remedy', async () => {
    await using database = await createOldDatabase()
    await expect(demandBaseline(database.url, 'Do this.')).rejects.toThrow(`${reason}\nDo this.`)
  })

  it('is not changed by a deployment of the migrations', async () => {
    await using database = await createOldDatabase()
    const before = await database.state()
    const log = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'log-')), 'migrate.log')
    onTestFinished(() => fs.rmSync(path.dirname(log), { recursive: true }))
    await expect(applyMigrations(database.url, log)).rejects.toThrow(reason)
    expect(await database.state()).toEqual(before)
    expect(before).toHaveLength(2)
    expect(fs.existsSync(log)).toBe(false)
  })

  it('makes `npm run db:deploy` print what to do, and fail', async () => {
    await using database = await createOldDatabase()
    const command = spawn(process.execPath, [path.join(root, 'server/embedded/commands/deploy-migrations.ts')], {
      env: { ...process.env, DATABASE_URL: database.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void command.kill('SIGKILL'))
    const [[code], printed] = await Promise.all([once(command, 'close'), text(command.stderr)])
    expect({ code, printed }).toEqual({
      code: 1,
      printed: `${reason}\nSet DATABASE_URL to an empty database, then run \`npm run db:deploy\`. The version that created this database can still use it.\n`,
    })
  })

  it('is not what an empty, a current or a missing database is taken for', async () => {
    await using database = await createDatabase()
    await demandBaseline(database.url)
    const missing = new URL(database.url)
    missing.pathname = '/not_there'
    await demandBaseline(missing.href)
    await runSql(database.url, 'drop table _prisma_migrations')
    await demandBaseline(database.url)
  })

  it('differs from a database that cannot be reached', async () => {
    await expect(demandBaseline('postgresql://x@127.0.0.1:1/x')).rejects.toThrow(/^The database at 127\.0\.0\.1:1 cannot be used: /)
  })
})

/** What processes of the former version, which still run, would stumble over. */
function stumbles(sql: string): string[] {
  const text = sql.replace(/--.*$/gm, '').replace(/\$\$.*?\$\$/gs, '')
  const statements = text.split(';').flatMap((statement) => statement.split(/,(?=\s*(?:ADD|DROP|ALTER|RENAME)\b)/i))
  const isStumble = (part: string) =>
    /\bDROP\s+(TABLE|COLUMN|TYPE|VIEW|SEQUENCE)\b|\bRENAME\b|\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b|\bSET\s+NOT\s+NULL\b/i.test(
      part,
    ) ||
    (/\bADD\s+COLUMN\b/i.test(part) && /\bNOT\s+NULL\b/i.test(part) && !/\b(DEFAULT|(BIG|SMALL)?SERIAL)\b/i.test(part))
  return statements.filter(isStumble).map((part) => part.trim().replace(/\s+/g, ' '))
}

describe('the former version', () => {
  it.each([
    'ALTER TABLE "step" DROP COLUMN "roomId"',
    'ALTER TABLE "step" RENAME TO "steps"',
    'ALTER TABLE "step" ALTER COLUMN "roomId" SET NOT NULL',
    'ALTER TABLE "step" ALTER COLUMN "n" TYPE BIGINT',
    'ALTER TABLE "step" ADD COLUMN "a" TEXT DEFAULT \'\',\n  ADD COLUMN "b" TEXT NOT NULL',
  ])('would stumble over %j', (sql) => {
    expect(stumbles(sql)).toHaveLength(1)
  })

  it.each([
    'ALTER TABLE "step" ADD COLUMN "a" BOOLEAN NOT NULL DEFAULT true, ADD COLUMN "b" TEXT',
    'CREATE TABLE "x" ("id" TEXT NOT NULL)',
    // A serial column has its sequence as its default.
    'ALTER TABLE "step" ADD COLUMN "seq" BIGSERIAL NOT NULL',
    'DROP INDEX "step_key"; ALTER TYPE "Planner" ADD VALUE \'other\'',
    '-- DROP TABLE "step"',
  ])('would not stumble over %j', (sql) => {
    expect(stumbles(sql)).toEqual([])
  })

  const baseline = '20261125000000_baseline'
  const names = migrationNames(path.join(root, 'prisma/migrations'))
  it('continues after each migration that follows the baseline', () => {
    const read = (name: string) => fs.readFileSync(path.join(root, 'prisma/migrations', name, 'migration.sql'), 'utf8')
    const additions = names.filter((name) => name > baseline && contractSince(name) === null)
    expect(names[0]).toBe(baseline)
    expect(additions.filter((name) => stumbles(read(name)).length > 0)).toEqual([])
  })

  it('is named by each destructive migration: the migration since which nothing needs the removed part', () => {
    const known = (since: string | null) => since === null || names.some((name) => name.startsWith(`${since}_`))
    expect(names.filter((name) => !known(contractSince(name)) || (contractSince(name) ?? '') >= name.slice(0, 14))).toEqual([])
  })
})

describe('hasNativeEngine', () => {
  it('finds the engine that the install script of @prisma/engines has downloaded', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'engines-'))
    onTestFinished(() => fs.rmSync(folder, { recursive: true }))
    fs.writeFileSync(path.join(folder, 'package.json'), '{}')
    expect(hasNativeEngine(folder)).toBe(false)
    fs.writeFileSync(path.join(folder, 'schema-engine-debian-openssl-3.0.x'), '')
    expect(hasNativeEngine(folder)).toBe(true)
  })
})

describe('a migration', () => {
  it('holds up no one who only stands behind it, and is applied once what holds its table is over', async () => {
    await using database = await createDatabase()
    const { url } = database
    await runSql(url, 'create table mark (id int)')
    const backup = new pg.Client({ connectionString: url })
    await backup.connect()
    await backup.query('begin')
    await backup.query('select * from mark')
    const datasource = JSON.stringify({ url })
    const engine = spawn(process.execPath, [
      path.join(root, 'server/embedded/postgres/prisma-schema-engine.mjs'),
      '--datasource',
      datasource,
    ])
    onTestFinished(() => void engine.kill('SIGKILL'))
    const folder = path.join(root, 'prisma/migrations')
    const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8')
    const named = (name: string, value: string) => ({ path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } } })
    const migrationsList = {
      baseDir: folder,
      lockfile: { path: 'migration_lock.toml', content: read('migration_lock.toml') },
      shadowDbInitScript: '',
      migrationDirectories: [
        ...migrationNames(folder).map((name) => named(name, read(`${name}/migration.sql`))),
        named('99990101000000_more', 'alter table mark add column more int'),
      ],
    }
    const params = { migrationsList, filters: { externalTables: [], externalEnums: [] } }
    engine.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'applyMigrations', params })}\n`)
    const waiting = `select count(*)::int as n from pg_locks where not granted and relation = 'mark'::regclass`
    await expect.poll(async () => (await runSql(url, waiting))[0]).toEqual({ n: 1 })
    // Stands behind the migration, until that one steps back.
    await runSql(url, 'insert into mark values (1)')
    const columns = async () =>
      (await runSql(url, `select count(*)::int as n from information_schema.columns where table_name = 'mark'`))[0]
    expect(await columns()).toEqual({ n: 1 })
    await backup.query('commit')
    await expect.poll(columns).toEqual({ n: 2 })
    await backup.end()
  })
})
