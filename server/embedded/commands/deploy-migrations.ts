// `npm run db:deploy`: applies the migrations of this checkout to the database at DATABASE_URL. Concurrent runs wait for each other.
import os from 'node:os'
import path from 'node:path'
import { callerEnvironment } from '../install/child-environment.mjs'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { applyMigrations } from '../postgres/apply-migrations.ts'

try {
  const { DATABASE_URL } = callerEnvironment()
  if (!DATABASE_URL) throw new SetupProblem('DATABASE_URL says which database; it is not set.')
  // In a container only this folder can be written.
  await applyMigrations(DATABASE_URL, path.join(os.tmpdir(), `parley-migrate-${process.pid}.log`))
  console.log('The database is in step.')
} catch (error) {
  console.error(error instanceof SetupProblem ? error.message : error)
  process.exitCode = 1
}
process.disconnect?.()
