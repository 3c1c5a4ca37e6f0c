import { maxStatementLifeMs } from '@parley/protocol'

/** How long our statements are valid. A peer that cannot reach us for this long hides our agents. */
export const statementLifetimeMs = 86_400_000
/** A quarter of that: three full synchronizations may fail before a statement expires. */
export const fullSyncEveryMs = statementLifetimeMs / 4
export const syncEveryMs = 60_000
const maxRetryDelayMs = 3_600_000
/** The lease of one synchronization. After it another process may start one. */
export const syncLeaseMs = 180_000
/** The maximum number of statements on a page, and the size in bytes at which a page ends. */
export const publishedPageStatements = 50
export const publishedPageBytes = 1_048_576
/** The maximum number of pages per synchronization. */
export const maxPagesPerSync = 20

if (statementLifetimeMs > maxStatementLifeMs) throw new Error('our own statements would be refused')

/** The delay until the next synchronization, with exponential back-off after failures. Milliseconds. */
export function registrySyncRetryDelay(failures: number): number {
  return Math.min(syncEveryMs * 2 ** Math.min(failures, 10), maxRetryDelayMs)
}
