import { inject } from 'vitest'
import { createDatabaseOn, type TestDatabase } from './create-database-on.ts'

export type { TestDatabase } from './create-database-on.ts'

/** A database of the test's own on the run's cluster. */
export async function createDatabase(): Promise<TestDatabase> {
  return createDatabaseOn(inject('postgresAdminUrl'))
}
