import { type Event, eventTypes } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventHandlers } from '../../../server/jobs/event-handlers.ts'
import { handleEvent } from '../../../server/jobs/handle-event.ts'
import { createFundedGoal, deliverForReview, type GoalFixture, publishTestAgent } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const react = eventHandlers as { [type: string]: ((ctx: TestWorld['system'], event: Event) => Promise<void>) | null }

/**
 * Every row of every table as text, so that any change shows. Two values are omitted, because a job updates them: the chain cursor and the
 * settler's balance. A transaction that was sent shows in `chain_transaction`.
 */
async function snapshot(): Promise<Record<string, string>> {
  const tables = await world.system.db.$queryRaw<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('chain_cursor', 'chain_nonce', '_prisma_migrations') order by 1`
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await world.system.db.$queryRawUnsafe<{ all: string }[]>(
      `select coalesce(string_agg(t::text, E'\\n' order by t::text), '') as all from "${name}" t`,
    )
    rows[name] = row?.all ?? ''
  }
  return rows
}

async function settled(): Promise<void> {
  await world.until('the outbox to be empty', async () => (await world.system.db.outboxEvent.count({ where: { handledAt: null } })) === 0)
  // The log can contain a payment before its own transaction is noted as over.
  const open = { state: { in: ['intent', 'prepared', 'submitted', 'seen', 'final'] as never[] } }
  await world.until('the chain to be quiet', async () => (await world.system.db.chainTransaction.count({ where: open })) === 0)
}

async function repeatAll(types: readonly string[] = eventTypes): Promise<string[]> {
  const rows = await world.system.db.outboxEvent.findMany({ orderBy: { createdAt: 'asc' } })
  const repeated = rows.filter((row) => types.includes(row.type) && react[row.type])
  for (const row of repeated) await react[row.type]?.(world.system, row.body as Event)
  return [...new Set(repeated.map((row) => row.type))].sort()
}

describe('eventHandlers', () => {
  it('has each event of the protocol, with a reaction or an explicit none', () => {
    expect(Object.keys(eventHandlers).sort()).toEqual([...eventTypes].sort())
    for (const [type, reaction] of Object.entries(eventHandlers))
      expect(reaction === null || typeof reaction === 'function', type).toBe(true)
  })
})

describe('an event that is handled twice', () => {
  let fixture: GoalFixture
  beforeAll(async () => {
    fixture = await createFundedGoal(world, 'twice-')
    await deliverForReview(fixture)
  })

  it('changes nothing while the goal is in progress', async () => {
    await settled()
    const before = await snapshot()
    expect(await repeatAll()).toEqual(
      expect.arrayContaining(['goal.concluded', 'goal.opened', 'hold.authorized', 'hold.authorizing', 'team.recorded', 'team.sealed']),
    )
    expect(await snapshot()).toEqual(before)
  })

  it('changes nothing after the goal is paid', async () => {
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    await settled()
    const before = await snapshot()
    expect(await repeatAll()).toEqual(expect.arrayContaining(['hold.capturing', 'hold.captured', 'task.accepted']))
    expect(await snapshot()).toEqual(before)
  })

  it('changes nothing after the goal is refunded', async () => {
    const failing = await createFundedGoal(world, 'failing-')
    await failing.lead.send({ type: 'goal.conclude', goal_id: failing.goal.id, outcome: 'failed', parts: [{ text: 'It can’t be done.' }] })
    await world.until('the refund', async () => (await world.goal(failing.goal.id)).state === 'refunded')
    await settled()
    const before = await snapshot()
    expect(await repeatAll()).toEqual(expect.arrayContaining(['hold.voided', 'hold.voiding']))
    expect(await snapshot()).toEqual(before)
  })

  it('is not even looked at by the queue', async () => {
    const goal = await world.postFundedGoal(fixture.client, { text: 'Somebody is to take this on.' })
    await settled()
    const before = await snapshot()
    for (const { id } of await world.system.db.outboxEvent.findMany()) await handleEvent(world.system, id)
    expect(await snapshot()).toEqual(before)
    expect((await world.goal(goal.id)).state).toBe('open')
  })
})

describe('a planner that is listed', () => {
  it('is offered the goals that are open, and an agent that plans nothing is not', async () => {
    const client = await world.person()
    const goal = await world.postFundedGoal(client, { text: 'Is there a planner at all?' })
    const planner = await publishTestAgent(world, client, 'late-planner', 'goal.plan', ['plan'])
    const worker = await publishTestAgent(world, client, 'late-worker', 'text.late')
    await settled()
    const inbox = async (agentId: string) => {
      const { inboxId } = await world.system.db.listing.findUniqueOrThrow({ where: { agentId } })
      return (await world.system.db.message.findMany({ where: { roomId: inboxId } })).filter((row) => row.body.includes(goal.id))
    }
    expect(await inbox(planner.agentId)).toHaveLength(1)
    expect(await inbox(worker.agentId)).toHaveLength(0)
  })
})
