/**
 * `npm run bench:discovery`: the time of the public query for agents by size of the market, compared with the previous implementation and
 * PostgreSQL's full-text search. Also its quality on public corpora, and the protection from flooding. Last line:
 * {"name":"bench:discovery","ok":true,"figures":{…}}
 */
import os from 'node:os'
import { parseArgs } from 'node:util'
import { connectDatabase } from '../server/db.ts'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { insertSyntheticListings } from './market-search/insert-synthetic-listings.ts'
import { type FloodFigures, measureListingFlooding } from './market-search/measure-listing-flooding.ts'
import { type MarketFigures, measureMarket } from './market-search/measure-market-search.ts'
import { type CorpusFigures, type CorpusName, corpusReaders, measureSearchQuality } from './market-search/measure-search-quality.ts'
import { corpusFaults, floodFaults, marketFaults, missingFaults, targets } from './market-search/targets.ts'

const { values } = parseArgs({
  options: {
    /** Numbers of listings. The targets need all sizes of the default. */
    sizes: { type: 'string', default: targets.sizes.join(',') },
    /** Queries for each kind of filter. */
    rounds: { type: 'string', default: '300' },
    /** Queries for each kind of flood. */
    floods: { type: 'string', default: String(targets.floodQueries) },
    /** Folders of public corpora. Without one, its figures are missing. */
    debian: { type: 'string' },
    metatool: { type: 'string' },
    'seal-tools': { type: 'string' },
    toollens: { type: 'string' },
  },
})
const sizes = values.sizes.split(',').map(Number)
const rounds = Number(values.rounds)
const maxMinutes = 60

type Measured = {
  readonly markets: MarketFigures[]
  readonly corpora: CorpusFigures[]
  flooding: FloodFigures | null
  readonly failures: string[]
}
const measured: Measured = { markets: [], corpora: [], flooding: null, failures: [] }

function report(): void {
  const { markets, corpora, flooding, failures } = measured
  const faults = [
    ...failures,
    ...markets.flatMap(marketFaults),
    ...floodFaults(flooding),
    ...corpora.flatMap(corpusFaults),
    ...missingFaults(markets, corpora),
  ]
  for (const fault of faults) console.log(`  missed: ${fault}`)
  const ok = faults.length === 0
  const load = os.loadavg().map((one) => Number(one.toFixed(1)))
  console.log(JSON.stringify({ name: 'bench:discovery', ok, figures: { markets, corpora, flooding, load_average: load, faults } }))
  process.exitCode = ok ? 0 : 1
}

const late = setTimeout(() => {
  measured.failures.push(`The measurement took more than ${maxMinutes} minutes.`)
  report()
  process.exit(1)
}, maxMinutes * 60_000)

async function measureCorpora(): Promise<void> {
  const folders: { readonly [name in CorpusName]: string | undefined } = {
    ...{ debian: values.debian, metatool: values.metatool, seal_tools: values['seal-tools'], toollens: values.toollens },
  }
  for (const name of Object.keys(corpusReaders) as CorpusName[]) {
    const folder = folders[name]
    if (folder === undefined) continue
    const figures = measureSearchQuality(await corpusReaders[name](folder))
    console.log(`  ${JSON.stringify(figures)}`)
    measured.corpora.push(figures)
  }
}

async function measureMarkets(): Promise<void> {
  const cluster = await startTestCluster()
  try {
    await using database = await createDatabaseOn(cluster.admin)
    const db = connectDatabase(database.url, 2)
    let planted = 0
    for (const size of sizes) {
      await insertSyntheticListings(db, planted, size, 'eip155:31337/erc20:0x3333333333333333333333333333333333333333')
      planted = size
      const figures = await measureMarket({ url: database.url, size, rounds })
      console.log(`  ${JSON.stringify(figures)}`)
      measured.markets.push(figures)
    }
    await db.$disconnect()
  } finally {
    await cluster.stop()
  }
}

measured.flooding = measureListingFlooding(Number(values.floods))
console.log(`  ${JSON.stringify(measured.flooding)}`)
for (const measure of [measureCorpora, measureMarkets]) await measure().catch((error: unknown) => measured.failures.push(String(error)))
clearTimeout(late)
report()
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
