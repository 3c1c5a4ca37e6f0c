// `npm run db:deploy`: applies the migrations of this checkout to the database at DATABASE_URL. Concurrent runs wait for each other.
import path from 'node:path'
import { callerEnvironment } from '../install/child-environment.mjs'
import { SetupProblem } from '../install/ensure-installed.mjs'
import { applyMigrations } from '../postgres/apply-migrations.ts'
import { root } from '../processes/run-script.ts'

try {
  const { DATABASE_URL } = callerEnvironment()
  if (!DATABASE_URL) throw new SetupProblem('DATABASE_URL says which database; it is not set.')
  await applyMigrations(DATABASE_URL, path.join(root, '.parley/logs/migrate.log'))
  console.log('The database is in step.')
} catch (error) {
  console.error(error instanceof SetupProblem ? error.message : error)
  process.exitCode = 1
}
process.disconnect?.()
