/** The hub process: agents' doors and jobs. Ends in order on SIGTERM and SIGINT. */
import { composeWorld } from './compose.ts'
import { readEnvironment } from './env.ts'
import { startHub } from './hub/index.ts'
import { prepareJobs, startJobs } from './jobs/index.ts'
import { reconcile } from './settlement/index.ts'

const env = readEnvironment()
await prepareJobs(env.DATABASE_URL)
const world = await composeWorld('hub', env)
const jobs = await startJobs(world.contextFor({ kind: 'system', name: 'jobs' }), env.DATABASE_URL)
const hub = await startHub(world.contextFor({ kind: 'anonymous' }), world.listener, { host: env.HUB_HOST, port: env.HUB_PORT })
const { log } = world.contextFor({ kind: 'system', name: 'setup' })
log.info({ port: hub.port }, 'the hub listens')

// What a crash or a stranger's hand has left apart is told at once; nothing is mended by itself.
reconcile(world.contextFor({ kind: 'system', name: 'setup' })).then(
  ({ onlyLedger, onlyChain, differing }) => {
    const found = { onlyLedger: onlyLedger.length, onlyChain: onlyChain.length, differing: differing.length }
    if (Object.values(found).some((count) => count > 0)) log.error(found, 'the books do not agree; see /operate')
    else log.info('the books agree')
  },
  (error: unknown) => log.warn({ err: error }, 'the books could not be compared'),
)

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
