import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { migrationNames } from '../../server/db/check-migrations.ts'
import { runSql } from '../../server/embedded/postgres/postgres.ts'
import { root } from '../../server/embedded/processes/run-script.ts'
import { createDatabase } from './database.ts'
import { startTestCluster } from './postgres-cluster.ts'

describe('createDatabase', () => {
  it('gives each test a database of its own, where nothing of another can be seen', async () => {
    await using one = await createDatabase()
    await using other = await createDatabase()
    await runSql(one.url, 'create table mark (id int)')
    expect(await runSql(other.url, `select to_regclass('mark')::text as name`)).toEqual([{ name: null }])
    expect(await runSql(one.url, `select to_regclass('mark')::text as name`)).toEqual([{ name: 'mark' }])
  })

  it('has every migration of the project applied', async () => {
    await using database = await createDatabase()
    const [table] = await runSql(database.url, `select to_regclass('_prisma_migrations')::text as name`)
    const applied = table?.name === null ? [] : await runSql(database.url, 'select migration_name from _prisma_migrations order by 1')
    expect(applied.map((row) => row.migration_name)).toEqual(migrationNames(`${root}/prisma/migrations`))
  })

  it('is gone once disposed', async () => {
    const database = await createDatabase()
    await database[Symbol.asyncDispose]()
    await expect(runSql(database.url, 'select 1')).rejects.toThrow(/does not exist/)
  })
})

describe('startTestCluster', () => {
  it.each([true, false])('leaves no file behind, in memory: %s', async (isInMemory) => {
    const cluster = await startTestCluster({ isInMemory })
    const [row] = await runSql(cluster.admin, 'show data_directory')
    const run = path.dirname(String(row?.data_directory))
    expect(fs.existsSync(run)).toBe(true)
    await cluster.stop()
    expect(fs.existsSync(run)).toBe(false)
  })
})
