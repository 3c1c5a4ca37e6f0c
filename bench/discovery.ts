/**
 * `npm run bench:discovery`: the public query for agents by size of the market, compared with the previous implementation and
 * PostgreSQL's full text, and the protection from flooding. Last line: {"name":"bench:discovery","ok":true,"figures":{…}}
 */
import { parseArgs } from 'node:util'
import { connectDatabase } from '../server/db.ts'
import { createDatabaseOn } from '../test/support/database-on.ts'
import { startTestCluster } from '../test/support/test-cluster.ts'
import { type FloodFigures, measureFlooding } from './discovery/flooding.ts'
import { type MarketFigures, measureMarket } from './discovery/market-load.ts'
import { plant } from './discovery/plant.ts'
import { floodFaults, marketFaults, missingFaults, targets } from './discovery/targets.ts'

const { values } = parseArgs({
  options: {
    /** Numbers of listings. The targets need all sizes of the default. */
    sizes: { type: 'string', default: targets.sizes.join(',') },
    /** Queries for each kind of filter. */
    rounds: { type: 'string', default: '300' },
    /** Queries for each kind of flood. */
    floods: { type: 'string', default: String(targets.floodQueries) },
  },
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)
const maxMinutes = 60

function report(markets: readonly MarketFigures[], flooding: FloodFigures | null, failures: readonly string[]): void {
  const faults = [...failures, ...markets.flatMap(marketFaults), ...floodFaults(flooding), ...missingFaults(markets)]
  for (const fault of faults) console.log(`  missed: ${fault}`)
  const ok = faults.length === 0
  console.log(JSON.stringify({ name: 'bench:discovery', ok, figures: { markets, flooding, faults } }))
  process.exitCode = ok ? 0 : 1
}

const markets: MarketFigures[] = []
const late = setTimeout(() => {
  report(markets, null, [`The measurement took more than ${maxMinutes} minutes.`])
  process.exit(1)
}, maxMinutes * 60_000)

async function measureMarkets(): Promise<void> {
  const cluster = await startTestCluster()
  try {
    await using database = await createDatabaseOn(cluster.admin)
    const db = connectDatabase(database.url, 2)
    let planted = 0
    for (const size of sizes) {
      await plant(db, planted, size, 'eip155:31337/erc20:0x3333333333333333333333333333333333333333')
      planted = size
      const figures = await measureMarket({ url: database.url, size, rounds })
      console.log(`  ${JSON.stringify(figures)}`)
      markets.push(figures)
    }
    await db.$disconnect()
  } finally {
    await cluster.stop()
  }
}

const flooding = measureFlooding(Number(values.floods))
console.log(`  ${JSON.stringify(flooding)}`)
const failures: string[] = []
await measureMarkets().catch((error: unknown) => failures.push(String(error)))
clearTimeout(late)
report(markets, flooding, failures)
// The channel to setup.mjs would keep this process alive.
process.disconnect?.()
