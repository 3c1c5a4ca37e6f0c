import { runSql } from '../../server/embedded/postgres/postgres.ts'
import { createDatabaseOn } from '../../test/support/create-database-on.ts'
import { deployedChain, startAnvil } from '../../test/support/deployed-chain.ts'
import { developmentKeys } from '../../test/support/development-keys.ts'
import { startTestCluster } from '../../test/support/postgres-cluster.ts'
import type { TestEnvironment } from './test-environment.ts'

/** More than twice the deepest reorg: removed blocks may count until they are evicted. */
export const keptStates = 500

/** A private database and chain on loopback, which the run may crash. */
export async function withTestEnvironment<T>(work: (environment: TestEnvironment) => Promise<T>): Promise<T> {
  // What was committed survives a crash of the server, as it does in production; the machine itself does not crash.
  const cluster = await startTestCluster({ settings: { synchronous_commit: 'on' } })
  try {
    const { stateFile, ...deployed } = await deployedChain()
    const chain = await startAnvil({ loadState: stateFile, keptStates })
    try {
      const database = await createDatabaseOn(cluster.admin)
      return await work({
        ...deployed,
        databaseUrl: database.url,
        crashDatabase: cluster.crash,
        disconnectDatabase: () =>
          runSql(cluster.admin, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`).then(() => {}),
        rpcUrl: chain.rpcUrl,
        keys: developmentKeys,
      })
    } finally {
      await chain.stop()
    }
  } finally {
    await cluster.stop()
  }
}
