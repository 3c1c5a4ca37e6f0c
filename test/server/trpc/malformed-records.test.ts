import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { listPayouts } from '../../../server/settlement/index.ts'
import { createCaller } from '../../../server/trpc/app-router.ts'
import { createFundedGoal, deliverForReview, type GoalFixture } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
let operator: Context
/** Its hold waits for the client's authorization. */
let unfunded: string
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await deliverForReview(fixture)
  operator = (await world.person({ usdc: 0n, isOperator: true })).ctx
  await storeTheRest()
})
afterAll(() => world?.[Symbol.asyncDispose]())

const at = new Date()
const later = new Date(at.getTime() + 86_400_000)

/** One record of each kind that a goal alone leaves none of. */
async function storeTheRest(): Promise<void> {
  const { db } = world.system
  const agentId = fixture.first.agentId
  await db.memoryNote.create({ data: { agentId, key: 'k', about: fixture.client.did, note: { a: 1 }, writtenAt: at, expiresAt: later } })
  await db.poolEntry.create({
    data: {
      ...{ agentId, resource: 'r', state: 'admitted', pool: 'public', name: 'R', reason: '', fingerprint: '', body: {} },
      ...{ changedAt: at, reportedAt: at },
    },
  })
  await db.hubLoad.create({ data: { hub: randomUUID(), at: world.clock.now(), name: 'hub', figures: {} } })
  await db.chainAlarm.create({
    data: { chainId: world.world.market.chainId, kind: 'balance', subject: '', facts: {}, since: at, lastAt: at },
  })
  const { charter, charterHash } = await db.team.findUniqueOrThrow({ where: { goalId: fixture.goal.id } })
  await db.charterDraft.create({
    data: {
      ...{
        goalId: fixture.goal.id,
        charterHash,
        number: 1,
        charter: charter as object,
        rationale: 'Because.',
        state: 'submitted',
        steps: [],
      },
      submittedAt: at,
    },
  })
  const brief = { text: 'Sing me a song, please.', criteria: [{ text: 'Sung.' }], budget: '5000000', deadline: later.toISOString() }
  const post = { type: 'goal.post', id: world.system.ids.uuid(), goal: brief, attachments: [] } as const
  unfunded = (await fixture.client.send<{ goal_id: string }>(post)).goal_id
  const hold = await db.hold.findUniqueOrThrow({ where: { goalId: fixture.goal.id } })
  const wallet = `0x${'1'.repeat(40)}`
  const channelId = `0x${'c'.repeat(64)}`
  await db.channel.create({
    data: {
      ...{ id: channelId, state: 'open', asset: hold.asset, chainId: 1, contract: wallet, clientId: fixture.client.did, agentId },
      ...{ payer: wallet, authorizer: wallet, receiver: wallet, settler: wallet, token: wallet, withdrawDelay: 86_400, salt: channelId },
      ...{ deposit: 1n, topUp: { amount: '1', failure: null }, openedTx: channelId, createdAt: at, updatedAt: at },
    },
  })
  await db.call.create({
    data: {
      ...{ id: `cal_${'0'.repeat(32)}`, channelId, agentId, clientId: fixture.client.did, callerId: fixture.client.did, skillId: 's' },
      ...{ price: 1n, digest: '', inputs: [], attachments: [], artifacts: [], state: 'answered', text: 'Yes.' },
      ...{ leaseUntil: later, requestedAt: at, endedAt: later },
    },
  })
}

/** What pages ask, by whom. A bucket of requests is kept for each set of ports: each question here has its own. */
async function askAll(): Promise<string[]> {
  const goal = { goal_id: fixture.goal.id }
  const agent = { agent: fixture.first.agentId }
  const [payout] = await listPayouts(world.system, { goalId: fixture.goal.id })
  const as = (ctx: Context) => {
    const own = { ...ctx, ports: { ...ctx.ports }, log: { ...ctx.log, error: () => undefined } } as Context
    return createCaller({ ctx: own, services: world.world, token: null, userAgent: '', source: '', reply: null, id: 'test' })
  }
  const [client, publisher, boss] = [as(fixture.client.ctx), as(fixture.publisher.ctx), as(operator)]
  const asked: { readonly [what: string]: () => Promise<unknown> } = {
    'goals.list': () => client.goals.list({}),
    'goals.get': () => client.goals.get(goal),
    'goals.getPage': () => client.goals.getPage(goal),
    'goals.getPage, unfunded': () => client.goals.getPage({ goal_id: unfunded }),
    'goals.getRoomStatus': () => client.goals.getRoomStatus({ ...goal, room_id: fixture.goal.roomId }),
    'disputes.getOfGoal': () => client.disputes.getOfGoal(goal),
    'settlement.getMoney': () => client.settlement.getMoney(goal),
    'settlement.getProof': () => client.settlement.getProof(goal),
    'settlement.getReceipt': () => client.settlement.getReceipt({ payout_id: payout?.id ?? '' }),
    'settlement.getMine': () => publisher.settlement.getMine(),
    'settlement.getEarnings': () => publisher.settlement.getEarnings(),
    'registry.discover': () => client.registry.discover({} as never),
    'registry.get': () => client.registry.get(agent),
    'registry.listRevisions': () => client.registry.listRevisions(agent),
    'registry.listMine': () => publisher.registry.listMine({}),
    'registry.listEarnings': () => publisher.registry.listEarnings(),
    'reputation.getAgentRecord': () => client.reputation.getAgentRecord(agent),
    'market.getOverview': () => client.market.getOverview(),
    'memory.read': () => client.memory.read(),
    'pools.list': () => boss.pools.list(),
    'channels.listMine': () => client.channels.listMine({ side: 'client' }),
    'channels.get': () => client.channels.get({ channel_id: `0x${'c'.repeat(64)}` } as never),
    'telemetry.listLoad': () => boss.telemetry.listLoad(),
    'settlement.getChainHealth': () => boss.settlement.getChainHealth(),
    'settlement.listDeadLetters': () => boss.settlement.listDeadLetters(),
    'settlement.listReconciliations': () => boss.settlement.listReconciliations(),
    'disputes.listOpen': () => boss.disputes.listOpen(),
  }
  const failed = await Promise.all(
    Object.entries(asked).map(async ([what, ask]) => {
      try {
        JSON.stringify(await ask(), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
        return []
      } catch (error) {
        return [`${what}: ${String(error).slice(0, 160)}`]
      }
    }),
  )
  return failed.flat()
}

const values = ['"none"', '[null, 5, {"a": 1}]', '{"constructor": {"prototype": 1}, "__proto__": {"x": 1}}']
type Column = { readonly table: string; readonly column: string; readonly keys: string[] }

/** Every column that holds JSON and has a record here. */
async function jsonColumns(): Promise<Column[]> {
  const { db } = world.system
  const columns = await db.$queryRaw<Column[]>`
    select c.table_name as "table", c.column_name as "column", array_agg(a.attname::text) as "keys"
    from information_schema.columns c
    join pg_class t on t.relname = c.table_name and t.relkind = 'r' join pg_namespace n on n.oid = t.relnamespace and n.nspname = c.table_schema
    join pg_index i on i.indrelid = t.oid and i.indisprimary join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey)
    where c.table_schema = current_schema() and c.data_type = 'jsonb' group by 1, 2 order by 1, 2`
  const filled: Column[] = []
  for (const one of columns) {
    const [{ count } = { count: 0n }] = await db.$queryRawUnsafe<{ count: bigint }[]>(`select count(*) from "${one.table}"`)
    if (count > 0n) filled.push(one)
  }
  return filled
}

describe('a stored record that does not have its form', () => {
  it('does not break a page, in any column', { timeout: 900_000 }, async () => {
    const { db } = world.system
    expect(await askAll()).toEqual([])
    const columns = await jsonColumns()
    expect(columns.map(({ table }) => table)).toEqual(
      expect.arrayContaining([
        'call',
        'channel',
        'charter_draft',
        'chain_log',
        'goal',
        'hold_charter',
        'listing_revision',
        'step',
        'task',
        'team',
      ]),
    )
    const failures: string[] = []
    for (const { table, column, keys } of columns) {
      await db.$executeRawUnsafe(`create table "sound" as select * from "${table}"`)
      for (const value of values) {
        // What the table's own constraints refuse can't be stored.
        const stored = await db.$executeRawUnsafe(`update "${table}" set "${column}" = '${value}'::jsonb`).catch(() => null)
        if (stored === null) continue
        for (const failure of await askAll()) failures.push(`${table}.${column} = ${value}: ${failure}`)
        const sameRow = keys.map((key) => `t."${key}" = s."${key}"`).join(' and ')
        await db.$executeRawUnsafe(`update "${table}" t set "${column}" = s."${column}" from "sound" s where ${sameRow}`)
      }
      await db.$executeRawUnsafe('drop table "sound"')
    }
    expect(failures).toEqual([])
    expect(await askAll()).toEqual([])
  })
})
