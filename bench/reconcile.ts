// `npm run bench:reconcile`: 10,000 transfers with one of each fault; exactly those have to be found, within 30 s.
import { isDeepStrictEqual } from 'node:util'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { reconcilePlanted } from './reconcile-planted-errors.ts'

const rows = 10_000
const maxMs = 30_000

const cluster = await startTestCluster()
try {
  const database = await createDatabaseOn(cluster.admin)
  const { found, planted, ms, again } = await reconcilePlanted(database.url, rows)
  const isExact = isDeepStrictEqual(found, planted)
  if (!isExact) console.log({ found, planted })
  const faults = Object.values(planted).reduce((sum, list) => sum + list.length, 0)
  console.log(
    `  ${rows} transfers compared with the chain's log and Stripe's in ${ms} ms, and once more from the checkpoint in ${again} ms`,
  )
  const isOk = isExact && ms < maxMs
  console.log(
    JSON.stringify({ name: 'bench:reconcile', ok: isOk, figures: { rows, planted: faults, exact: isExact, ms, incremental_ms: again } }),
  )
  process.exitCode = isOk ? 0 : 1
} finally {
  await cluster.stop()
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
