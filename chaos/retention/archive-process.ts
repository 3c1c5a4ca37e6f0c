// Files what is due, and tells each place that it comes to. At the one named by `STOP_AT` it stands still, to be killed there.
import { setTimeout as pause } from 'node:timers/promises'
import { composeServices } from '../../server/compose.ts'
import { archiveMessages } from '../../server/delivery/index.ts'
import { readEnvironment } from '../../server/env.ts'

const { STOP_AT, CLOCK_AHEAD_MS } = process.env
const clock = { now: () => new Date(Date.now() + Number(CLOCK_AHEAD_MS)) }
process.on('disconnect', () => process.exit(0))
const world = await composeServices('hub', readEnvironment(), { clock })
await archiveMessages(world.contextFor({ kind: 'system', name: 'jobs' }), {
  retentionDays: 31,
  async reached(point, name) {
    process.send?.({ point, name })
    // Who dies by chance has to have time for it.
    await pause(point === STOP_AT ? 600_000 : 5)
  },
})
process.send?.({ point: 'done', name: '' })
await world.close()
process.exit(0)
