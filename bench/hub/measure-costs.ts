import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { deflateRawSync } from 'node:zlib'
import pg from 'pg'
import { type Costs, roundCost } from './measured-hub-costs.ts'

/** The cost of a message in a row of the benchmark: microseconds of CPU of hub and PostgreSQL. */
type Row = { readonly cpu_us_per_message: { readonly server: number; readonly postgres: number } }

export type Bench = {
  readonly databaseUrl: string
  readonly hubPort: number
  /** Agents that post as fast as answers arrive, or at a rate: members of a room, bytes of a message, signed or not. */
  flow(how: { members: number; bytes: number; isSigned?: boolean; rate?: number }): Promise<Row>
  /** Connects so many agents, and returns what the hub and PostgreSQL computed for it. Microseconds each. */
  welcome(agents: number): Promise<{ server: number; postgres: number }>
  postgresSeconds(): number
}

/**
 * Measures the cost of the hub's work. Rooms of two and of eight separate the cost of a message from that of a delivery. A low and a full
 * load separate the cost of a write from that of a message in it. The cost of a write is a median, because other processes of a shared
 * machine distort the mean.
 */
export async function measureCosts(bench: Bench, on: string): Promise<Costs> {
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  const one = async (text: string) => Number(Object.values((await client.query(text)).rows[0] as object)[0])
  try {
    const before = { wal: await one(walText), rows: await one(countText), size: await one(sizeText) }
    const full = await flushesOf(bench, () => bench.flow({ members: 8, bytes: 1_024 }))
    const after = { wal: await one(walText), rows: await one(countText), size: await one(sizeText) }
    // After the full load, so that what is measured is no longer being compiled.
    const quiet = await flushesOf(bench, () => bench.flow({ members: 8, bytes: 1_024, rate: 200 }))
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
    /** What a message costs more if it is written alone. */
    const alone = (name: 'server' | 'postgres') =>
      Math.max(0, quiet.row.cpu_us_per_message[name] - cpu[name]) / Math.max(0.1, 1 / quiet.size - 1 / full.size)
    // A write of many is as long as PostgreSQL computes for it: what it waits for the load beside it is no part of it.
    const perMessage = (cpu.postgres - alone('postgres') / full.size) / 1_000
    return {
      measured: { on, by: 'npm run bench:hub -- --costs', machine: 'two shared cores, PostgreSQL with fsync' },
      hub_us: {
        write: roundCost(alone('server')),
        message: roundCost(cpu.server - 8 * delivery - alone('server') / full.size),
        delivery: roundCost(delivery),
        kilobyte: roundCost(more('server')),
        signature: roundCost(signed.cpu_us_per_message.server - cpu.server),
        hello: roundCost(hello.server),
      },
      postgres_us: {
        write: roundCost(alone('postgres')),
        message: roundCost(cpu.postgres - alone('postgres') / full.size),
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
        ack: Buffer.byteLength(`{"type":"ack","room_id":"rom_${'0'.repeat(32)}","seq":100000}`),
        row_7600: roundCost((big.size - small.size) / (big.rows - small.rows)),
      },
      compressed: compressedShare(),
    }
  } finally {
    await client.end()
  }
}

const walText = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')`
const countText = 'select count(*) from "message"'
const sizeText = `select sum(pg_total_relation_size(relid)) from pg_partition_tree('message')`
/** What the frame adds to an envelope: its own words and the head of a WebSocket frame. */
const deliverFrame = '{"type":"deliver","envelope":}'.length + 4

function postOf(text: string): string {
  return `{"type":"command","id":100000,"command":{"type":"message.post","room_id":"rom_${'0'.repeat(32)}","parts":[{"text":"${text}"}]}}`
}

/**
 * The ratio of compressed to plain bytes on a connection that carries prose. A message has half of an exchange in the article that
 * docs/capacity.md cites. The prose is this project's own. The ids and signatures are random, so they do not compress.
 */
export function compressedShare(): number {
  const docs = path.join(import.meta.dirname, '../../docs')
  const prose = ['architecture.md', 'glossary.md', 'invariants.md', 'authority.md']
    .map((file) => readFileSync(path.join(docs, file), 'utf8'))
    .join('')
  const noise = (index: number) => createHash('sha512').update(`${index}`).digest('base64url')
  const frames = Array.from({ length: Math.floor(prose.length / halfExchange) }, (_, index) => {
    const text = prose.slice(index * halfExchange, (index + 1) * halfExchange)
    const envelope = { v: '1', id: noise(index).slice(0, 36), room_id: 'rom_1', sender_id: 'did:key:z6Mk', parts: [{ text }], seq: index }
    return JSON.stringify({ type: 'deliver', envelope: { ...envelope, sig: { alg: 'EdDSA', value: noise(-index) } } })
  }).join('')
  return roundCost(deflateRawSync(frames).length / Buffer.byteLength(frames))
}
const halfExchange = 3_800

/** The median duration of a write and the mean number of its messages during `work`, from the hub's metrics. */
async function flushesOf(bench: Bench, work: () => Promise<Row>): Promise<{ row: Row; ms: number; size: number }> {
  const read = async () => {
    const text = await (await fetch(`http://127.0.0.1:${bench.hubPort}/metrics`)).text()
    const figure = (name: string) => Number(new RegExp(`^parley_hub_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
    const upTo = [...text.matchAll(/^parley_hub_commit_seconds_bucket\{le="([\d.]+)"\} (\d+)$/gm)].map(
      ([, le, count]) => [Number(le), Number(count)] as const,
    )
    return { upTo, messages: figure('write_messages_sum'), writes: figure('commit_seconds_count') }
  }
  const from = await read()
  const row = await work()
  const to = await read()
  const writes = Math.max(1, to.writes - from.writes)
  const buckets = to.upTo.map(([le, count], index) => [le, count - (from.upTo[index]?.[1] ?? 0)] as const)
  return { row, ms: medianOf(buckets, writes) * 1_000, size: (to.messages - from.messages) / writes }
}

/** The middle of counts that each hold those below them, by a line through its bucket. */
export function medianOf(buckets: readonly (readonly [number, number])[], count: number): number {
  let [before, below] = [0, 0]
  for (const [upTo, held] of buckets) {
    if (held >= count / 2) return before + ((upTo - before) * (count / 2 - below)) / Math.max(1, held - below)
    before = upTo
    below = held
  }
  return before
}

/** Microseconds of PostgreSQL for a look into a log that finds a hundred messages. */
async function readCost(bench: Bench, client: pg.Client): Promise<number> {
  const times = 1_000
  const [room] = (await client.query<{ id: string; head: number }>('select "id", "head" from "room" order by "head" desc limit 1')).rows
  const before = bench.postgresSeconds()
  for (let index = 0; index < times; index++)
    await client.query({
      name: 'page',
      text: 'select "seq", "body", "hash" from "message" where "roomId" = $1 and "seq" > $2 order by "seq" limit 100',
      values: [room?.id, Math.max(0, (room?.head ?? 0) - 100)],
    })
  return ((bench.postgresSeconds() - before) / times) * 1e6
}
