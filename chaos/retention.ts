// `npm run chaos:retention`: files old months of messages in a process that is killed (`kill -9`) at each place of that work and
// at moments of chance, while a client reads all of the rooms by cursor and keeps posting in them.
import { createDatabaseOn } from '../test/support/database-on.ts'
import { startTestCluster } from '../test/support/test-cluster.ts'
import { missedBy, runRetentionScenario } from './retention/scenario.ts'

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
// The channel to setup.mjs would keep this process alive.
process.disconnect?.()
