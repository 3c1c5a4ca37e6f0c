import pg from 'pg'
import {
  type AppliedMigration,
  baselineFault,
  bundledMigrations,
  emptyDatabaseRemedy,
  filterPending,
  listApplied,
  migrationNames,
} from '../../db/check-migrations.ts'
import { prepareQueue } from '../../db/job-queue-pool.ts'
import { callerEnvironment } from '../install/child-environment.mjs'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { runScript } from '../processes/run-script.ts'
import { prismaCommandLine } from './ensure-prisma-client.ts'
import { wasmSchemaEnginePath } from './wasm-schema-engine-path.ts'

/** Reads the pending migrations from the database itself, so that Prisma's slow command line runs only if needed. */
export async function pendingMigrations(databaseUrl: string, migrationsDir: string): Promise<string[]> {
  return filterPending(migrationNames(migrationsDir), await readApplied(databaseUrl))
}

/**
 * Refuses a database that was created before the baseline. Nothing has changed in it then. Prisma would fail in it at the first table
 * that exists. `remedy`: what the user can do.
 * @throws {SetupProblem} with the reason and the remedy
 */
export async function demandBaseline(databaseUrl: string, remedy = emptyDatabaseRemedy): Promise<void> {
  const fault = baselineFault(bundledMigrations(), await readApplied(databaseUrl))
  if (fault !== null) throw new SetupProblem(`${fault}\n${remedy}`)
}

async function readApplied(databaseUrl: string): Promise<AppliedMigration[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    return await listApplied(client)
  } catch (error) {
    // Prisma creates a database that does not exist.
    if (error instanceof pg.DatabaseError && error.code === unknownDatabase) return []
    throw new SetupProblem(`The database at ${new URL(databaseUrl).host} cannot be used: ${(error as Error).message}`, { cause: error })
  } finally {
    await client.end()
  }
}

const unknownDatabase = '3D000'

/**
 * Applies our migrations, and creates the job queue's tables, which commands write into.
 * @throws {SetupProblem} if the database was created before the baseline, or lacks a migration afterwards
 */
export async function applyMigrations(databaseUrl: string, log: string): Promise<void> {
  await demandBaseline(databaseUrl)
  // By our engine, unless the caller names one: the native one would hold up running hubs behind its locks.
  const { PRISMA_SCHEMA_ENGINE_BINARY = wasmSchemaEnginePath } = callerEnvironment()
  const env = { DATABASE_URL: databaseUrl, PRISMA_SCHEMA_ENGINE_BINARY }
  await runScript('Applying the database migrations', prismaCommandLine, ['migrate', 'deploy'], { log, env })
  // Prisma's command line exits with 0 even where its engine could not start.
  const left = filterPending(bundledMigrations(), await readApplied(databaseUrl))
  if (left.length > 0) throw new SetupProblem(`${left.length} migrations were not applied, the first of them ${left[0]}. The log: ${log}`)
  await prepareQueue(databaseUrl)
}
