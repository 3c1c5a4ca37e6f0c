import type { Event } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { enqueue, markEventHandled } from '../../../server/delivery/index.ts'
import { handleEvent } from '../../../server/jobs/handle-event.ts'
import { prepareJobs, startJobs } from '../../../server/jobs/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const nobodys = `gol_${'0'.repeat(32)}`
/** Books an event whose reaction can't succeed: there is no such goal. */
async function book(event: Event): Promise<string> {
  await inTransaction(world.system, (tx) => enqueue(tx, event))
  const row = await world.system.db.outboxEvent.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  return row.id
}
const handledAt = async (id: string) => (await world.system.db.outboxEvent.findUniqueOrThrow({ where: { id } })).handledAt
type Job = { attempts: number; last_error: string | null }
const jobs = (id: string) => world.system.db.$queryRaw<Job[]>`select "attempts", "last_error" from graphile_worker.jobs where "key" = ${id}`

describe('handleEvent', () => {
  it('throws what its reaction throws, and leaves the event unhandled', async () => {
    const id = await book({ type: 'hold.captured', goal_id: nobodys })
    await expectProblem(handleEvent(world.system, id), 'goal.not_found')
    expect(await handledAt(id)).toBeNull()
  })

  it('handles an event that wakes no one, and one that is unknown not at all', async () => {
    const id = await book({ type: 'goal.claimed', goal_id: nobodys })
    await handleEvent(world.system, id)
    const first = await handledAt(id)
    expect(first).toBeInstanceOf(Date)
    world.clock.advance(1_000)
    await handleEvent(world.system, id)
    expect(await handledAt(id)).toEqual(first)
    await handleEvent(world.system, `evt_${'0'.repeat(32)}`)
  })

  it('leaves alone what was handled', async () => {
    const id = await book({ type: 'hold.captured', goal_id: nobodys })
    await markEventHandled(world.system, id)
    await handleEvent(world.system, id)
  })
})

describe('the queue', () => {
  it('tries a failing event again and again, and others continue meanwhile', async () => {
    await prepareJobs(world.database.url)
    const failing = await book({ type: 'hold.captured', goal_id: nobodys })
    const fine = await book({ type: 'goal.claimed', goal_id: nobodys })
    const running = await startJobs(world.system, world.database.url)
    try {
      await world.until('the other event', async () => handledAt(fine))
      await world.until('a second attempt', async () => ((await jobs(failing))[0]?.attempts ?? 0) >= 2)
      const [job] = await jobs(failing)
      expect(job?.last_error).toContain('There is no such goal')
      expect(await handledAt(failing)).toBeNull()
      expect(await jobs(fine)).toEqual([])
    } finally {
      await running.close()
    }
  })
})
