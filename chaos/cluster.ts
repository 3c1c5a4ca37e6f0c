// `npm run chaos:cluster [-- --nats]`: agents on three hubs exchange messages while hubs are killed, restarted in turn and suspended.
// Counts messages that were lost, duplicated or out of order, and the longest interruption.
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { natsMissing, startNats } from '../test/support/nats.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { fullStageSettings, isHarmless, runClusterScenario } from './cluster/run-cluster-scenario.ts'

const wantsNats = process.argv.includes('--nats')
let code = 1
try {
  if (wantsNats && natsMissing !== null) throw new Error(natsMissing)
  const cluster = await startTestCluster({ isDurable: true })
  const nats = wantsNats ? await startNats() : null
  try {
    const { url } = await createDatabaseOn(cluster.admin)
    const out = await runClusterScenario(fullStageSettings, { databaseUrl: url, nats }, Math.random, (line) => console.log(line))
    const { faults, ...happened } = out
    for (const [figure, value] of Object.entries({ ...faults, ...happened })) console.log(`  ${figure.replaceAll('_', ' ')}: ${value}`)
    const isOk = isHarmless(fullStageSettings, out)
    console.log(JSON.stringify({ name: 'chaos:cluster', ok: isOk, figures: { wake: nats ? 'nats' : 'notify', ...faults, ...happened } }))
    code = isOk ? 0 : 1
  } finally {
    await nats?.[Symbol.asyncDispose]()
    await cluster.stop()
  }
} catch (error) {
  console.error(error)
  console.log(JSON.stringify({ name: 'chaos:cluster', ok: false, figures: {} }))
}
process.exitCode = code
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
