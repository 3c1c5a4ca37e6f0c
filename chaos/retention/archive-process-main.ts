// Archives what is due, and reports each step. It stops at the step that `STOP_AT` names, so that a test can kill it there.
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
    // A process that is killed at a random time needs time for that.
    await pause(point === STOP_AT ? 600_000 : 5)
  },
})
process.send?.({ point: 'done', name: '' })
await world.close()
process.exit(0)
