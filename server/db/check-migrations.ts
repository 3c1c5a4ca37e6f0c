import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'

export type AppliedMigration = { migration_name: string; finished: boolean; rolled_back: boolean }

/** Selects the rows of `AppliedMigration` from Prisma's table. */
export const appliedMigrationsSql = `
  select migration_name, finished_at is not null as finished, rolled_back_at is not null as rolled_back from _prisma_migrations`

/** The names of the migrations, in order. */
export function migrationNames(migrationsDir: string): string[] {
  if (!fs.existsSync(migrationsDir)) return []
  const folders = fs.readdirSync(migrationsDir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name).sort()
}

/** The migrations of this version. */
export function bundledMigrations(): string[] {
  return migrationNames(path.join(import.meta.dirname, '../../prisma/migrations'))
}

/** The migrations that are not applied. A migration that began and did not finish counts as pending; Prisma then states what to do. */
export function filterPending(names: readonly string[], applied: readonly AppliedMigration[]): string[] {
  const done = new Set(filterDone(applied))
  return names.filter((name) => !done.has(name))
}

/** What to do about a database from before the baseline, where the caller knows no better way. */
export const emptyDatabaseRemedy =
  'Set DATABASE_URL to an empty database, then run `npm run db:deploy`. The version that created this database can still use it.'

/**
 * Why no version with these migrations can use the database: it has migrations from before the first of `names`, which is the baseline.
 * Null if it has none.
 */
export function baselineFault(names: readonly string[], applied: readonly AppliedMigration[]): string | null {
  const baseline = names[0] ?? ''
  const last = applied
    .map((row) => row.migration_name)
    .filter((name) => name < baseline)
    .sort()
    .at(-1)
  if (last === undefined) return null
  return `An older version created the database: it has the migration ${last}, and this version begins with ${baseline}. No automatic upgrade exists, so nothing was changed.`
}

/**
 * Why a version with these migrations cannot use the database, with the remedy; null if it can. A newer database is fine if migrations
 * only added to it. A migration that removes something names, in its suffix `_contract_<timestamp>`, the migration since which nothing
 * needs the removed part. A version without that migration is too old.
 */
export function migrationFault(names: readonly string[], applied: readonly AppliedMigration[]): string | null {
  const older = baselineFault(names, applied)
  if (older !== null) return `${older} ${emptyDatabaseRemedy}`
  const [first, ...more] = filterPending(names, applied)
  if (first !== undefined)
    return `The database lacks ${more.length === 0 ? '' : `${more.length + 1} migrations of this version, the first of them `}${first}: run \`npm run db:deploy\` of this version, then start it again.`
  for (const name of filterDone(applied)) {
    const since = contractSince(name)
    if (since !== null && !names.some((own) => own.startsWith(`${since}_`)))
      return `The database has gone beyond this version, whose tables were changed by ${name}: start a version that has the migration of ${since}, or a newer one.`
  }
  return null
}

/** The timestamp of the migration since which nothing needs what this one removes; null if it removes nothing. */
export function contractSince(name: string): string | null {
  return /_contract_(\d{14})$/.exec(name)?.[1] ?? null
}

/**
 * Runs `migrationFault` on a database.
 * @throws if the database cannot be reached
 */
export async function checkMigrations(databaseUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return migrationFault(bundledMigrations(), await listApplied(client))
  } finally {
    await client.end()
  }
}

/** Empty if Prisma has never migrated this database. */
export async function listApplied(client: Pick<pg.Client, 'query'>): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ name: string | null }>(`select to_regclass('_prisma_migrations')::text as name`)
  return rows[0]?.name == null ? [] : (await client.query<AppliedMigration>(appliedMigrationsSql)).rows
}

function filterDone(applied: readonly AppliedMigration[]): string[] {
  return applied.filter((row) => row.finished && !row.rolled_back).map((row) => row.migration_name)
}
