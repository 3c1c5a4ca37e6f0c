import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomSeed } from '@parley/protocol'
import pg from 'pg'
import { anyFreePort } from '../../../server/embedded/ports.ts'
import { seedCast } from '../../bench/hub/cast.ts'
import { createDatabaseOn } from '../../support/database-on.ts'
import { startTestCluster } from '../../support/test-cluster.ts'
import { check, type Faults, sumOf, type Witness } from './checker.ts'
import { type Client, startClient } from './client.ts'

export type Stage = {
  readonly rooms: number
  readonly members: number
  /** Messages a second over all. */
  readonly rate: number
  readonly ms: number
  /** `kill -9` of the hub, and crashes of PostgreSQL with all its processes, spread over the run. */
  readonly kills: number
  readonly crashes: number
  /** Of the sockets, how many are cut in a quarter of a second. */
  readonly resets: number
  /** Of the messages, how many are sent twice. */
  readonly duplicates: number
  /** After the faults everybody has to be at the head within this time, or nobody waits any longer. */
  readonly drainMs: number
}

/** Stage A of the plan: the smoke that every commit has to stand. */
export const stageA: Stage = {
  rooms: 10,
  members: 6,
  rate: 100,
  ms: 20_000,
  kills: 2,
  crashes: 1,
  resets: 0.01,
  duplicates: 0.05,
  drainMs: 60_000,
}
/** The same, short enough for every run of the tests. */
export const shortStageA: Stage = { ...stageA, rooms: 4, rate: 60, ms: 9_000, kills: 1, drainMs: 120_000 }

export type Outcome = {
  readonly faults: Faults
  readonly sent: number
  readonly acked: number
  readonly kills: number
  readonly crashes: number
  readonly reconnects: number
  readonly resends: number
  readonly duplicates: number
  readonly refused: number
  /** From the end of the faults until every message was acked and everybody at the head; null where that did not come. */
  readonly quiet_ms: number | null
}

/** True where nothing was broken, and enough had happened to break something. */
export function isPassed(stage: Stage, out: Outcome): boolean {
  const happened = out.kills >= stage.kills && out.crashes >= stage.crashes && out.resends > 0 && out.duplicates > 0
  return happened && out.reconnects >= stage.rooms * stage.members && out.quiet_ms !== null && out.refused === 0 && sumOf(out.faults) === 0
}

/** One hub on one PostgreSQL with fsync, agents that speak all the while, and what goes wrong meanwhile. */
export async function runStage(stage: Stage, random: () => number, tell: (line: string) => void): Promise<Outcome> {
  const cluster = await startTestCluster({ isDurable: true })
  const database = await createDatabaseOn(cluster.admin)
  const hub = await startHubProcess(database.url)
  const clients: Client[] = []
  try {
    const actors = await seedCast(database.url, 1, stage.rooms, stage.members)
    for (const actor of actors) clients.push(startClient(`${hub.url}/ioa`, actor, random, stage.duplicates))
    await until(() => clients.every((client) => client.counts.connects > 0), 60_000)
    const done = { kill: 0, crash: 0 }
    const from = performance.now()
    const resets = setInterval(() => {
      for (const client of clients) if (random() < stage.resets) client.cut()
    }, 250)
    const speaking = speak(clients, stage, from, random)
    const faults = [
      ...Array.from({ length: stage.kills }, () => 'kill' as const),
      ...Array.from({ length: stage.crashes }, () => 'crash' as const),
    ]
    for (const [index, fault] of faults.entries()) {
      await pause(Math.max(0, from + (stage.ms * (index + 1)) / (faults.length + 1) - performance.now()))
      tell(`  ${((performance.now() - from) / 1_000).toFixed(1)} s: ${fault === 'kill' ? 'the hub is killed' : 'PostgreSQL crashes'}`)
      if (fault === 'kill') await hub.kill()
      else await cluster.crash()
      if (fault === 'kill') await hub.start()
      done[fault]++
    }
    await speaking
    clearInterval(resets)
    const quietFrom = performance.now()
    const isQuiet = await until(async () => {
      if (clients.some((client) => client.unanswered() > 0)) return false
      const heads = await headsOf(database.url)
      return clients.every((client) => client.cursor() === heads.get(client.actor.groupId))
    }, stage.drainMs)
    for (const code of new Set(clients.flatMap((client) => client.refusals))) tell(`  refused: ${code}`)
    const total = (count: (client: Client) => number) => clients.reduce((sum, client) => sum + count(client), 0)
    return {
      faults: check(await witness(database.url, clients)),
      sent: total((client) => client.sent.length),
      acked: total((client) => client.acks.length),
      kills: done.kill,
      crashes: done.crash,
      reconnects: total((client) => client.counts.connects) - clients.length,
      resends: total((client) => client.counts.resends),
      duplicates: total((client) => client.counts.duplicates),
      refused: total((client) => client.counts.refused),
      quiet_ms: isQuiet ? Math.round(performance.now() - quietFrom) : null,
    }
  } finally {
    for (const client of clients) client.close()
    await hub.kill()
    await cluster.stop()
  }
}

async function speak(clients: readonly Client[], stage: Stage, from: number, random: () => number): Promise<void> {
  for (let said = 0; performance.now() - from < stage.ms; ) {
    const due = ((performance.now() - from) / 1_000) * stage.rate
    for (; said < due; said++) await clients[Math.floor(random() * clients.length)]?.say()
    await pause(5)
  }
}

export async function until(probe: () => boolean | Promise<boolean>, ms: number, everyMs = 50): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await pause(everyMs)) if (await probe()) return true
  return false
}

async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const headsOf = (url: string) =>
  withDatabase(url, async (client) => {
    const { rows } = await client.query<{ id: string; head: number }>(`select "id", "head" from "group"`)
    return new Map(rows.map((row) => [row.id, row.head]))
  })

/** What the clients saw, and the log as it is on the disk. */
export async function witness(url: string, clients: readonly Client[]): Promise<Witness> {
  const log = await withDatabase(url, async (client) => {
    const { rows } = await client.query<Witness['log'][number]>(
      `select "groupId" as "group", "seq", "id", "senderId" as "sender" from "message" order by "groupId", "seq"`,
    )
    return rows
  })
  return {
    sent: new Map(clients.map((client) => [client.actor.did, client.sent])),
    acks: clients.flatMap((client) => client.acks),
    log,
    runs: clients.flatMap((client) => client.runs),
    readers: clients.map(({ actor }) => ({ reader: actor.did, group: actor.groupId })),
  }
}

async function startHubProcess(databaseUrl: string) {
  const port = await anyFreePort()
  const key = `0x${'11'.repeat(32)}`
  const env = {
    DATABASE_URL: databaseUrl,
    CHAIN_RPC_URL: 'http://127.0.0.1:1',
    ESCROW_ADDRESS: `0x${'22'.repeat(20)}`,
    TOKEN_ADDRESS: `0x${'33'.repeat(20)}`,
    SETTLER_PRIVATE_KEY: key,
    EVALUATOR_PRIVATE_KEY: key,
    SERVER_SIGNING_KEY: randomSeed(),
    HUB_PORT: String(port),
    LOG_LEVEL: 'silent',
  }
  let child: ChildProcess | null = null
  const hub = {
    url: `ws://127.0.0.1:${port}`,
    async start() {
      child = spawn(process.execPath, [path.join(import.meta.dirname, '../../bench/hub/hub-process.ts')], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      await once(child, 'message')
    },
    async kill() {
      const dying = child
      child = null
      if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
      const gone = once(dying, 'exit')
      dying.kill('SIGKILL')
      await gone
    },
  }
  await hub.start()
  return hub
}
