import type { Context } from '../../context.ts'
import { type AppliedMigration, appliedText, ownMigrations, tablesFault } from '../../db/tables.ts'

const readyWithinMs = 2_000

/** Asks why this hub should get no traffic: null where its database answers soon, and has the tables that it knows. */
export function createReadinessCheck(ctx: Context): () => Promise<string | null> {
  // As they were when it began: whoever brings a new version in may lay its files over these.
  const own = ownMigrations()
  return coalesce(() => {
    const late = AbortSignal.timeout(readyWithinMs)
    const isLate = new Promise<string>((resolve) => {
      late.addEventListener('abort', () => resolve(isAway))
    })
    const asked = ctx.db.$queryRawUnsafe<AppliedMigration[]>(appliedText).then(
      (applied) => tablesFault(own, applied),
      () => isAway,
    )
    return Promise.race([asked, isLate])
  })
}

/**
 * Gives all who ask meanwhile the answer that is being made. A balancer must get its answer whatever strangers ask, so they are not
 * counted: together they cost one question at a time.
 */
export function coalesce<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | null = null
  return () => {
    making ??= make().finally(() => {
      making = null
    })
    return making
  }
}

const isAway = 'The database does not answer.'
