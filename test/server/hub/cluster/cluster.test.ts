import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { randomSeed } from '@parley/protocol'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Actor, seedAgents } from '../../../../bench/hub/seed-agents.ts'
import { checkDelivery, sumNumbers } from '../../../../chaos/hub/check-delivery.ts'
import { type Client, startLoadClient } from '../../../../chaos/hub/load-client.ts'
import { readMessageLog } from '../../../../chaos/hub/read-message-log.ts'
import { composeServices, type Services } from '../../../../server/compose.ts'
import { readEnvironment } from '../../../../server/env.ts'
import { peerHeader } from '../../../../server/hub/cluster/peer-authenticator.ts'
import { type Hub, startHub } from '../../../../server/hub/index.ts'
import { recordLoad } from '../../../../server/telemetry/index.ts'
import { bareHub } from '../../../support/bare-hub-environment.ts'
import { createDatabase, type TestDatabase } from '../../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database?.[Symbol.asyncDispose]())

const serverKey = randomSeed()
let teamCount = 0

type Node = { readonly hub: Hub; readonly world: Services; figure(name: string): Promise<number> }

/** A hub as a process has it, with a board, a writer and wakes of its own. */
async function startNode(options: { key?: string; link?: (port: number) => string } = {}): Promise<Node> {
  const env = readEnvironment(bareHub(database.url, { SERVER_SIGNING_KEY: options.key ?? serverKey }))
  const world = await composeServices('hub', env)
  const peerUrlOf = options.link ?? ((port: number) => `ws://127.0.0.1:${port}`)
  const hub = await startHub(world.contextFor({ kind: 'anonymous' }), world.listener, { host: '127.0.0.1', port: 0 }, { peerUrlOf })
  let isClosed = false
  const close = hub.close
  const node: Node = {
    world,
    hub: {
      ...hub,
      async close() {
        if (isClosed) return
        isClosed = true
        await close()
        await world.close()
      },
    },
    async figure(name) {
      const text = await (await fetch(`http://127.0.0.1:${hub.port}/metrics`)).text()
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`parley_hub_${name} `))
          ?.split(' ')[1],
      )
    },
  }
  onTestFinished(() => node.hub.close())
  return node
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await holds()); await pause(20)) if (Date.now() > end) throw new Error(`still waiting: ${what}`)
}

const areLinked = (nodes: readonly Node[]) =>
  until('links', async () => {
    const roads = await Promise.all(nodes.map((node) => node.figure('peers{direction="outbound"}')))
    return roads.every((count) => count === nodes.length - 1)
  })

/** Members of rooms, spread over the hubs. */
async function gather(nodes: readonly Node[], rooms: number, size: number): Promise<{ clients: Client[]; actors: Actor[] }> {
  const actors = await seedAgents(database.url, ++teamCount, rooms, size)
  const clients = actors.map((actor, index) => {
    const own = nodes.map((_, at) => `ws://127.0.0.1:${nodes[(index + at) % nodes.length]?.hub.port}/v1/ws`)
    return startLoadClient(own, actor, Math.random, { duplicates: 0 })
  })
  onTestFinished(() => {
    for (const client of clients) client.close()
  })
  await until('everybody to be there', () => clients.every((client) => client.counts.connects > 0))
  return { clients, actors }
}

async function talk(clients: readonly Client[], words: number): Promise<void> {
  for (let word = 0; word < words; word++) {
    await Promise.all(clients.map((client) => client.postNext()))
    if (word % 5 === 0) await pause(20)
  }
}

const areQuiet = (clients: readonly Client[]) =>
  until('all to be said and heard', () => {
    const max = new Map<string, number>()
    for (const { actor, cursor } of clients) max.set(actor.roomId, Math.max(cursor(), max.get(actor.roomId) ?? 0))
    return clients.every((client) => client.unanswered() === 0 && client.cursor() === max.get(client.actor.roomId))
  })

const handedOver = async (nodes: readonly Node[]) =>
  (await Promise.all(nodes.map((node) => node.figure('forwarded_messages_total')))).reduce((sum, count) => sum + count, 0)

it('forward each other’s messages in rooms that both serve, and lose, double and reorder nothing when one goes', async () => {
  const nodes = [await startNode(), await startNode(), await startNode()]
  await areLinked(nodes)
  const { clients } = await gather(nodes, 4, 6)
  await talk(clients, 60)
  await areQuiet(clients)
  expect(await handedOver(nodes)).toBeGreaterThan(100)
  const talking = talk(clients, 60)
  await pause(50)
  await nodes[1]?.hub.close()
  await talking
  await areQuiet(clients)
  await until('the others to have noticed', async () => (await nodes[0]?.figure('peers{direction="outbound"}')) === 1)
  expect(sumNumbers(checkDelivery(await readMessageLog(database.url, clients)))).toBe(0)
  expect(clients.flatMap((client) => client.refusals)).toEqual([])
})

it('leaves rooms alone that only one of them speaks in', async () => {
  const nodes = [await startNode(), await startNode()]
  await areLinked(nodes)
  const { clients } = await gather(nodes.slice(0, 1), 2, 3)
  await talk(clients, 30)
  await areQuiet(clients)
  expect(await handedOver(nodes)).toBe(0)
})

it('work as before where they can not reach one another', async () => {
  const nodes = [await startNode({ link: () => 'ws://127.0.0.1:1' }), await startNode({ link: () => 'ws://127.0.0.1:1' })]
  const { clients } = await gather(nodes, 1, 4)
  await talk(clients, 20)
  await areQuiet(clients)
  expect(await handedOver(nodes)).toBe(0)
  expect(sumNumbers(checkDelivery(await readMessageLog(database.url, clients)))).toBe(0)
})

it('admit no one who can not prove to be of the same server, and no page', async () => {
  const node = await startNode()
  const opens = (headers: Record<string, string>) => {
    const socket = new WebSocket(`ws://127.0.0.1:${node.hub.port}/link/1`, { headers })
    return new Promise<number | undefined>((resolve) => {
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
      socket.on('open', () => resolve(101))
      socket.on('error', () => resolve(undefined))
    })
  }
  expect(await opens({})).toBe(403)
  expect(await opens({ [peerHeader]: 'a b c' })).toBe(403)
  expect(await opens({ origin: 'http://localhost:3000', [peerHeader]: 'a b c' })).toBe(403)
  // One of another server that shares the database is not reached either.
  const stranger = await startNode({ key: randomSeed() })
  await pause(300)
  expect(await stranger.figure('peers{direction="outbound"}')).toBe(0)
  expect(await node.figure('peers{direction="inbound"}')).toBe(0)
})

it('hand nothing to a process that answers as another hub without proof', async () => {
  const one = await startNode()
  const impostor = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => impostor.close())
  await once(impostor, 'listening')
  impostor.on('headers', (headers) => headers.push(`${peerHeader}: none`))
  const left = new Promise((resolve) => impostor.on('connection', (socket) => socket.on('close', resolve)))
  const link = `ws://127.0.0.1:${(impostor.address() as AddressInfo).port}`
  const none = { messages: 0, writes: 0, writeSeconds: 0, deliveries: 0, connections: 0, queued: 0, behind: 0, unsentBytes: 0, slow: 0 }
  await recordLoad(one.world.contextFor({ kind: 'anonymous' }), { hub: randomUUID(), name: 'impostor', peerUrl: link, figures: none })
  const node = await startNode()
  await left
  await areLinked([one, node])
})
