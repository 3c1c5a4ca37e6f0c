import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { filterPending, listApplied, migrationNames } from '../../db/migration-status.ts'
import { prepareQueue } from '../../db/queue-pool.ts'
import { hashSources, stampFor } from '../install/build-stamps.ts'
import { callerEnvironment } from '../install/environment.mjs'
import { runScript } from '../processes/run-script.ts'
import { ownSchemaEngine } from './schema-engine-path.ts'

const prisma = 'node_modules/prisma/build/index.js'

/** Reads the pending migrations from the database itself, so that Prisma's slow command line runs only if needed. */
export async function pendingMigrations(databaseUrl: string, migrationsDir: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return filterPending(migrationNames(migrationsDir), await listApplied(client))
  } finally {
    await client.end()
  }
}

/** Applies our migrations, and creates the job queue's tables, which commands write into. */
export async function deployMigrations(databaseUrl: string, log: string): Promise<void> {
  // By our engine, unless the caller names one: the native one would hold up running hubs behind its locks.
  const { PRISMA_SCHEMA_ENGINE_BINARY = ownSchemaEngine } = callerEnvironment()
  const env = { DATABASE_URL: databaseUrl, PRISMA_SCHEMA_ENGINE_BINARY }
  await runScript('Applying the database migrations', prisma, ['migrate', 'deploy'], { log, env })
  await prepareQueue(databaseUrl)
}

/** Generates the database client unless it is current. True if it did. */
export async function ensureClient(root: string, stateDir: string): Promise<boolean> {
  const hash = hashSources(root, ['prisma/schema.prisma', 'prisma/models', 'prisma.config.ts', 'node_modules/prisma/package.json'])
  const stamp = stampFor(path.join(stateDir, 'stamps'), 'prisma-client', hash)
  if (stamp.isCurrent() && fs.existsSync(path.join(root, 'prisma/client/client.ts'))) return false
  stamp.remove()
  await runScript('Generating the database client', prisma, ['generate'], { log: path.join(stateDir, 'logs/prisma-generate.log') })
  stamp.put()
  return true
}
