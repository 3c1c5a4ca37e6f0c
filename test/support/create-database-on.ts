import { randomUUID } from 'node:crypto'
import { runSql } from '../../server/embedded/postgres/postgres.ts'
import { template } from './postgres-cluster.ts'

/** A database of the test's own, migrated and empty. Disposing drops it, also with open connections. */
export type TestDatabase = AsyncDisposable & { name: string; url: string }

/** Made on the cluster that `admin` reaches. */
export async function createDatabaseOn(admin: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Its files as they are, not page by page through the log, which would be written as well.
  await runSql(admin, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  return {
    name,
    url: url.toString(),
    [Symbol.asyncDispose]: async () => {
      await runSql(admin, `drop database if exists ${name} with (force)`)
    },
  }
}
