// `npm run chaos:webs`: two web processes behind the proxy are restarted in turn while visitors read pages, post goals and follow rooms.
// Counts requests that were refused, and messages that were lost, duplicated or out of order.
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { missedBy, runWebRestartScenario } from './web-restarts/run-web-restart-scenario.ts'

let code = 1
try {
  const cluster = await startTestCluster({ isDurable: true })
  try {
    const { url } = await createDatabaseOn(cluster.admin)
    const out = await runWebRestartScenario(url, (line) => console.log(`  ${line}`))
    const missed = missedBy(out)
    for (const one of missed) console.log(`  missed: ${one}`)
    console.log(JSON.stringify({ name: 'chaos:webs', ok: missed.length === 0, figures: out }))
    code = missed.length === 0 ? 0 : 1
  } finally {
    await cluster.stop()
  }
} catch (error) {
  console.error(error)
  console.log(JSON.stringify({ name: 'chaos:webs', ok: false, figures: {} }))
}
process.exitCode = code
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
