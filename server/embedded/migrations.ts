import fs from 'node:fs'
import path from 'node:path'
import { prepareQueue } from '../db/queue-pool.ts'
import { runSql } from './postgres.ts'
import { runScript } from './run-tool.ts'
import { hashSources, stampFor } from './stamps.ts'

const prisma = 'node_modules/prisma/build/index.js'

/** The names of the migrations in the order in which they are applied. */
export function migrationNames(migrationsDir: string): string[] {
  if (!fs.existsSync(migrationsDir)) return []
  const folders = fs.readdirSync(migrationsDir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name).sort()
}

export type AppliedMigration = { migration_name: string; finished: boolean; rolled_back: boolean }

/** Those not yet applied. One that began and did not finish is pending too: Prisma then says what to do about it. */
export function pendingAmong(names: readonly string[], applied: readonly AppliedMigration[]): string[] {
  const done = new Set(applied.filter((row) => row.finished && !row.rolled_back).map((row) => row.migration_name))
  return names.filter((name) => !done.has(name))
}

/** Asks the database itself, in milliseconds, so that Prisma's command line need not start when there is nothing to do. */
export async function pendingMigrations(databaseUrl: string, migrationsDir: string): Promise<string[]> {
  const names = migrationNames(migrationsDir)
  const [table] = await runSql(databaseUrl, `select to_regclass('_prisma_migrations')::text as name`)
  if (table?.name == null) return names
  const rows = await runSql(
    databaseUrl,
    'select migration_name, finished_at is not null as finished, rolled_back_at is not null as rolled_back from _prisma_migrations',
  )
  return pendingAmong(names, rows as AppliedMigration[])
}

/** Our own tables, and the job queue's, which verbs write into in their transactions. */
export async function deployMigrations(databaseUrl: string, log: string): Promise<void> {
  await runScript('Applying the database migrations', prisma, ['migrate', 'deploy'], { log, env: { DATABASE_URL: databaseUrl } })
  await prepareQueue(databaseUrl)
}

/** Generates the database client unless it was generated from this very schema; true where it had to. */
export async function ensureClient(root: string, stateDir: string): Promise<boolean> {
  const hash = hashSources(root, ['prisma/schema.prisma', 'prisma/models', 'prisma.config.ts', 'node_modules/prisma/package.json'])
  const stamp = stampFor(path.join(stateDir, 'stamps'), 'prisma-client', hash)
  if (stamp.isCurrent() && fs.existsSync(path.join(root, 'prisma/client/client.ts'))) return false
  stamp.remove()
  await runScript('Generating the database client', prisma, ['generate'], { log: path.join(stateDir, 'logs/prisma-generate.log') })
  stamp.put()
  return true
}
