import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'

export type AppliedMigration = { migration_name: string; finished: boolean; rolled_back: boolean }

/** Rows of `AppliedMigration`, from the table that Prisma keeps. */
export const appliedMigrationsSql = `
  select migration_name, finished_at is not null as finished, rolled_back_at is not null as rolled_back from _prisma_migrations`

/** The names of the migrations in the order in which they are applied. */
export function migrationNames(migrationsDir: string): string[] {
  if (!fs.existsSync(migrationsDir)) return []
  const folders = fs.readdirSync(migrationsDir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name).sort()
}

/** Those that this version brings. */
export function bundledMigrations(): string[] {
  return migrationNames(path.join(import.meta.dirname, '../../prisma/migrations'))
}

/** Those not yet applied. One that began and did not finish is pending too: Prisma then says what to do about it. */
export function filterPending(names: readonly string[], applied: readonly AppliedMigration[]): string[] {
  const done = new Set(filterDone(applied))
  return names.filter((name) => !done.has(name))
}

/**
 * Why a version with these migrations can't work on the tables as they stand, in a sentence that says what to do; null where
 * it can. Tables may be newer: what is added is no matter to it. One that takes something away says in its name since which
 * migration nothing needs that any more, `…_contract_20270131120000`, and a version that doesn't have that one is too old.
 */
export function migrationFault(names: readonly string[], applied: readonly AppliedMigration[]): string | null {
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

/** The time of the migration since which nothing needs what this one takes away; null for one that takes nothing away. */
export function contractSince(name: string): string | null {
  return /_contract_(\d{14})$/.exec(name)?.[1] ?? null
}

/** The same, asked of a database. @throws where it can't be reached */
export async function checkMigrations(databaseUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return migrationFault(bundledMigrations(), await listApplied(client))
  } finally {
    await client.end()
  }
}

/** None where Prisma has never been here. */
export async function listApplied(client: Pick<pg.Client, 'query'>): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ name: string | null }>(`select to_regclass('_prisma_migrations')::text as name`)
  return rows[0]?.name == null ? [] : (await client.query<AppliedMigration>(appliedMigrationsSql)).rows
}

function filterDone(applied: readonly AppliedMigration[]): string[] {
  return applied.filter((row) => row.finished && !row.rolled_back).map((row) => row.migration_name)
}
