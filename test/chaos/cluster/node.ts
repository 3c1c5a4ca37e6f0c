// A hub that can be asked to stop, without the loops that talk to a chain.
import { composeWorld } from '../../../server/compose.ts'
import { readEnvironment } from '../../../server/env.ts'
import { startHub } from '../../../server/hub/index.ts'

const env = readEnvironment()
const world = await composeWorld('hub', env)
const hub = await startHub(world.contextFor({ kind: 'anonymous' }), world.listener, { host: '127.0.0.1', port: env.HUB_PORT })
process.send?.({ port: hub.port })
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', async () => {
  await hub.close()
  await world.close()
  process.exit(0)
})
