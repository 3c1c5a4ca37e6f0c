import pg from 'pg'
import { type Costs, roundCost } from './costs.ts'

/** What a row of the bench tells of a message's cost: microseconds of CPU of hub and PostgreSQL. */
type Row = { readonly cpu_us_per_message: { readonly server: number; readonly postgres: number } }

export type Bench = {
  readonly databaseUrl: string
  readonly hubPort: number
  /** A crowd that talks as fast as answers come: members of a room, bytes of a message, signed or not; or so many a second. */
  flow(how: { members: number; bytes: number; isSigned?: boolean; rate?: number }): Promise<Row>
  /** Connects so many agents, and tells what the hub and PostgreSQL computed for it. Microseconds each. */
  welcome(agents: number): Promise<{ server: number; postgres: number }>
  postgresSeconds(): number
}

/**
 * Measures what the hub's work costs. What a message and what a delivery costs is told apart by rooms of two and of eight;
 * what a write takes in any case and for each message in it, by a low and a full load.
 */
export async function measureCosts(bench: Bench, on: string): Promise<Costs> {
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  const one = async (text: string) => Number(Object.values((await client.query(text)).rows[0] as object)[0])
  try {
    const quiet = await flushesOf(bench, () => bench.flow({ members: 8, bytes: 1_024, rate: 200 }))
    const before = { wal: await one(walText), rows: await one(countText), size: await one(sizeText) }
    const full = await flushesOf(bench, () => bench.flow({ members: 8, bytes: 1_024 }))
    const after = { wal: await one(walText), rows: await one(countText), size: await one(sizeText) }
    const deliver = await one(
      `select avg(octet_length("body")) from (select "body" from "message" order by "receivedAt" desc limit 1000) m`,
    )
    const few = await bench.flow({ members: 2, bytes: 1_024 })
    const signed = await bench.flow({ members: 8, bytes: 1_024, isSigned: true })
    const small = { rows: await one(countText), size: await one(sizeText) }
    const large = await bench.flow({ members: 8, bytes: 7_600 })
    const big = { rows: await one(countText), size: await one(sizeText) }
    const hello = await bench.welcome(1_000)
    const cpu = full.row.cpu_us_per_message
    const more = (name: 'server' | 'postgres') => ((large.cpu_us_per_message[name] - cpu[name]) / (7_600 - 1_024)) * 1_024
    const delivery = Math.max(1, (cpu.server - few.cpu_us_per_message.server) / 6)
    const perMessage = Math.max(0.001, (full.ms - quiet.ms) / (full.size - quiet.size))
    return {
      measured: { on, by: 'npm run bench:hub -- --costs', machine: 'two shared cores, PostgreSQL with fsync' },
      hub_us: {
        message: roundCost(cpu.server - 8 * delivery),
        delivery: roundCost(delivery),
        kilobyte: roundCost(more('server')),
        signature: roundCost(signed.cpu_us_per_message.server - cpu.server),
        hello: roundCost(hello.server),
      },
      postgres_us: {
        message: roundCost(cpu.postgres),
        kilobyte: roundCost(more('postgres')),
        hello: roundCost(hello.postgres),
        read: roundCost(await readCost(bench, client)),
      },
      flush_ms: { base: roundCost(quiet.ms - quiet.size * perMessage), message: roundCost(perMessage) },
      bytes: {
        post: Buffer.byteLength(postOf('x'.repeat(1_024))),
        deliver: roundCost(deliver + deliverFrame),
        row: roundCost((after.size - before.size) / (after.rows - before.rows)),
        wal: roundCost((after.wal - before.wal) / (after.rows - before.rows)),
        ack: Buffer.byteLength(`{"type":"ack","group_id":"rom_${'0'.repeat(32)}","seq":100000}`),
        row_7600: roundCost((big.size - small.size) / (big.rows - small.rows)),
      },
    }
  } finally {
    await client.end()
  }
}

const walText = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')`
const countText = 'select count(*) from "message"'
const sizeText = `select pg_total_relation_size('message')`
/** What the frame adds to an envelope: its own words and the head of a WebSocket frame. */
const deliverFrame = '{"type":"deliver","envelope":}'.length + 4

function postOf(text: string): string {
  return `{"type":"command","id":100000,"command":{"type":"message.post","group_id":"rom_${'0'.repeat(32)}","parts":[{"text":"${text}"}]}}`
}

/** How long a write took and how many messages it had, on average over what `work` did, by the hub's own count. */
async function flushesOf(bench: Bench, work: () => Promise<Row>): Promise<{ row: Row; ms: number; size: number }> {
  const read = async () => {
    const text = await (await fetch(`http://127.0.0.1:${bench.hubPort}/metrics`)).text()
    const figure = (name: string) => Number(new RegExp(`^parley_hub_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
    return { seconds: figure('commit_seconds_sum'), messages: figure('flush_messages_sum'), writes: figure('commit_seconds_count') }
  }
  const from = await read()
  const row = await work()
  const to = await read()
  const writes = Math.max(1, to.writes - from.writes)
  return { row, ms: ((to.seconds - from.seconds) / writes) * 1_000, size: (to.messages - from.messages) / writes }
}

/** Microseconds of PostgreSQL for a look into a log that finds a hundred messages. */
async function readCost(bench: Bench, client: pg.Client): Promise<number> {
  const times = 1_000
  const [group] = (await client.query<{ id: string; head: number }>('select "id", "head" from "group" order by "head" desc limit 1')).rows
  const before = bench.postgresSeconds()
  for (let index = 0; index < times; index++)
    await client.query({
      name: 'page',
      text: 'select "seq", "body", "hash" from "message" where "groupId" = $1 and "seq" > $2 order by "seq" limit 100',
      values: [group?.id, Math.max(0, (group?.head ?? 0) - 100)],
    })
  return ((bench.postgresSeconds() - before) / times) * 1e6
}
