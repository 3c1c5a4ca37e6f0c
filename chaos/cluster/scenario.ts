import { setTimeout as pause } from 'node:timers/promises'
import { seedAgents } from '../../bench/hub/seed-agents.ts'
import { startProxy } from '../../server/embedded/cluster/proxy.ts'
import type { TestNats } from '../../test/support/nats.ts'
import { checkDelivery, type Faults, sumOf } from '../hub/check-delivery.ts'
import { type Client, startClient } from '../hub/client.ts'
import { headsOf, readDatabaseLog } from '../hub/read-database-log.ts'
import { until } from '../hub/scenario.ts'
import { type Node, prepareHubs } from './prepare-hubs.ts'

export type ClusterStage = {
  readonly hubs: number
  readonly rooms: number
  readonly members: number
  /** Messages a second over all. */
  readonly rate: number
  /** Hubs that are killed, one after the other. */
  readonly kills: number
  /** Whether all hubs are asked to stop and started again, one after the other. */
  readonly isRolling: boolean
  /** How long one hub is stopped in its tracks; 0: not at all. */
  readonly stopMs: number
  readonly duplicates: number
}

export const wholeStage: ClusterStage = {
  hubs: 3,
  rooms: 8,
  members: 6,
  rate: 300,
  kills: 3,
  isRolling: true,
  stopMs: 5_000,
  duplicates: 0.03,
}
/** The same, short enough for every run of the tests. */
export const shortStage: ClusterStage = { ...wholeStage, hubs: 2, rooms: 3, members: 4, rate: 60, kills: 1, stopMs: 1_000 }

export type ClusterOutcome = {
  readonly faults: Faults
  readonly sent: number
  readonly acked: number
  readonly refused: number
  /** Messages that one hub has said for another. */
  readonly handed_over: number
  readonly kills: number
  readonly restarts: number
  readonly reconnects: number
  readonly resends: number
  /** From the kill of a hub until everybody had said something new and heard that it is written; the worst. */
  readonly again_ms: number
  /** From asking a hub to stop until it was gone; the worst. */
  readonly goodbye_ms: number
  /** From the last fault until every message was acked and everybody at the head; null where that did not come. */
  readonly quiet_ms: number | null
}

const againWithinMs = 3_000
/** Within this time hubs have found one another, and have heard who speaks where. */
const findWithinMs = 30_000
const quietWithinMs = 30_000

/** True where nothing was broken, enough had happened to break something, and nobody was silent for long. */
export function isHarmless(stage: ClusterStage, out: ClusterOutcome, withinMs = againWithinMs): boolean {
  const isDone = out.kills >= stage.kills && out.restarts >= (stage.isRolling ? stage.hubs : 0)
  const happened = isDone && out.resends > 0 && out.reconnects > 0 && out.handed_over > 0
  return happened && out.again_ms <= withinMs && out.quiet_ms !== null && out.refused === 0 && sumOf(out.faults) === 0
}

export type Ground = { readonly databaseUrl: string; readonly nats: TestNats | null }

/**
 * Several hubs on one PostgreSQL, behind the proxy for half of the agents and by their own doors for the other half. The
 * members of a room are spread over all hubs, speak all the while, and their hubs are killed, restarted and stopped.
 */
export async function runClusterScenario(
  stage: ClusterStage,
  ground: Ground,
  random: () => number,
  tell: (line: string) => void,
): Promise<ClusterOutcome> {
  const { databaseUrl, nats } = ground
  const nodes = await prepareHubs(stage.hubs, databaseUrl, nats ? { NATS_URL: nats.url, NATS_STREAM: 'chaos' } : {})
  const clients: Client[] = []
  let proxy: Awaited<ReturnType<typeof startProxy>> | null = null
  try {
    const [actors] = await Promise.all([seedAgents(databaseUrl, 1, stage.rooms, stage.members), ...nodes.map((node) => node.start())])
    proxy = await startProxy({ port: 0, hubs: nodes.map(({ url }) => url), webs: [], probeEveryMs: 200 })
    const front = `ws://127.0.0.1:${proxy.port}/v1/ws`
    const doors = nodes.map(({ url }) => `${url.replace('http', 'ws')}/v1/ws`)
    for (const [index, actor] of actors.entries()) {
      const own = doors.map((_, at) => doors[(index + at) % doors.length] ?? '')
      clients.push(startClient(index % 2 === 0 ? [front] : own, actor, random, { duplicates: stage.duplicates }))
    }
    await until(() => clients.every((client) => client.counts.connects > 0), 60_000)
    const speaking = speak(clients, stage.rate, random)
    // On a busy machine hubs take longer until one takes messages for another; faults before that would show nothing.
    await until(async () => (await Promise.all(nodes.map((node) => node.handedOver()))).some((count) => count > 0), findWithinMs)
    const done = { kills: 0, restarts: 0, again: 0, goodbye: 0, handedOver: 0 }
    for (const node of nodes.slice(0, stage.kills)) {
      done.handedOver += await node.handedOver()
      done.again = Math.max(done.again, await killed(node, clients))
      done.kills++
      tell(`  a hub is killed: everybody talks again, the slowest after ${Math.round(done.again)} ms`)
      await node.start()
    }
    for (const node of stage.isRolling ? nodes : []) {
      const from = performance.now()
      done.handedOver += await node.handedOver()
      await node.end('SIGTERM')
      done.goodbye = Math.max(done.goodbye, performance.now() - from)
      await node.start()
      done.restarts++
    }
    if (stage.isRolling)
      tell(`  ${done.restarts} hubs have been restarted one after the other, the slowest was gone after ${Math.round(done.goodbye)} ms`)
    if (nats) {
      await nats.kill()
      await pause(500)
      await nats.start()
      tell('  NATS was killed and is back')
    }
    const [first] = nodes
    if (first && stage.stopMs > 0) {
      first.signal('SIGSTOP')
      await pause(stage.stopMs)
      first.signal('SIGCONT')
      tell(`  a hub has stood still for ${stage.stopMs} ms`)
    }
    await pause(500)
    await speaking.end()
    const quietFrom = performance.now()
    const isQuiet = await until(async () => {
      if (clients.some((client) => client.unanswered() > 0)) return false
      const heads = await headsOf(databaseUrl)
      return clients.every((client) => client.cursor() === heads.get(client.actor.roomId))
    }, quietWithinMs)
    for (const code of new Set(clients.flatMap((client) => client.refusals))) tell(`  refused: ${code}`)
    for (const node of nodes) done.handedOver += await node.handedOver()
    const total = (count: (client: Client) => number) => clients.reduce((sum, client) => sum + count(client), 0)
    return {
      faults: checkDelivery(await readDatabaseLog(databaseUrl, clients)),
      sent: total((client) => client.sent.length),
      acked: total((client) => client.acks.length),
      refused: total((client) => client.counts.refused),
      handed_over: done.handedOver,
      kills: done.kills,
      restarts: done.restarts,
      reconnects: total((client) => client.counts.connects) - clients.length,
      resends: total((client) => client.counts.resends),
      again_ms: Math.round(done.again),
      goodbye_ms: Math.round(done.goodbye),
      quiet_ms: isQuiet ? Math.round(performance.now() - quietFrom) : null,
    }
  } finally {
    for (const client of clients) client.close()
    await proxy?.close()
    for (const node of nodes) node.signal('SIGCONT')
    await Promise.all(nodes.map((node) => node.end('SIGKILL')))
  }
}

/** Kills a hub; the milliseconds until everybody has said something new and knows it written. */
async function killed(node: Node, clients: readonly Client[]): Promise<number> {
  await node.end('SIGKILL')
  const from = performance.now()
  const said = await Promise.all(
    clients.map(async (client) => {
      await client.say()
      return client.sent.at(-1)
    }),
  )
  const isWritten = (client: Client, at: number) => client.acks.some(({ id }) => id === said[at])
  const isBack = await until(() => clients.every(isWritten), quietWithinMs, 10)
  return isBack ? performance.now() - from : Number.POSITIVE_INFINITY
}

function speak(clients: readonly Client[], rate: number, random: () => number): { end(): Promise<void> } {
  let isOver = false
  const from = performance.now()
  const running = (async () => {
    for (let said = 0; !isOver; await pause(5))
      for (const due = ((performance.now() - from) / 1_000) * rate; said < due; said++)
        await clients[Math.floor(random() * clients.length)]?.say()
  })()
  return {
    end() {
      isOver = true
      return running
    },
  }
}
