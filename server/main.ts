/** The hub process: entry points for agents, and jobs. Stops in order on SIGTERM and SIGINT. */
import { flushCompileCache } from 'node:module'
import { composeServices } from './compose.ts'
import { checkMigrations } from './db/check-migrations.ts'
import { readEnvironment } from './env.ts'
import { advertisedUrlOf, collectGarbage, startHub, warmUpPlanner } from './hub/index.ts'
import { prepareJobs, reconcileLedgerAndLog, startJobs } from './jobs/index.ts'

const env = readEnvironment()
// With an unknown database schema it would reject some commands and corrupt data with others.
const fault = await checkMigrations(env.DATABASE_URL)
if (fault !== null) {
  process.stderr.write(`${fault}\n`)
  process.exit(1)
}
await prepareJobs(env.DATABASE_URL)
const world = await composeServices('hub', env)
collectGarbage()
// Before the first search, so that it need not wait.
world.contextFor({ kind: 'anonymous' }).ports.search.start()
const jobs = await startJobs(world.contextFor({ kind: 'system', name: 'jobs' }), env.DATABASE_URL, {
  retentionDays: env.MESSAGE_RETENTION,
})
const hub = await startHub(
  world.contextFor({ kind: 'anonymous' }),
  world.listener,
  { host: env.HUB_HOST, port: env.HUB_PORT },
  {
    trustedProxies: env.TRUSTED_PROXIES,
    peerUrlOf: advertisedUrlOf(env),
  },
)
const { log } = world.contextFor({ kind: 'system', name: 'setup' })
log.info({ event: 'hub.started', port: hub.port }, 'The hub is listening.')
// Writes the compile cache now, for the next start.
flushCompileCache()

// After the hub listens: the first quote then needs no time to load the planner.
warmUpPlanner()
void reconcileLedgerAndLog(world.contextFor({ kind: 'system', name: 'setup' }))

let isEnding = false
async function end(signal: string): Promise<void> {
  if (isEnding) return
  isEnding = true
  log.info({ event: 'hub.stop_requested', signal }, 'The hub is stopping.')
  await hub.close()
  await jobs.close()
  await world.close()
  process.exit(0)
}
process.on('SIGTERM', (signal) => void end(signal))
process.on('SIGINT', (signal) => void end(signal))
// After an unknown failure a new process is safer. All state that matters is in the database.
process.on('unhandledRejection', (error) => {
  log.fatal({ event: 'hub.crashed', err: error }, 'The hub ends because of an unhandled rejection.')
  process.exit(1)
})
