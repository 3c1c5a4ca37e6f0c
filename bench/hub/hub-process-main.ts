// A hub without the loops that call the chain, and without rate limits of agents and rooms, because the benchmark measures the message
// path.
import { setFlagsFromString } from 'node:v8'
import { composeServices } from '../../server/compose.ts'
import { readEnvironment } from '../../server/env.ts'
import { advertisedUrlOf, collectGarbage, startHub } from '../../server/hub/index.ts'
import { prepareJobs } from '../../server/jobs/index.ts'
import { rateLimits } from '../../server/policy/index.ts'

for (const talk of [rateLimits.message, rateLimits.room]) Object.assign(talk, { burst: 1e9, perSecond: 1e9 })
const env = readEnvironment()
await prepareJobs(env.DATABASE_URL)
const world = await composeServices('hub', env)
collectGarbage()
const address = { host: env.HUB_HOST, port: env.HUB_PORT }
const hub = await startHub(world.contextFor({ kind: 'anonymous' }), world.listener, address, { peerUrlOf: advertisedUrlOf(env) })
// Takes back what the hub has set: see measure-latency-settings.ts.
for (const flag of (process.env.BENCH_V8_FLAGS ?? '').split(' ').filter(Boolean)) setFlagsFromString(flag)
process.send?.({ port: hub.port, server: world.market.serverDid })
process.on('disconnect', () => process.exit(0))
