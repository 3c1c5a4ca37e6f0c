/** The hub process: agents' doors and jobs. Ends in order on SIGTERM and SIGINT. */
import { flushCompileCache } from 'node:module'
import { composeServices } from './compose.ts'
import { checkMigrations } from './db/migration-status.ts'
import { readEnvironment } from './env.ts'
import { advertisedUrlOf, collectGarbage, startHub } from './hub/index.ts'
import { prepareJobs, reconcileAndLog, startJobs } from './jobs/index.ts'

const env = readEnvironment()
// On tables that it doesn't know it would refuse some work and spoil other.
const fault = await checkMigrations(env.DATABASE_URL)
if (fault !== null) {
  process.stderr.write(`${fault}\n`)
  process.exit(1)
}
await prepareJobs(env.DATABASE_URL)
const world = await composeServices('hub', env)
collectGarbage()
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
log.info({ port: hub.port }, 'the hub listens')
// What was compiled is there for the next start, however this process ends.
flushCompileCache()

void reconcileAndLog(world.contextFor({ kind: 'system', name: 'setup' }))

let isEnding = false
async function end(signal: string): Promise<void> {
  if (isEnding) return
  isEnding = true
  log.info({ signal }, 'the hub ends')
  await hub.close()
  await jobs.close()
  await world.close()
  process.exit(0)
}
process.on('SIGTERM', (signal) => void end(signal))
process.on('SIGINT', (signal) => void end(signal))
// A state nobody thought of is left to a fresh process: everything that matters is in the database.
process.on('unhandledRejection', (error) => {
  log.fatal({ err: error }, 'an unhandled rejection')
  process.exit(1)
})
