import type { Context } from '../../context.ts'
import { type AppliedMigration, appliedMigrationsSql, bundledMigrations, migrationFault } from '../../db/check-migrations.ts'
import { singleFlight } from './single-flight.ts'

const readyWithinMs = 2_000

/** The health check of a hub: returns why this hub is not ready; null if its database answers in time and has the expected migrations. */
export function createReadinessCheck(ctx: Context): () => Promise<string | null> {
  // Read at startup, because an upgrade may replace the files of a running process.
  const own = bundledMigrations()
  return singleFlight(() => {
    const late = AbortSignal.timeout(readyWithinMs)
    const isLate = new Promise<string>((resolve) => {
      late.addEventListener('abort', () => resolve(isAway))
    })
    const asked = ctx.db.$queryRawUnsafe<AppliedMigration[]>(appliedMigrationsSql).then(
      (applied) => migrationFault(own, applied),
      () => isAway,
    )
    return Promise.race([asked, isLate])
  })
}

const isAway = 'The database does not answer.'
