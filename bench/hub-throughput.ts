/**
 * `npm run bench:hub`: the throughput of the message writer. Hub, load and PostgreSQL (with fsync) share this machine, each in a
 * separate process. In the same run, a bare relay that stores and checks nothing is the upper limit. A bare durable hub that checks nothing
 * is the reference: targets are ratios to it, each the median of three pairs.
 *
 *   npm run bench:hub            The short profile, about three minutes.
 *   npm run bench:hub -- --full  10,000 idle agents, a room of 1,000,000 messages.
 *   npm run bench:hub -- --only session,signed   Some of: session, signed, large, latency, long, storm, idle.
 *   npm run bench:hub -- --knobs The effect of each setting for latency and memory, about five minutes.
 *   npm run bench:hub -- --costs Writes the costs to bench/hub/costs.json, which simulation and capacity read.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { randomSeed } from '@parley/protocol'
import { runSql } from '../server/embedded/postgres/postgres.ts'
import { preallocateWal } from '../server/embedded/postgres/preallocate-wal.ts'
import { anyFreePort } from '../server/embedded/processes/next-free-port.ts'
import { bareHub } from '../test/support/bare-hub-environment.ts'
import { createDatabaseOn } from '../test/support/create-database-on.ts'
import { startTestCluster } from '../test/support/postgres-cluster.ts'
import type { Kind, LoadOptions, LoadResult } from './hub/generate-load.ts'
import { measureCosts } from './hub/measure-costs.ts'
import { measureIdleCollection, measureLatencySettings } from './hub/measure-latency-settings.ts'
import { writeCosts } from './hub/measured-hub-costs.ts'
import { type Actor, fillRoom, seedAgents } from './hub/seed-agents.ts'
import { type Child, cpuSeconds, memoryOf, startChild } from './hub/start-process.ts'
import { medianBy, missedTargets } from './hub/targets.ts'

const args = process.argv.slice(2)
const isFull = args.includes('--full')
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '').split(',') : null
const isForCosts = args.includes('--costs')
const isForKnobs = args.includes('--knobs')
const wants = (name: string) => !isForCosts && !isForKnobs && (only === null || only.includes(name))
const seconds = args.includes('--seconds') ? Number(args[args.indexOf('--seconds') + 1]) : isFull ? 5 : 3
const measureMs = seconds * 1_000

/** Warm-up until the code is compiled; without it, half of the measured time is the compiler. */
const warmMs = 3_000

const figures: Record<string, unknown> = {}
const round = (value: number, digits = 0) => Number(value.toFixed(digits))

const cluster = await startTestCluster({ isDurable: true })
// The settings of `npm start` after hours of load.
await preallocateWal(cluster.admin, Number.POSITIVE_INFINITY)
const database = await createDatabaseOn(cluster.admin)
// Polling for the answer is not part of the cost: a busy hub would not do it.
const polling = isForCosts ? { DATABASE_BUSY_POLLING: 'false' } : {}
const startHub = async (env: Record<string, string>) =>
  startChild('hub-process-main.ts', bareHub(database.url, { HUB_PORT: String(await anyFreePort()), LOG_LEVEL: 'error', ...env }))
let hub = await startHub(polling)
const relay = await startChild('bare-relay-process-main.ts')
const reference = await startChild('bare-hub-process-main.ts', { DATABASE_URL: (await createDatabaseOn(cluster.admin)).url })
const serverOf = (kind: Kind) => (kind === 'relay' ? relay : kind === 'reference' ? reference : hub)
let seedCount = 0
const seedTeam = (rooms: number, size: number) => seedAgents(database.url, ++seedCount, rooms, size)

/** Runs `work` with agents that are connected to the hub or the relay, from a separate load process. */
async function withConnectedAgents<T>(
  actors: Actor[],
  kind: Kind,
  work: (load: Child, connectMs: number) => Promise<T>,
  acked = 0,
  atOnce = 16,
): Promise<T> {
  const load = await startChild('load-process-main.ts', {}, false)
  const { port, server = '' } = serverOf(kind).ready
  try {
    const connectMs = await load.ask<number>({ do: 'connectLoad', port, server, actors, kind, acked, atOnce })
    return await work(load, connectMs)
  } finally {
    await load.end()
  }
}

/** Messages in and deliveries out per second, and the CPU time of a message. */
async function flow(actors: Actor[], kind: Kind, how: Omit<LoadOptions, 'warmMs' | 'ms'>, acked = 0) {
  return withConnectedAgents(
    actors,
    kind,
    async (load) => {
      const pids = [serverOf(kind).pid, load.pid, cluster.pid()]
      // The pending writes of the previous measurement do not belong to this one.
      await runSql(cluster.admin, 'checkpoint')
      const before = pids.map(cpuSeconds)
      const drive: LoadOptions = { ...how, warmMs, ms: measureMs }
      const driven = await load.ask<LoadResult>({ do: 'drive', how: drive })
      const [server = 0, own = 0, database = 0] = pids.map((pid, index) => cpuSeconds(pid) - (before[index] ?? 0))
      const seconds = driven.ms / 1_000
      const all = (driven.accepted * (drive.warmMs + driven.ms)) / driven.ms
      return {
        in_per_s: round(driven.accepted / seconds),
        deliveries_per_s: round(driven.delivered / seconds),
        refused: driven.refused,
        ...(driven.latency && { left_out: driven.late }),
        cpu_us_per_message: {
          server: round((server / all) * 1e6),
          postgres: round((database / all) * 1e6),
          load: round((own / all) * 1e6),
        },
        ...(driven.latency && { p50_ms: round(driven.latency.p50, 2), p99_ms: round(driven.latency.p99, 2) }),
      }
    },
    acked,
  )
}
type Flow = Awaited<ReturnType<typeof flow>>

/** The same load on the two bare processes: `limit` stores nothing, `reference` is as durable as the hub and checks nothing. */
type Beside = { readonly limit: Flow; readonly reference: Flow }
type Load = Omit<LoadOptions, 'warmMs' | 'ms'>
const pairs = 3

const relayFlow = async (size: string, how: Load): Promise<Flow> => {
  const limit = await flow(await seedWithoutTeam(16, 8), 'relay', { ...how, window: 2 * how.window })
  show(`relay_${size}`, limit)
  return limit
}

type Pair = { readonly hub: Flow; readonly reference: Flow }
/** Hub and bare durable hub in turn, three times. */
async function inPairs(kind: Kind, how: Load): Promise<Pair[]> {
  const all: Pair[] = []
  for (let at = 0; at < pairs; at++) {
    const reference = await flow(await seedWithoutTeam(16, 8), 'reference', how)
    all.push({ reference, hub: await flow(await seedTeam(16, 8), kind, how) })
  }
  return all
}

async function showThroughput(name: string, size: string, kind: Kind, how: Load, limit: Flow): Promise<void> {
  const all = await inPairs(kind, how)
  const { hub, reference } = medianBy(all, (pair) => pair.hub.deliveries_per_s / pair.reference.deliveries_per_s)
  show(`reference_${size}`, reference)
  show(name, hub, { limit, reference })
}

const latencyRatio = ({ hub, reference }: Pair, percentile: 'p50_ms' | 'p99_ms') => (hub[percentile] ?? 0) / (reference[percentile] ?? 1)

/** Each percentile has its own median: a pair with a typical p50 may have an outlier as its p99. */
async function showLatency(): Promise<void> {
  const all = await inPairs('session', { bytes: 1_024, window: 1, rate: 2_000 })
  const medianOf = (percentile: 'p50_ms' | 'p99_ms') => medianBy(all, (pair) => latencyRatio(pair, percentile))
  const typical = medianOf('p50_ms')
  show('reference_at_2000', typical.reference)
  show('latency_at_2000', typical.hub)
  const ratios = {
    p50_by_reference: round(latencyRatio(typical, 'p50_ms'), 2),
    p99_by_reference: round(latencyRatio(medianOf('p99_ms'), 'p99_ms'), 2),
  }
  figures.latency_at_2000 = { ...typical.hub, ...ratios }
  console.log(`  latency as a ratio to the bare durable hub: ${JSON.stringify(ratios)}`)
}

function show(name: string, found: Flow, beside?: Beside): void {
  const share = (one: Flow) => found.deliveries_per_s / one.deliveries_per_s
  const shares = beside && { of_limit: round(share(beside.limit), 4), of_reference: round(share(beside.reference), 4) }
  figures[name] = { ...found, ...shares }
  const cpu = found.cpu_us_per_message
  const latency = found.p50_ms === undefined ? '' : `  p50 ${found.p50_ms} ms  p99 ${found.p99_ms} ms`
  console.log(
    `  ${name.padEnd(22)} ${String(found.in_per_s).padStart(8)} in/s ${String(found.deliveries_per_s).padStart(9)} out/s` +
      `  CPU/message: hub ${cpu.server} µs, PostgreSQL ${cpu.postgres} µs, load ${cpu.load} µs${latency}` +
      `${found.refused > 0 ? `  refused ${found.refused}` : ''}` +
      `${shares ? `  ${round(shares.of_limit * 100, 1)} % of the relay, ${round(shares.of_reference * 100, 1)} % of the bare durable hub` : ''}`,
  )
}

try {
  const small = { bytes: 1_024, window: 8 }
  const large = { bytes: 7_600, window: 4 }
  if (wants('session') || wants('signed')) {
    const limit = await relayFlow('1k', small)
    if (wants('session')) await showThroughput('session_1k', '1k', 'session', small, limit)
    if (wants('signed')) await showThroughput('signed_1k', '1k_signed', 'signed', small, limit)
  }
  if (wants('large')) await showThroughput('session_7600', '7600', 'session', large, await relayFlow('7600', large))
  if (wants('latency')) await showLatency()
  if (wants('long')) await longRoom(isFull ? 1_000_000 : 200_000)
  if (wants('storm')) await storm(2_000)
  if (isFull || only?.includes('idle')) await idle(10_000)
  if (isForCosts) figures.costs = await costs()
  if (isForKnobs) await measureSettings()
  const missed = missedTargets(figures)
  for (const one of missed) console.log(`  missed: ${one}`)
  const isOk = missed.length === 0 && Object.values(figures).every((one) => !(one as { refused?: number }).refused)
  console.log(JSON.stringify({ name: 'bench:hub', ok: isOk, figures }))
  process.exitCode = isOk ? 0 : 1
} finally {
  await Promise.all([hub.end(), relay.end(), reference.end()])
  await cluster.stop()
}
// The IPC channel to setup.mjs would keep this process alive.
process.disconnect?.()

/** Measures the effect of the hub's settings for latency and memory. */
async function measureSettings(): Promise<void> {
  const restart = async (env: Record<string, string>) => {
    await hub.end()
    hub = await startHub(env)
  }
  figures.knobs = await measureLatencySettings({ restart, flow: async (how) => flow(await seedTeam(16, 8), 'session', how) })
  figures.idle_collection = await measureIdleCollection({
    restart,
    seedTeam: seedTeam,
    withConnectedAgents: (actors, work) => withConnectedAgents(actors, 'session', (load) => work((how) => load.ask({ do: 'drive', how }))),
    memory: () => memoryOf(hub.pid),
  })
}

/** Measures the costs, and writes them to the file that the simulation reads. */
async function costs() {
  const found = await measureCosts(
    {
      databaseUrl: database.url,
      hubPort: hub.ready.port,
      flow: async ({ members, bytes, isSigned = false, rate }) => {
        const how = { bytes, window: rate ? 1 : bytes > 2_000 ? 4 : 8, ...(rate && { rate }) }
        const found = await flow(await seedTeam(128 / members, members), isSigned ? 'signed' : 'session', how)
        show(`rooms_of_${members}_${bytes}${isSigned ? '_signed' : ''}${rate ? `_at_${rate}` : ''}`, found)
        return found
      },
      async welcome(agents) {
        const actors = await seedTeam(agents / 8, 8)
        const pids = [hub.pid, cluster.pid()]
        const before = pids.map(cpuSeconds)
        return withConnectedAgents(actors, 'session', async () => {
          const [server = 0, postgres = 0] = pids.map((pid, index) => ((cpuSeconds(pid) - (before[index] ?? 0)) / agents) * 1e6)
          return { server, postgres }
        })
      },
      postgresSeconds: () => cpuSeconds(cluster.pid()),
    },
    new Date().toISOString().slice(0, 10),
  )
  writeCosts(found)
  return found
}

/** The bare processes have no accounts and accept any agent. New ids each time, which are unused. */
async function seedWithoutTeam(rooms: number, size: number): Promise<Actor[]> {
  const seed = randomSeed()
  const batch = ++seedCount
  return Array.from({ length: rooms * size }, (_, index) => ({
    agentId: `agt_${index}`,
    did: `did:key:${index % size}`,
    seed,
    roomId: `rom_${batch}_${Math.floor(index / size)}`,
  }))
}

/** One room after `count` messages compared with the same room when it was new, and resuming at any position in it. */
async function longRoom(count: number): Promise<void> {
  const actors = await seedTeam(1, 8)
  const young = await flow(actors, 'session', { bytes: 1_024, window: 8 })
  show('one_room_young', young)
  const old = await seedTeam(1, 8)
  await fillRoom(database.url, old, count)
  const late = await flow(old, 'session', { bytes: 1_024, window: 8 }, count)
  show(`one_room_at_${count}`, late)
  const times = await withConnectedAgents(
    old,
    'session',
    async (load) => {
      const found: number[] = []
      // Within the last 2,000, so that what follows is soon through; and everywhere, by a page each.
      for (let index = 0; index < 12; index++) found.push(await load.ask<number>({ do: 'resume', after: count - 1_500 + index * 100 }))
      return found.sort((a, b) => a - b)
    },
    count,
  )
  const anywhere = await withConnectedAgents(
    old,
    'session',
    (load) => load.ask<number>({ do: 'resume', after: Math.floor(count / 3) }),
    count,
  )
  figures.resume = { p50_ms: round(times[6] ?? 0, 2), max_ms: round(times.at(-1) ?? 0, 2), in_the_middle_ms: round(anywhere, 2) }
  figures.long_room_ratio = round(late.in_per_s / young.in_per_s, 2)
  console.log(`  resume: ${JSON.stringify(figures.resume)}  long room / young room: ${figures.long_room_ratio}`)
}

/** `count` agents whose connections are lost at the same time, and that all reconnect at once. */
async function storm(count: number): Promise<void> {
  const actors = (await seedTeam(Math.ceil(count / 8), 8)).slice(0, count)
  await withConnectedAgents(actors, 'session', async () => {})
  const pids = [hub.pid, cluster.pid()]
  const before = pids.map(cpuSeconds)
  await withConnectedAgents(
    actors,
    'session',
    async (_load, connectMs) => {
      const [server = 0, database = 0] = pids.map((pid, index) => ((cpuSeconds(pid) - (before[index] ?? 0)) / count) * 1e6)
      figures.storm = {
        agents: count,
        all_welcomed_ms: round(connectMs),
        cpu_us_per_hello: { server: round(server), postgres: round(database) },
      }
      console.log(`  storm: ${JSON.stringify(figures.storm)}`)
    },
    0,
    count,
  )
}

/** The memory of `count` idle agents. */
async function idle(count: number): Promise<void> {
  const actors = (await seedTeam(Math.ceil(count / 8), 8)).slice(0, count)
  const empty = memoryOf(hub.pid)
  await withConnectedAgents(
    actors,
    'session',
    async (_load, connectMs) => {
      // Waits until it has released unused memory.
      await pause(12_000)
      const full = memoryOf(hub.pid)
      figures.idle = {
        agents: count,
        all_welcomed_ms: round(connectMs),
        hub_mb: round(full / 1e6),
        empty_hub_mb: round(empty / 1e6),
        kb_per_connection: round((full - empty) / count / 1_000, 1),
      }
      console.log(`  idle: ${JSON.stringify(figures.idle)}`)
    },
    0,
    1_000,
  )
}
