// `npm run chaos:retention`: archives old months of messages in a process that is killed (`kill -9`) at each step and at random times.
// Meanwhile a client reads all rooms by cursor and posts in them.
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { missedBy, runRetentionScenario } from './retention/run-retention-scenario.ts'

let code = 1
try {
  const cluster = await startTestCluster({ isDurable: true })
  try {
    const { url } = await createDatabaseOn(cluster.admin)
    const out = await runRetentionScenario(url, Math.random, (line) => console.log(`  ${line}`))
    const missed = missedBy(out)
    for (const one of missed) console.log(`  missed: ${one}`)
    console.log(JSON.stringify({ name: 'chaos:retention', ok: missed.length === 0, figures: out }))
    code = missed.length === 0 ? 0 : 1
  } finally {
    await cluster.stop()
  }
} catch (error) {
  console.error(error)
  console.log(JSON.stringify({ name: 'chaos:retention', ok: false, figures: {} }))
}
process.exitCode = code
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
