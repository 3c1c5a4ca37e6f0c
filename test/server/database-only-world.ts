import { type ListingDraft, personDid, randomSeed, signerFromSeed } from '@parley/protocol'
import { type Hex, verifyMessage, verifyTypedData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import { type Actor, actingAs, type Context } from '../../server/context.ts'
import { type Client, connectDatabase } from '../../server/db.ts'
import { hashSecret } from '../../server/identity/hash-secret.ts'
import { sessionLifetimeMs } from '../../server/identity/index.ts'
import { createIds } from '../../server/ids.ts'
import { createLog } from '../../server/log.ts'
import { createWebhookClient } from '../../server/notifications/index.ts'
import type { EscrowRail, Ports } from '../../server/ports.ts'
import { createContentScreen } from '../../server/safety/index.ts'
import { createListingSearch } from '../../server/search/listing-search.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { nullFileStore } from '../support/null-file-store.ts'
import { nullSignals } from '../support/null-signals.ts'
import { nullWriter } from '../support/null-writer.ts'
import { testMarket } from '../support/test-market.ts'

type Agent = Extract<Actor, { kind: 'agent' }>
type PersonActor = Extract<Actor, { kind: 'person' }>
export type Person = { account: PrivateKeyAccount; actor: PersonActor; ctx: Context }

/** The lower rooms on a database of their own, with a clock that moves on command only, and no chain. */
export type RoomWorld = {
  ctx: Context
  db: Client
  /** The address of the database. */
  url: string
  clock: { now(): Date; advance(ms: number): void }
  as(actor: Actor): Context
  person(): Person
  agent(agentId: string, did?: string): Context
  audit(chain: string): Promise<string[]>
  /** Waits until so many sessions of the database wait for a lock. */
  blocked(sessions: number): Promise<void>
}

export const anonymous: Actor = { kind: 'anonymous' }
export const system: Actor = { kind: 'system', name: 'jobs' }

// A test that reached for the chain here would be testing another room.
const noChain = new Proxy({} as EscrowRail, {
  get: (_target, name) => {
    throw new Error(`this world has no chain to ask for ${String(name)}`)
  },
})

/** Opens a world for the tests of one file and closes it after them. */
export function openRoomWorld(): RoomWorld {
  const world = {} as RoomWorld
  let database: TestDatabase
  let db: Client
  beforeAll(async () => {
    database = await createDatabase()
    db = connectDatabase(database.url, 8)
    Object.assign(world, await open(db, database.url))
  })
  afterAll(async () => {
    await world.ctx?.ports.search.close()
    await db?.$disconnect()
    await database?.[Symbol.asyncDispose]()
  })
  return world
}

async function open(db: Client, url: string): Promise<RoomWorld> {
  let now = Date.parse('2026-03-01T12:00:00.000Z')
  const clock = {
    now: () => new Date(now),
    advance: (ms: number) => {
      now += ms
    },
  }
  const signer = await signerFromSeed(randomSeed())
  const log = createLog('test', 'silent')
  const market = testMarket({ serverDid: signer.did })
  const ports: Ports = {
    signer,
    rail: noChain,
    cards: null,
    screen: createContentScreen(),
    verifyWallet: {
      message: (input) => verifyMessage(input).catch(() => false),
      typedData: ({ address, typedData, signature }) =>
        verifyTypedData({ address, ...typedData, signature } as Parameters<typeof verifyTypedData>[0]).catch(() => false),
    },
    writer: nullWriter,
    signals: nullSignals,
    // The first query waits until the index is loaded.
    search: createListingSearch({ url, asset: market.asset, log, startWaitMs: 60_000 }),
    traces: null,
    files: nullFileStore,
    mail: null,
    webhooks: createWebhookClient([]),
  }
  const ctx: Context = {
    actor: anonymous,
    db,
    clock,
    ids: createIds(clock),
    log,
    ports,
    market,
    trace: null,
  }
  const as = (actor: Actor) => actingAs(ctx, actor)
  return {
    ctx,
    db,
    url,
    clock,
    as,
    person: () => {
      const account = privateKeyToAccount(generatePrivateKey())
      const address = account.address.toLowerCase() as Hex
      const actor: PersonActor = { kind: 'person', did: personDid(ctx.market.chainId, address), address, isOperator: false }
      return { account, actor, ctx: as(actor) }
    },
    agent: (agentId, did = 'did:web:example.org:agents:someone') =>
      as({ kind: 'agent', did: did as Agent['did'], agentId, ownerDid: 'did:pkh:eip155:31337:0x', hasKey: false }),
    audit: async (chain) => (await db.auditEntry.findMany({ where: { chain }, orderBy: { n: 'asc' } })).map((row) => row.action),
    blocked: async (sessions) => {
      for (;;) {
        const [row] = await db.$queryRaw<{ n: number }[]>`
          select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        if ((row?.n ?? 0) >= sessions) return
      }
    },
  }
}

let drafts = 0

/** A listing's draft with one skill, as the protocol's schema leaves it; each with another handle. */
export function draftOf(change: Partial<ListingDraft> & { price?: string; outputs?: string[]; inputs?: string[] } = {}): ListingDraft {
  const { price = '250000', outputs = ['report.text'], inputs = ['query.text'], ...rest } = change
  const port = (type: string, index: number) => ({ name: `p${index}`, type, description: '', optional: false })
  drafts++
  return {
    handle: `agent-${drafts}`,
    name: `Agent ${drafts}`,
    summary: 'Does one thing well.',
    readme: '',
    skills: [
      {
        id: 'text.shout',
        name: 'Shout',
        description: 'Says it louder.',
        inputs: inputs.map(port),
        outputs: outputs.map(port),
        price,
        tags: [],
        samples: [],
      },
    ],
    payout: `0x${drafts.toString(16).padStart(40, '1')}`,
    policy: { data_use: '', max_concurrency: 4 },
    ...rest,
  }
}

/** How a promise ended: the problem's code, or the value. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

/** A login as signing in leaves it. */
export async function openSession(world: RoomWorld, person: Person, given: { token?: string; agent?: string } = {}) {
  const now = world.clock.now()
  const { did, address } = person.actor
  await world.db.person.upsert({ where: { id: did }, create: { id: did, address, chainId: 31_337, createdAt: now }, update: {} })
  const token = given.token ?? world.ctx.ids.secret()
  const id = world.ctx.ids.next('ses')
  const expiresAt = new Date(now.getTime() + sessionLifetimeMs)
  await world.db.session.create({
    data: { id, tokenHash: hashSecret(token), personId: did, userAgent: given.agent ?? '', createdAt: now, seenAt: now, expiresAt },
  })
  return { id, token }
}
