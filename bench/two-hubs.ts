/**
 * `npm run bench:hubs [-- --nats] [--statements]`: the cost of a message with one and with two hubs on the same PostgreSQL (with fsync).
 * From it follows the capacity of hubs that have a core each. Two hubs are measured twice. First, all members of a room are at one hub.
 * Then a proxy distributes the members over both hubs. `--statements`: also prints PostgreSQL's statements, which makes a message more
 * expensive.
 */
import { randomSeed } from '@parley/protocol'
import { runSql } from '../server/embedded/postgres/postgres.ts'
import { preallocateWal } from '../server/embedded/postgres/preallocate-wal.ts'
import { anyFreePort } from '../server/embedded/processes/next-free-port.ts'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { natsMissing, startNats } from '../test/support/nats.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import { type Cost, extrapolateThroughput } from './hub/extrapolate-throughput.ts'
import type { LoadOptions, LoadResult } from './hub/generate-load.ts'
import { type Actor, seedAgents } from './hub/seed-agents.ts'
import { type Child, cpuSeconds, startChild } from './hub/start-process.ts'

const minGain = 1.6
const rooms = 16
const members = 8
const drive: LoadOptions = { bytes: 1_024, window: 8, warmMs: 1_000, ms: 4_000 }
const calmPerS = 800
const key = `0x${'11'.repeat(32)}`

const wantsNats = process.argv.includes('--nats')
if (wantsNats && natsMissing !== null) throw new Error(natsMissing)
const nats = wantsNats ? await startNats() : null
const counts = process.argv.includes('--statements')
const cluster = await startTestCluster({
  isDurable: true,
  settings: counts ? { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_utility': 'on' } : {},
})
// The settings of `npm start` after hours of load.
await preallocateWal(cluster.admin, Number.POSITIVE_INFINITY)
const database = await createDatabaseOn(cluster.admin)
if (counts) await runSql(database.url, 'create extension pg_stat_statements')
const serverKey = randomSeed()
const hubs: Child[] = []
let seedCount = 0

type Flow = Cost & { in_per_s: number; deliveries_per_s: number; refused: number; p50_ms?: number; p99_ms?: number }

/** Drives each hub with its part of the actors at the same time. Latencies are those of the slower hub. */
async function flow(parts: readonly (readonly Actor[])[], perS?: number): Promise<Flow> {
  const how: LoadOptions = perS === undefined ? drive : { ...drive, window: 1, rate: perS / parts.length }
  const loads = await Promise.all(parts.map(() => startChild('load-process-main.ts', {}, false)))
  try {
    await Promise.all(
      parts.map((actors, at) => {
        const { port, server = '' } = (hubs[at] as Child).ready
        return loads[at]?.ask<number>({ do: 'connectLoad', port, server, actors, kind: 'session', acked: 0, atOnce: 16 })
      }),
    )
    const pids = [...parts.map((_, at) => (hubs[at] as Child).pid), cluster.pid()]
    if (counts) await runSql(database.url, 'select pg_stat_statements_reset()')
    // Every flow begins with the log's files of those before.
    await runSql(cluster.admin, 'checkpoint')
    const before = pids.map(cpuSeconds)
    const loaded = await Promise.all(loads.map((load) => load.ask<LoadResult>({ do: 'drive', how })))
    const spent = pids.map((pid, at) => cpuSeconds(pid) - (before[at] ?? 0))
    const sum = (of: (one: LoadResult) => number) => loaded.reduce((total, one) => total + of(one), 0)
    const accepted = sum((one) => one.accepted)
    const all = (accepted * (drive.warmMs + drive.ms)) / drive.ms
    const slowest = (share: 'p50' | 'p99') => Number(Math.max(...loaded.map(({ latency }) => latency?.[share] ?? 0)).toFixed(2))
    if (counts) await showStatements(all)
    const hub = spent.slice(0, -1).reduce((total, one) => total + one, 0)
    return {
      hub: Math.round((hub / all) * 1e6),
      postgres: Math.round(((spent.at(-1) ?? 0) / all) * 1e6),
      in_per_s: Math.round(accepted / (drive.ms / 1_000)),
      deliveries_per_s: Math.round(sum((one) => one.delivered) / (drive.ms / 1_000)),
      refused: sum((one) => one.refused),
      ...(perS !== undefined && { p50_ms: slowest('p50'), p99_ms: slowest('p99') }),
    }
  } finally {
    await Promise.all(loads.map((load) => load.end()))
  }
}

/** PostgreSQL's statements for `messages`, the most frequent first. */
async function showStatements(messages: number): Promise<void> {
  const rows = await runSql(
    database.url,
    `select calls, total_exec_time as ms, regexp_replace(left(query, 400), '\\s+', ' ', 'g') as text, sum(calls) over () as total
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) order by calls desc limit 12`,
  )
  console.log(`    statements a message: ${(Number(rows[0]?.total ?? 0) / messages).toFixed(2)}`)
  for (const { calls, ms, text } of rows)
    console.log(
      `    ${(Number(calls) / messages).toFixed(3).padStart(7)} ${((Number(ms) * 1_000) / messages).toFixed(1).padStart(7)} µs  ${String(text).trim().slice(0, 90)}`,
    )
}

const seedTeam = () => seedAgents(database.url, ++seedCount, rooms, members)
const show = (name: string, cost: Flow) =>
  console.log(
    `  ${name.padEnd(28)} ${String(cost.in_per_s).padStart(7)} in/s ${String(cost.deliveries_per_s).padStart(8)} out/s` +
      `  CPU/message: hubs ${cost.hub} µs, PostgreSQL ${cost.postgres} µs` +
      (cost.p50_ms === undefined ? '' : `  p50 ${cost.p50_ms} ms  p99 ${cost.p99_ms} ms`),
  )

try {
  for (let at = 0; at < 2; at++)
    hubs.push(
      await startChild('hub-process-main.ts', {
        DATABASE_URL: database.url,
        CHAIN_RPC_URL: 'http://127.0.0.1:1',
        ESCROW_ADDRESS: `0x${'22'.repeat(20)}`,
        TOKEN_ADDRESS: `0x${'33'.repeat(20)}`,
        SETTLER_PRIVATE_KEY: key,
        EVALUATOR_PRIVATE_KEY: key,
        SERVER_SIGNING_KEY: serverKey,
        HUB_PORT: String(await anyFreePort()),
        LOG_LEVEL: 'error',
        ...(nats ? { NATS_URL: nats.url, NATS_STREAM: 'bench' } : {}),
      }),
    )
  // Hubs are slower right after their start.
  const first = await seedTeam()
  await flow([first.slice(0, first.length / 2), first.slice(first.length / 2)])
  const one = await flow([await seedTeam()])
  show('one hub', one)
  const whole = await seedTeam()
  const apart = await flow([whole.slice(0, whole.length / 2), whole.slice(whole.length / 2)])
  show('two hubs, rooms apart', apart)
  const mixed = await seedTeam()
  const spread = await flow([0, 1].map((half) => mixed.filter((_, index) => index % 2 === half)))
  show('two hubs, rooms spread', spread)
  const oneCalm = await flow([await seedTeam()], calmPerS)
  show(`one hub, ${calmPerS}/s`, oneCalm)
  const calm = await seedTeam()
  // Each half posts in the rooms in another order, so that the hubs do not wait for each other.
  const halves = [0, 1].map((half) => calm.filter((_, index) => index % 2 === half))
  const spreadCalm = await flow([halves[0] ?? [], (halves[1] ?? []).reverse()], calmPerS)
  show(`rooms spread, ${calmPerS}/s`, spreadCalm)
  const projections = { rooms_apart: extrapolateThroughput(one, apart), rooms_spread: extrapolateThroughput(one, spread) }
  for (const [name, projected] of Object.entries(projections))
    console.log(
      `  ${name.replace('_', ' ')}: two hubs with a core each carry ${projected.gain} × one, ${projected.two_hubs_per_s} messages/s,` +
        ` for which PostgreSQL needs ${projected.postgres_cores} cores; one core of it is full at ${projected.postgres_core_per_s}/s`,
    )
  const isOk = projections.rooms_apart.gain >= minGain && one.refused + apart.refused + spread.refused === 0
  if (!isOk) console.log(`  missed: ${projections.rooms_apart.gain} (target ${minGain})`)
  const figures = {
    wake: nats ? 'nats' : 'notify',
    one_hub: one,
    two_hubs_rooms_apart: apart,
    two_hubs_rooms_spread: spread,
    one_hub_calm: oneCalm,
    two_hubs_rooms_spread_calm: spreadCalm,
    ...projections,
  }
  console.log(JSON.stringify({ name: 'bench:hubs', ok: isOk, figures }))
  process.exitCode = isOk ? 0 : 1
} catch (error) {
  console.error(error)
  console.log(JSON.stringify({ name: 'bench:hubs', ok: false, figures: {} }))
  process.exitCode = 1
} finally {
  await Promise.all(hubs.map((hub) => hub.end()))
  await nats?.[Symbol.asyncDispose]()
  await cluster.stop()
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()
