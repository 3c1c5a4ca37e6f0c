// A hub process that can be stopped on request, without the loops that use a chain.
import { composeServices } from '../../server/compose.ts'
import { readEnvironment } from '../../server/env.ts'
import { advertisedUrlOf, startHub } from '../../server/hub/index.ts'

const env = readEnvironment()
const world = await composeServices('hub', env)
const address = { host: env.HUB_HOST, port: env.HUB_PORT }
const hub = await startHub(world.contextFor({ kind: 'anonymous' }), world.listener, address, { peerUrlOf: advertisedUrlOf(env) })
process.send?.({ port: hub.port })
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', async () => {
  await hub.close()
  await world.close()
  process.exit(0)
})
