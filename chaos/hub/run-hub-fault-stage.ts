import { setTimeout as pause } from 'node:timers/promises'
import { seedAgents } from '../../bench/hub/seed-agents.ts'
import { createDatabaseOn } from '../../test/support/create-database-on.ts'
import { startTestCluster, type TestCluster } from '../../test/support/postgres-cluster.ts'
import { type PairedCluster, startPairedCluster } from '../../test/support/postgres-with-standby.ts'
import { checkDelivery, type Faults, sumNumbers } from './check-delivery.ts'
import { disturbAgents, largeMessageRooms, overflowPausedReaders } from './disturb-agents.ts'
import { type Fault, type Stage, timesOf } from './fault-stages.ts'
import { buildFaultyDisk, type FaultyDisk, type HubUnderTest, startHubUnderTest } from './hub-under-test.ts'
import { type Client, startLoadClient } from './load-client.ts'
import { corruptNewestMessages, headsOf, readMessageLog } from './read-message-log.ts'
import { watchLatency } from './watch-latency.ts'
import { watchMemory } from './watch-memory.ts'

export type Outcome = {
  readonly faults: Faults
  readonly sent: number
  readonly acked: number
  /** The number of injected faults, by name. */
  readonly done: { readonly [fault: string]: number }
  readonly reconnects: number
  readonly resends: number
  readonly duplicates: number
  readonly refused: number
  /** The number of readers that the hub disconnected, as reported to the readers. */
  readonly too_slow: number
  /** Readers that received a placeholder for a damaged message. */
  readonly placeholders: number
  /** From the end of the faults until every message was acked and every reader was at the head; null if this did not happen. */
  readonly quiet_ms: number | null
  /** Latency of deliveries without a fault. */
  readonly p50_ms: number | null
  readonly p99_ms: number | null
  readonly hub_mb: number
  /** Growth from one hub process to the next, per minute; null with too few processes. */
  readonly hub_mb_per_minute: number | null
  readonly hub_files: number
}

const maxMb = 512
const maxMbPerMinute = 1
/** A shorter run only shows how memory grows after the start. */
const grownUpMs = 600_000

/** The reasons why the run fails. Empty if no guarantee was broken and enough faults happened. */
export function missedBy(stage: Stage, out: Outcome): string[] {
  const planned = Object.groupBy(stage.faults, (fault) => fault)
  const missed = Object.entries(planned).flatMap(([fault, all]) =>
    (out.done[fault] ?? 0) < all.length ? [`void: ${fault} ${out.done[fault] ?? 0} of ${all.length} times`] : [],
  )
  const agents = stage.rooms * stage.members
  if (out.resends === 0) missed.push('void: nothing was sent again')
  if (out.duplicates === 0) missed.push('void: nothing was sent twice')
  if (out.reconnects < stage.reconnects * agents) missed.push(`void: ${out.reconnects} new connections of ${stage.reconnects * agents}`)
  if (stage.slow + stage.paused > 0 && out.too_slow === 0) missed.push('void: no reader was too slow')
  if (stage.faults.includes('poison') && out.placeholders === 0) missed.push('void: no agent received a damaged message')
  if (sumNumbers(out.faults) > 0) missed.push('a promise was broken')
  if (out.refused > 0) missed.push(`${out.refused} messages were refused`)
  if (out.quiet_ms === null) missed.push(`not quiet after ${stage.drainMs} ms`)
  if (stage.p99Ms !== null && (out.p99_ms ?? Number.POSITIVE_INFINITY) > stage.p99Ms) missed.push(`p99 ${out.p99_ms} ms of ${stage.p99Ms}`)
  if (out.hub_mb > maxMb) missed.push(`the hub took ${out.hub_mb} MB of ${maxMb}`)
  if (stage.ms >= grownUpMs && (out.hub_mb_per_minute ?? 0) > maxMbPerMinute)
    missed.push(`the hub grew by ${out.hub_mb_per_minute} MB a minute`)
  return missed
}

/** One hub on one PostgreSQL with fsync, agents that post continuously, and injected faults. */
export async function runHubFaultStage(stage: Stage, random: () => number, log: (line: string) => void): Promise<Outcome> {
  const disk = stage.faults.some((fault) => fault === 'full' || fault === 'unsynced') ? buildFaultyDisk() : null
  const pair = stage.faults.includes('fail over') ? await startPairedCluster(disk?.env) : null
  const cluster = pair ?? (await startTestCluster({ isDurable: true, ...(disk && { env: disk.env }) }))
  const database = await createDatabaseOn(cluster.admin)
  const hub = await startHubUnderTest(database.url)
  const clients: Client[] = []
  const latency = watchLatency()
  const weight = watchMemory(hub)
  try {
    const actors = await seedAgents(database.url, 1, stage.rooms, stage.members)
    for (const [index, actor] of actors.entries()) {
      const hasLargeMessages = Math.floor(index / stage.members) < largeMessageRooms(stage)
      const behaviour = { ...latency.clientEvents, ...stage, bytes: hasLargeMessages ? stage.largeMessageBytes : stage.bytes }
      clients.push(startLoadClient(`${hub.url}/v1/ws`, actor, random, behaviour))
    }
    await until(() => areThere(clients, 1), 120_000)
    const done: { [fault: string]: number } = {}
    const from = performance.now()
    const unrest = disturbAgents(clients, stage, random)
    const speaking = speak(clients, stage, from, random)
    latency.startCounting()
    const times = timesOf(stage)
    for (const [index, fault] of stage.faults.entries()) {
      await pause(Math.max(0, from + (times[index] ?? 0) - performance.now()))
      latency.stopCounting()
      log(`  ${((performance.now() - from) / 1_000).toFixed(1)} s: ${fault}`)
      weight.note()
      await happen(fault, { hub, cluster, pair, disk, clients, stage, url: database.url })
      done[fault] = (done[fault] ?? 0) + 1
      const isBack = await until(() => areThere(clients, 0.95), 10_000)
      if (isBack) setTimeout(() => latency.startCounting(), 500)
    }
    await speaking
    unrest.end()
    weight.note()
    const quietFrom = performance.now()
    const isQuiet = await until(async () => {
      if (clients.some((client) => client.unanswered() > 0)) return false
      const heads = await headsOf(database.url)
      return clients.every((client) => client.cursor() === heads.get(client.actor.roomId))
    }, stage.drainMs)
    const quietMs = isQuiet ? Math.round(performance.now() - quietFrom) : null
    for (const code of new Set(clients.flatMap((client) => client.refusals))) log(`  refused: ${code}`)
    return {
      ...tally(clients),
      faults: checkDelivery(await readMessageLog(database.url, clients)),
      done,
      quiet_ms: quietMs,
      ...latency.figures(),
      ...weight.figures(),
    }
  } finally {
    weight.end()
    for (const client of clients) client.close()
    await hub.kill()
    await cluster.stop()
    disk?.remove()
  }
}

function tally(clients: readonly Client[]) {
  const total = (count: (client: Client) => number) => clients.reduce((sum, client) => sum + count(client), 0)
  return {
    sent: total((client) => client.sent.length),
    acked: total((client) => client.acks.length),
    reconnects: total((client) => client.counts.connects) - clients.length,
    resends: total((client) => client.counts.resends),
    duplicates: total((client) => client.counts.duplicates),
    refused: total((client) => client.counts.refused),
    too_slow: total((client) => client.counts.tooSlow),
    placeholders: total((client) => client.counts.placeholders),
  }
}

const areThere = (clients: readonly Client[], share: number) =>
  clients.filter((client) => client.isConnected()).length >= share * clients.length

const hourMs = 3_600_000

type Parts = {
  readonly hub: HubUnderTest
  readonly cluster: TestCluster
  readonly pair: PairedCluster | null
  readonly disk: FaultyDisk | null
  readonly clients: readonly Client[]
  readonly stage: Stage
  readonly url: string
}

async function happen(fault: Fault, { hub, cluster, pair, disk, clients, stage, url }: Parts) {
  switch (fault) {
    case 'kill':
      await hub.kill()
      return hub.start()
    case 'crash':
      return cluster.crash()
    case 'fail over':
      return pair?.failOver()
    case 'stop':
      hub.signal('SIGSTOP')
      await pause(5_000)
      return hub.signal('SIGCONT')
    case 'ahead':
      return hub.moveClock(hourMs)
    case 'behind':
      return hub.moveClock(-hourMs)
    case 'full':
    case 'unsynced':
      disk?.fail(fault)
      await pause(3_000)
      disk?.fail(null)
      // The duration of its recovery depends on its writes; the time limit starts here.
      return cluster.crash()
    case 'poison':
      for (const client of clients) client.read(false)
      await pause(500)
      await corruptNewestMessages(url, 20)
      for (const client of clients) client.cut()
      return
    case 'rest':
      return overflowPausedReaders(clients, stage)
    default:
      return fault satisfies never
  }
}

async function speak(clients: readonly Client[], stage: Stage, from: number, random: () => number): Promise<void> {
  for (let count = 0; performance.now() - from < stage.ms; ) {
    const due = ((performance.now() - from) / 1_000) * stage.rate
    for (; count < due; count++) await clients[Math.floor(random() * clients.length)]?.postNext()
    await pause(5)
  }
}

export async function until(probe: () => boolean | Promise<boolean>, ms: number, everyMs = 50): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await pause(everyMs)) if (await probe()) return true
  return false
}
