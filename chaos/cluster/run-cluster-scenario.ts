import { setTimeout as pause } from 'node:timers/promises'
import { seedAgents } from '../../bench/hub/seed-agents.ts'
import { startReverseProxy } from '../../server/embedded/cluster/reverse-proxy.ts'
import type { TestNats } from '../../test/support/nats.ts'
import { checkDelivery, type Faults, sumNumbers } from '../hub/check-delivery.ts'
import { type Client, startLoadClient } from '../hub/load-client.ts'
import { headsOf, readMessageLog } from '../hub/read-message-log.ts'
import { until } from '../hub/run-hub-fault-stage.ts'
import { type Node, prepareHubs } from './prepare-hubs.ts'

export type ClusterSettings = {
  readonly hubs: number
  readonly rooms: number
  readonly members: number
  /** Messages per second, over all agents. */
  readonly rate: number
  /** The number of hubs that are killed in turn. */
  readonly kills: number
  /** Whether all hubs are stopped and restarted in turn. */
  readonly isRolling: boolean
  /** How long one hub is suspended; 0: not at all. */
  readonly stopMs: number
  readonly duplicates: number
}

export const fullStageSettings: ClusterSettings = {
  hubs: 3,
  rooms: 8,
  members: 6,
  rate: 300,
  kills: 3,
  isRolling: true,
  stopMs: 5_000,
  duplicates: 0.03,
}
/** Short settings for every test run. */
export const shortStageSettings: ClusterSettings = {
  ...fullStageSettings,
  hubs: 2,
  rooms: 3,
  members: 4,
  rate: 60,
  kills: 1,
  stopMs: 1_000,
}

export type ClusterOutcome = {
  readonly faults: Faults
  readonly sent: number
  readonly acked: number
  readonly refused: number
  /** Messages that one hub has written for another. */
  readonly handed_over: number
  readonly kills: number
  readonly restarts: number
  readonly reconnects: number
  readonly resends: number
  /** From the kill of a hub until each agent had posted a new message and received its ack; the maximum. */
  readonly again_ms: number
  /** The maximum time from the stop signal until a hub process ended. */
  readonly shutdown_ms: number
  /** From the last fault until every message was acked and every reader was at the head; null if this did not happen. */
  readonly quiet_ms: number | null
}

const againWithinMs = 3_000
/** The time within which hubs find each other and learn which hub owns which room. */
const findWithinMs = 30_000
const quietWithinMs = 30_000

/** True if no guarantee was broken, enough faults happened, and no agent was interrupted for long. */
export function isHarmless(stage: ClusterSettings, out: ClusterOutcome, withinMs = againWithinMs): boolean {
  const isDone = out.kills >= stage.kills && out.restarts >= (stage.isRolling ? stage.hubs : 0)
  const happened = isDone && out.resends > 0 && out.reconnects > 0 && out.handed_over > 0
  return happened && out.again_ms <= withinMs && out.quiet_ms !== null && out.refused === 0 && sumNumbers(out.faults) === 0
}

export type ClusterServices = { readonly databaseUrl: string; readonly nats: TestNats | null }

/**
 * Several hubs on one PostgreSQL. Half of the agents connect through the proxy, the others directly. The members of each room are
 * spread over all hubs and post continuously, while hubs are killed, restarted and suspended.
 */
export async function runClusterScenario(
  stage: ClusterSettings,
  services: ClusterServices,
  random: () => number,
  log: (line: string) => void,
): Promise<ClusterOutcome> {
  const { databaseUrl, nats } = services
  const nodes = await prepareHubs(stage.hubs, databaseUrl, nats ? { NATS_URL: nats.url, NATS_STREAM: 'chaos' } : {})
  const clients: Client[] = []
  let proxy: Awaited<ReturnType<typeof startReverseProxy>> | null = null
  try {
    const [actors] = await Promise.all([seedAgents(databaseUrl, 1, stage.rooms, stage.members), ...nodes.map((node) => node.start())])
    proxy = await startReverseProxy({ port: 0, hubs: nodes.map(({ url }) => url), webs: [], probeEveryMs: 200 })
    const front = `ws://127.0.0.1:${proxy.port}/v1/ws`
    const hubUrls = nodes.map(({ url }) => `${url.replace('http', 'ws')}/v1/ws`)
    for (const [index, actor] of actors.entries()) {
      const own = hubUrls.map((_, at) => hubUrls[(index + at) % hubUrls.length] ?? '')
      clients.push(startLoadClient(index % 2 === 0 ? [front] : own, actor, random, { duplicates: stage.duplicates }))
    }
    await until(() => clients.every((client) => client.counts.connects > 0), 60_000)
    const speaking = speak(clients, stage.rate, random)
    // On a busy machine hubs take longer until they forward messages. Faults before that would test nothing.
    await until(async () => (await Promise.all(nodes.map((node) => node.handedOver()))).some((count) => count > 0), findWithinMs)
    const done = { kills: 0, restarts: 0, again: 0, shutdownMs: 0, handedOver: 0 }
    for (const node of nodes.slice(0, stage.kills)) {
      done.handedOver += await node.handedOver()
      done.again = Math.max(done.again, await killed(node, clients))
      done.kills++
      log(`  a hub is killed: all agents post again, the slowest after ${Math.round(done.again)} ms`)
      await node.start()
    }
    for (const node of stage.isRolling ? nodes : []) {
      const from = performance.now()
      done.handedOver += await node.handedOver()
      await node.end('SIGTERM')
      done.shutdownMs = Math.max(done.shutdownMs, performance.now() - from)
      await node.start()
      done.restarts++
    }
    if (stage.isRolling)
      log(`  ${done.restarts} hubs have been restarted one after the other, the slowest was gone after ${Math.round(done.shutdownMs)} ms`)
    if (nats) {
      await nats.kill()
      await pause(500)
      await nats.start()
      log('  NATS was killed and is back')
    }
    const [first] = nodes
    if (first && stage.stopMs > 0) {
      first.signal('SIGSTOP')
      await pause(stage.stopMs)
      first.signal('SIGCONT')
      log(`  a hub has stood still for ${stage.stopMs} ms`)
    }
    await pause(500)
    await speaking.end()
    const quietFrom = performance.now()
    const isQuiet = await until(async () => {
      if (clients.some((client) => client.unanswered() > 0)) return false
      const heads = await headsOf(databaseUrl)
      return clients.every((client) => client.cursor() === heads.get(client.actor.roomId))
    }, quietWithinMs)
    for (const code of new Set(clients.flatMap((client) => client.refusals))) log(`  refused: ${code}`)
    for (const node of nodes) done.handedOver += await node.handedOver()
    const total = (count: (client: Client) => number) => clients.reduce((sum, client) => sum + count(client), 0)
    return {
      faults: checkDelivery(await readMessageLog(databaseUrl, clients)),
      sent: total((client) => client.sent.length),
      acked: total((client) => client.acks.length),
      refused: total((client) => client.counts.refused),
      handed_over: done.handedOver,
      kills: done.kills,
      restarts: done.restarts,
      reconnects: total((client) => client.counts.connects) - clients.length,
      resends: total((client) => client.counts.resends),
      again_ms: Math.round(done.again),
      shutdown_ms: Math.round(done.shutdownMs),
      quiet_ms: isQuiet ? Math.round(performance.now() - quietFrom) : null,
    }
  } finally {
    for (const client of clients) client.close()
    await proxy?.close()
    for (const node of nodes) node.signal('SIGCONT')
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
  }
}

/** Kills a hub. Returns the milliseconds until every agent has posted a new message and received its ack. */
async function killed(node: Node, clients: readonly Client[]): Promise<number> {
  await node.end('SIGKILL')
  const from = performance.now()
  const posted = await Promise.all(
    clients.map(async (client) => {
      await client.postNext()
      return client.sent.at(-1)
    }),
  )
  const isWritten = (client: Client, at: number) => client.acks.some(({ id }) => id === posted[at])
  const isBack = await until(() => clients.every(isWritten), quietWithinMs, 10)
  return isBack ? performance.now() - from : Number.POSITIVE_INFINITY
}

function speak(clients: readonly Client[], rate: number, random: () => number): { end(): Promise<void> } {
  let isOver = false
  const from = performance.now()
  const running = (async () => {
    for (let posted = 0; !isOver; await pause(5))
      for (const due = ((performance.now() - from) / 1_000) * rate; posted < due; posted++)
        await clients[Math.floor(random() * clients.length)]?.postNext()
  })()
  return {
    end() {
      isOver = true
      return running
    },
  }
}
