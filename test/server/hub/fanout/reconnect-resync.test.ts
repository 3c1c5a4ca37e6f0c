import { setTimeout } from 'node:timers/promises'
import { signerFromSeed } from '@parley/protocol'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Actor, seedAgents } from '../../../../bench/hub/seed-agents.ts'
import { startLoadClient } from '../../../../chaos/hub/load-client.ts'
import { dispatchCommand } from '../../../../server/commands/index.ts'
import { composeServices, type Services } from '../../../../server/compose.ts'
import type { Context } from '../../../../server/context.ts'
import { groupCommitWriterOf } from '../../../../server/conversations/index.ts'
import { readEnvironment } from '../../../../server/env.ts'
import { startHub } from '../../../../server/hub/index.ts'
import type { SignalSource } from '../../../../server/signals/signal.ts'
import { bareHub } from '../../../support/bare-hub-environment.ts'
import { createDatabase, type TestDatabase } from '../../../support/database.ts'
import { delegationOf } from '../../../support/delegation.ts'

let database: TestDatabase
let world: Services
beforeAll(async () => {
  database = await createDatabase()
  world = await composeServices('hub', readEnvironment(bareHub(database.url)))
})
afterAll(async () => {
  await world?.close()
  await database?.[Symbol.asyncDispose]()
})

/** The database, whose reading statements are counted. */
function counting(ctx: Context): { readonly ctx: Context; readonly reads: () => number } {
  let reads = 0
  const counted = <T extends object>(target: T, isTable: boolean): T =>
    new Proxy(target, {
      get(one, name) {
        const value = Reflect.get(one, name)
        if (typeof value === 'function') {
          return (...args: unknown[]) => {
            if (isTable ? /^(find|count|group)/.test(String(name)) : /^\$queryRaw/.test(String(name))) reads++
            return value.apply(one, args)
          }
        }
        return typeof value === 'object' && value !== null && !isTable ? counted(value, true) : value
      },
    })
  return { ctx: { ...ctx, db: counted(ctx.db, false) }, reads: () => reads }
}

async function postAs(ctx: Context, { agentId, seed, roomId }: Actor, text: string) {
  const signer = await signerFromSeed(seed)
  const delegation = await delegationOf(ctx, signer)
  return dispatchCommand(
    { ...ctx, actor: { kind: 'agent', did: signer.did, agentId, ownerDid: 'did:web:o', hasKey: true, delegation } },
    { type: 'message.post', room_id: roomId, parts: [{ text }] },
  )
}
/** Another process on the same database. */
const elsewhere = (ctx: Context): Context => ({ ...ctx, ports: { ...ctx.ports, writer: { ...ctx.ports.writer } } })

it('continues in a room without asking where it has read another process’s messages there', async () => {
  const ctx = world.contextFor({ kind: 'anonymous' })
  const hub = await startHub(ctx, world.listener, { host: '127.0.0.1', port: 0 })
  onTestFinished(() => hub.close())
  const actors = await seedAgents(database.url, 2, 1, 2)
  const [one, other] = actors as [Actor, Actor]
  const client = startLoadClient(`ws://127.0.0.1:${hub.port}/v1/ws`, one, () => 0, { duplicates: 0 })
  onTestFinished(() => void client.close())
  await expect.poll(() => client.isConnected()).toBe(true)
  await postAs(ctx, one, 'here')
  await postAs(elsewhere(ctx), other, 'there')
  await expect.poll(() => client.cursor()).toBe(2)
  // While the others may be speaking at this moment, it would ask.
  await setTimeout(50)
  const { optimistic, locked } = groupCommitWriterOf(ctx).metrics()
  await postAs(ctx, one, 'here again')
  expect(groupCommitWriterOf(ctx).metrics()).toMatchObject({ optimistic: optimistic + 1, locked })
})

it('asks for all rooms and agents together after a lost wake connection, and gives each the messages of the meantime', async () => {
  const { ctx, reads } = counting(world.contextFor({ kind: 'anonymous' }))
  const listeners = new Set<Parameters<SignalSource['on']>[0]>()
  const deaf: SignalSource = {
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => undefined,
  }
  const hub = await startHub(ctx, deaf, { host: '127.0.0.1', port: 0 }, { reconcileEveryMs: 3_600_000 })
  onTestFinished(() => hub.close())
  const actors = await seedAgents(database.url, 1, 5, 8)
  const clients = actors.map((actor) => startLoadClient(`ws://127.0.0.1:${hub.port}/v1/ws`, actor, () => 0, { duplicates: 0 }))
  onTestFinished(() => clients.forEach((client) => void client.close()))
  await expect.poll(() => clients.every((client) => client.isConnected())).toBe(true)
  // Of the other process this one receives nothing.
  const there = elsewhere(ctx)
  for (const text of ['one', 'two']) await Promise.all(actors.filter((actor) => actor.isWitness).map((actor) => postAs(there, actor, text)))
  expect(clients.map((client) => client.cursor())).toEqual(actors.map(() => 0))
  const before = reads()
  for (const listener of listeners) listener('reconnected')
  await expect.poll(() => clients.every((client) => client.cursor() === 2)).toBe(true)
  // Of forty agents in five rooms, each with an inbox: whose connections they are, their rooms, their cursors, all heads, what is new.
  expect(reads() - before).toBe(5)
})
