// `npm run chaos:settlement`: kills the settlement worker at every place there is, and counts what was paid.

import { deployedChain, startAnvil } from '../support/chain-state.ts'
import { createDatabaseOn } from '../support/database-on.ts'
import { developmentKeys } from '../support/development-keys.ts'
import { startTestCluster } from '../support/test-cluster.ts'
import { type Figures, faultsOf, missedPoints } from './figures.ts'
import { runChaos } from './scenario.ts'

async function main(): Promise<Figures> {
  const cluster = await startTestCluster()
  const { stateFile, chainId, token, escrow } = await deployedChain()
  const chain = await startAnvil({ loadState: stateFile })
  try {
    const database = await createDatabaseOn(cluster.admin)
    const ground = { databaseUrl: database.url, rpcUrl: chain.rpcUrl, chainId, token, escrow, keys: developmentKeys }
    return await runChaos(
      ground,
      { goals: 16, inFlight: 10, rounds: 3, chaosMs: 300_000, limitMs: 400_000, drainMs: 150_000, seed: Date.now() % 2 ** 31 },
      (line) => console.log(line),
    )
  } finally {
    await chain.stop()
    await cluster.stop()
  }
}

try {
  const figures = await main()
  const missed = missedPoints(figures)
  const isOk = faultsOf(figures) === 0 && figures.payouts >= 100 && missed.length === 0 && figures.clock_jumps > 0
  if (missed.length > 0) console.log(`nobody died at: ${missed.join(', ')}`)
  for (const [name, value] of Object.entries(figures))
    console.log(`  ${name.replaceAll('_', ' ')}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  console.log(JSON.stringify({ name: 'chaos:settlement', ok: isOk, figures }))
  process.exitCode = isOk ? 0 : 1
} catch (error) {
  console.error(error)
  console.log(JSON.stringify({ name: 'chaos:settlement', ok: false, figures: {} }))
  process.exitCode = 1
}
// The channel to setup.mjs would keep this process alive.
process.disconnect?.()
