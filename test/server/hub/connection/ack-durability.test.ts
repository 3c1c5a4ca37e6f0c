import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedAgents } from '../../../../bench/hub/seed-agents.ts'
import { type Client, startLoadClient } from '../../../../chaos/hub/load-client.ts'
import { composeServices, type Services } from '../../../../server/compose.ts'
import { readEnvironment } from '../../../../server/env.ts'
import { type Hub, startHub } from '../../../../server/hub/index.ts'
import { prepareJobs } from '../../../../server/jobs/index.ts'
import { bareHub } from '../../../support/bare-hub-environment.ts'
import { createDatabaseOn, type TestDatabase } from '../../../support/create-database-on.ts'
import { startTestCluster, type TestCluster } from '../../../support/postgres-cluster.ts'

let cluster: TestCluster
let database: TestDatabase
let world: Services
let hub: Hub
let isStopped = false
let clients: Client[]

/** Stands at the end of every transaction that wrote a message: all is written there, and nothing committed. */
const gate = `
  create table commits (fsync text, waits text);
  create function at_the_gate() returns trigger language plpgsql as $$
  begin
    insert into commits values (current_setting('fsync'), current_setting('synchronous_commit'));
    perform pg_advisory_xact_lock_shared(4242);
    return null;
  end $$;
  create constraint trigger gate after insert on "message" deferrable initially deferred for each row execute function at_the_gate()`

beforeAll(async () => {
  cluster = await startTestCluster({ isDurable: true })
  database = await createDatabaseOn(cluster.admin)
  const env = readEnvironment(bareHub(database.url))
  await prepareJobs(database.url)
  world = await composeServices('hub', env)
  hub = await startHub(world.contextFor({ kind: 'anonymous' }), world.listener, { host: '127.0.0.1', port: 0 })
  const actors = await seedAgents(database.url, 1, 1, 2)
  clients = actors.map((actor) => startLoadClient(`ws://127.0.0.1:${hub.port}/v1/ws`, actor, () => 0.1, { duplicates: 0 }))
}, 900_000)
afterAll(async () => {
  for (const client of clients ?? []) client.close()
  await hub?.close()
  await world?.close()
  if (!isStopped) await cluster?.stop()
})

async function withAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
const count = async (client: pg.Client, text: string) => Number((await client.query<{ n: string }>(text)).rows[0]?.n)
const countReceived = () => clients.flatMap((client) => client.runs.flatMap((run) => run.got)).length
const answered = () => clients.flatMap((client) => client.acks).length

describe('an answer and a delivery', () => {
  it('follow a commit that waits for the disk, and where the database dies between writing and committing, there is neither', async () => {
    const [first] = clients
    if (!first) throw new Error('nobody is connected')
    await expect.poll(() => clients.every((client) => client.counts.connects > 0)).toBe(true)
    await withAdmin((client) => client.query(gate))
    // With the first the room is known; the others go by the short way.
    for (const text of [1, 2]) {
      await first.postNext()
      await expect.poll(() => [answered(), countReceived()]).toEqual([text, 2 * text])
    }
    await withAdmin(async (client) => {
      await client.query('select pg_advisory_lock(4242)')
      await first.postNext()
      const waiting = `select count(*) as n from pg_locks where locktype = 'advisory' and not granted`
      await expect.poll(() => count(client, waiting)).toBe(1)
      expect(await count(client, 'select count(*) as n from "message"')).toBe(2)
      expect([answered(), countReceived()]).toEqual([2, 4])
      await cluster.crash()
    })
    // It was never committed: what stands there later is what its sender said again.
    await expect.poll(() => [first.unanswered(), ...clients.map((client) => client.cursor())]).toEqual([0, 3, 3])
    expect(first.counts.resends).toBeGreaterThan(0)
    expect(first.acks.map((ack) => ack.seq)).toEqual([1, 2, 3])
    const commits = await withAdmin((client) => client.query('select fsync, waits from commits'))
    expect(commits.rows).toEqual([1, 2, 3].map(() => ({ fsync: 'on', waits: 'on' })))
  }, 900_000)
})

describe('the probes', () => {
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${hub.port}${path}`)
    return { status: response.status, text: await response.text() }
  }

  it('report the hub’s state, and accept no traffic for it while the database is away', async () => {
    expect((await ask('/healthz')).status).toBe(200)
    expect(await ask('/readyz')).toEqual({ status: 200, text: '{"ok":true}' })
    const { text } = await ask('/metrics')
    for (const line of ['connections 2', 'write_messages_sum 3', 'writes_total{path="optimistic"} 1', 'queued_messages 0'])
      expect(text).toContain(`parley_hub_${line}\n`)
    await cluster.stop()
    isStopped = true
    expect(await ask('/readyz')).toEqual({ status: 503, text: '{"ok":false,"why":"The database does not answer."}' })
    expect((await ask('/healthz')).status).toBe(200)
  }, 900_000)
})
