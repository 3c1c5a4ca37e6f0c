// `npm run chaos:cluster [-- --nats]`: agents spread over three hubs talk while hubs are killed, restarted one after the other
// and stopped in their tracks; counts what was lost, doubled or out of order, and how long anybody was silent.
import { createDatabaseOn } from '../test/support/database-on.ts'
import { natsMissing, startNats } from '../test/support/nats.ts'
import { startTestCluster } from '../test/support/test-cluster.ts'
import { isHarmless, runClusterScenario, wholeStage } from './cluster/scenario.ts'

const wantsNats = process.argv.includes('--nats')
let code = 1
try {
  if (wantsNats && natsMissing !== null) throw new Error(natsMissing)
  const cluster = await startTestCluster({ isDurable: true })
  const nats = wantsNats ? await startNats() : null
  try {
    const { url } = await createDatabaseOn(cluster.admin)
    const out = await runClusterScenario(wholeStage, { databaseUrl: url, nats }, Math.random, (line) => console.log(line))
    const { faults, ...happened } = out
    for (const [figure, value] of Object.entries({ ...faults, ...happened })) console.log(`  ${figure.replaceAll('_', ' ')}: ${value}`)
    const isOk = isHarmless(wholeStage, out)
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
// The channel to setup.mjs would keep this process alive.
process.disconnect?.()
