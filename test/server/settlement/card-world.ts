import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CardFee, type OpenPayoutAccount, personDid, randomSeed, signerFromSeed } from '@parley/protocol'
import { verifyTypedData } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Actor, Context } from '../../../server/context.ts'
import { connectDatabase, inTransaction } from '../../../server/db.ts'
import { setAccountReady } from '../../../server/embedded/stripe-fake/accounts.ts'
import { type Payment, paySession } from '../../../server/embedded/stripe-fake/checkout-session.ts'
import { type StripeFake, type StripeFakeOptions, startStripeFake } from '../../../server/embedded/stripe-fake/start-stripe-fake.ts'
import { createIds } from '../../../server/ids.ts'
import { createLog } from '../../../server/log.ts'
import { createWebhookClient } from '../../../server/notifications/index.ts'
import type { CardRail, EscrowRail } from '../../../server/ports.ts'
import { publishListing } from '../../../server/registry/index.ts'
import {
  applyWebhookEvent,
  authorizeCharter,
  captureHold,
  checkoutHold,
  createStripeRail,
  getPayoutAccountTerms,
  openHold,
  openPayoutAccount,
  recordCharter,
  runStripeCycle,
  submitCharterSeal,
} from '../../../server/settlement/index.ts'
import { isFinished } from '../../../server/settlement/stripe/card-payment.ts'
import { listCardPayments } from '../../../server/settlement/stripe/card-payment-store.ts'
import { handleStripeWebhookAs } from '../../../server/webhooks/index.ts'
import { createDatabase } from '../../support/database.ts'
import { nullFileStore } from '../../support/null-file-store.ts'
import { nullSearch } from '../../support/null-search.ts'
import { nullSignals } from '../../support/null-signals.ts'
import { nullWriter } from '../../support/null-writer.ts'
import { testMarket } from '../../support/test-market.ts'
import { draftOf } from '../database-only-world.ts'

export const briefHash = `0x${'b1'.repeat(32)}` as const
export const conclusionHash = `0x${'c0'.repeat(32)}` as const
const webhookSecret = 'whsec_test_of_the_double'

export type Publisher = {
  readonly did: string
  readonly ctx: Context
  readonly account: PrivateKeyAccount
  readonly agentId: string
  readonly address: `0x${string}`
}
export type CardWorld = AsyncDisposable & {
  readonly system: Context
  readonly double: StripeFake
  readonly clock: { now(): Date; advance(ms: number): void }
  readonly client: Context
  readonly clientAccount: PrivateKeyAccount
  /** Two publishers with one agent each. */
  readonly publishers: readonly Publisher[]
  /** URL to which the Stripe fake sends its webhooks. */
  readonly webhookUrl: string
  as(actor: Actor): Context
  /** The same world with another rail that fails intentionally. */
  over(cards: CardRail): Context
}

const noChain = new Proxy({} as EscrowRail, {
  get: (_target, name) => {
    throw new Error(`this world has no chain to ask for ${String(name)}`)
  },
})

export type CardWorldOptions = Partial<Pick<StripeFakeOptions, 'file' | 'slowRefunds'>> & {
  readonly cards?: CardRail
  readonly accounts?: boolean
  /** Processing fee of the client; zero by default. */
  readonly fee?: CardFee
}

/** The settlement module on a real database and the Stripe fake, over HTTP and with webhooks in both directions. */
export async function createCardWorld(options: CardWorldOptions = {}): Promise<CardWorld> {
  const database = await createDatabase()
  const db = connectDatabase(database.url, 8)
  let offset = 0
  const clock = {
    now: () => new Date(Date.now() + offset),
    advance: (ms: number) => {
      offset += ms
    },
  }
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = { 'stripe-signature': String(request.headers['stripe-signature'] ?? '') }
    const answer = await handleStripeWebhookAs(
      system,
      new Request('http://receiver', { method: 'POST', body: Buffer.concat(chunks), headers }),
    )
    response.writeHead(answer.status).end(await answer.text())
  })
  await new Promise<void>((ready) => {
    receiver.listen(0, '127.0.0.1', ready)
  })
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const double = await startStripeFake({
    file: options.file ?? null,
    slowRefunds: options.slowRefunds ?? false,
    port: 0,
    webhookSecret,
    webhookUrl,
    now: () => Math.floor(clock.now().getTime() / 1_000),
  })
  const cards =
    options.cards ??
    createStripeRail({
      secretKey: 'sk_test_fake',
      fee: options.fee ?? { bps: 0, fixedCents: 0 },
      webhookSecrets: ['whsec_before', webhookSecret],
      apiUrl: double.url,
      timeoutMs: 5_000,
    })
  const signer = await signerFromSeed(randomSeed())
  const system: Context = {
    actor: { kind: 'system', name: 'jobs' },
    db,
    clock,
    ids: createIds(clock),
    log: createLog('test', 'silent'),
    ports: {
      signer,
      rail: noChain,
      cards,
      screen: { text: () => ({ answer: 'allow' }), file: () => ({ answer: 'allow' }) },
      verifyWallet: { message: async () => false, typedData: ({ typedData, ...by }) => verifyTypedData({ ...typedData, ...by } as never) },
      writer: nullWriter,
      signals: nullSignals,
      search: nullSearch,
      traces: null,
      files: nullFileStore,
      mail: null,
      webhooks: createWebhookClient([]),
    },
    trace: null,
    market: testMarket({ serverDid: signer.did, arbitrator: `0x${'0'.repeat(40)}`, cards: 'demo' }),
  }
  const as = (actor: Actor): Context => ({ ...system, actor })
  const clientAccount = privateKeyToAccount(generatePrivateKey())
  const client = as(personOf(clientAccount))
  const world: CardWorld = {
    system,
    double,
    clock,
    client,
    clientAccount,
    publishers: await Promise.all([publish(as), publish(as)]),
    webhookUrl,
    as,
    over: (other) => ({ ...system, ports: { ...system.ports, cards: other } }),
    async [Symbol.asyncDispose]() {
      await double.close()
      receiver.closeAllConnections()
      receiver.close()
      await db.$disconnect()
      await database[Symbol.asyncDispose]()
    },
  }
  if (options.accounts !== false) for (const publisher of world.publishers) await openAccount(world, publisher)
  return world
}

function personOf(account: PrivateKeyAccount): Extract<Actor, { kind: 'person' }> {
  const address = account.address.toLowerCase() as `0x${string}`
  return { kind: 'person', did: personDid(31_337, address), address, isOperator: false }
}

async function publish(as: (actor: Actor) => Context): Promise<Publisher> {
  const account = privateKeyToAccount(generatePrivateKey())
  const actor = personOf(account)
  const ctx = as(actor)
  const { agent_id } = await publishListing(ctx, { type: 'listing.publish', listing: draftOf() })
  return { did: actor.did, ctx, account, agentId: agent_id, address: actor.address }
}

/** The signed command of a person that opens its payout account. */
export async function accountCommand({ ctx, account }: Pick<Publisher, 'ctx' | 'account'>): Promise<OpenPayoutAccount> {
  const { typedData, deadline } = getPayoutAccountTerms(ctx)
  return { type: 'payout_account.open', deadline, signature: await account.signTypedData(typedData as never) }
}

/** A publisher opens its payout account and completes Stripe's requirements. */
export async function openAccount(world: CardWorld, publisher: Publisher): Promise<string> {
  await openPayoutAccount(publisher.ctx, await accountCommand(publisher))
  const { accountId } = await world.system.db.payoutAccount.findUniqueOrThrow({ where: { ownerId: publisher.did } })
  setAccountReady(world.double.context, accountId ?? '', true)
  await settle(world)
  return accountId ?? ''
}

/** Handles all received webhook events, as the job does. */
export async function settle(world: CardWorld, ctx = world.system): Promise<void> {
  await world.double.webhookSender.flush()
  for (const { id } of await world.system.db.stripeEvent.findMany({ where: { handledAt: null }, orderBy: { receivedAt: 'asc' } }))
    await applyWebhookEvent(ctx, id)
}

export type OpenOptions = { readonly total?: bigint; readonly workSeconds?: number }

/** A hold that waits for the client. By default 10.25 dollars and one hour. */
export async function open(world: CardWorld, options: OpenOptions = {}): Promise<`gol_${string}`> {
  const goalId = `gol_${randomBytes(16).toString('hex')}` as const
  const { actor } = world.client
  if (actor.kind !== 'person') throw new Error('the client is a person')
  await inTransaction(world.system, (tx) =>
    openHold(tx, {
      goalId,
      rail: 'stripe',
      client: actor.address,
      total: options.total ?? 10_250_000n,
      workBy: Math.floor(world.clock.now().getTime() / 1_000) + (options.workSeconds ?? 3_600),
      reviewSeconds: 3_600,
      briefHash,
    }),
  )
  return goalId
}

export const sessionOf = (url: string): string => url.split('/').at(-1) ?? ''

/** The client pays on its checkout page. */
export async function pay(world: CardWorld, goalId: string, how: Payment = 'paid'): Promise<string> {
  const { url } = await checkoutHold(world.client, { type: 'hold.checkout', goal_id: goalId as never })
  paySession(world.double.context, sessionOf(url), how)
  await settle(world)
  return sessionOf(url)
}

/** The client's approval of a charter, as the server has verified it. */
async function approve(world: CardWorld, goalId: string, version = 1): Promise<void> {
  const { actor } = world.client
  if (actor.kind !== 'person') throw new Error('the client is a person')
  const signature = `0x${'11'.repeat(65)}` as const
  await inTransaction(world.system, (tx) => authorizeCharter(tx, { goalId, version, signature }, { signer: actor.address, signature }))
}

/** Three steps, 4 + 3 + 3 dollars; the first two of one publisher. The client approves them. */
export async function handOver(world: CardWorld, goalId: string, amounts = [4_000_000n, 3_000_000n, 3_000_000n]): Promise<void> {
  const [first, second] = world.publishers
  const owners = [first, first, second]
  await inTransaction(world.system, (tx) =>
    recordCharter(tx, {
      goalId,
      version: 1,
      charterHash: `0x${'ab'.repeat(32)}`,
      steps: amounts.map((amount, index) => ({
        step: index + 1,
        payee: owners[index]?.address ?? '0x',
        amount,
        agentId: owners[index]?.agentId ?? '',
      })),
    }),
  )
  await approve(world, goalId)
  await submitCharterSeal(world.system, goalId)
}

export async function capture(world: CardWorld, goalId: string, bits: bigint): Promise<void> {
  await inTransaction(world.system, (tx) =>
    captureHold(tx, { goalId, bits, conclusionHash, taskIds: { 1: 'tsk_1', 2: 'tsk_2', 3: 'tsk_3' } }),
  )
}

export async function sealedGoal(world: CardWorld, options: OpenOptions = {}): Promise<`gol_${string}`> {
  const goalId = await open(world, options)
  await pay(world, goalId)
  await handOver(world, goalId)
  return goalId
}

/** Runs cycles, as the job loop does, until nothing is pending except payments that wait for a person. */
export async function drive(world: CardWorld, ctx = world.system): Promise<void> {
  for (let round = 0; round < 20; round++) {
    await runStripeCycle(ctx)
    await settle(world, ctx)
    const under = (await listCardPayments(world.system, {})).filter(
      (one) => !isFinished(one) && one.state !== 'intent' && one.state !== 'seen',
    )
    if (under.length === 0) return
    // Makes delayed retries due now.
    const [next] = under.flatMap((one) => one.retryAt ?? []).sort((a, b) => a.getTime() - b.getTime())
    if (next && next > world.clock.now()) world.clock.advance(next.getTime() - world.clock.now().getTime() + 1)
  }
  throw new Error('something is still under way after 20 rounds')
}

export async function ledgerBalance(world: CardWorld, account: string): Promise<bigint> {
  const entries = await world.system.db.ledgerEntry.findMany({ where: { account } })
  return entries.reduce((sum, entry) => sum + entry.debit - entry.credit, 0n)
}

export async function eventsOf(world: CardWorld, goalId: string): Promise<string[]> {
  const rows = await world.system.db.outboxEvent.findMany({ orderBy: { id: 'asc' } })
  return rows.filter((row) => (row.body as { goal_id?: string }).goal_id === goalId).map((row) => row.type)
}

/** Cents that the fake itself has moved for a goal. The ledger is compared with them. */
export function movedFor(world: CardWorld, goalId: string) {
  const { charges, transfers, reversals, refunds } = world.double.context.state
  const sum = (all: readonly { amount: number }[]) => all.reduce((total, one) => total + one.amount, 0)
  const own = transfers.filter((one) => one.transfer_group === goalId)
  return {
    charged: sum(charges.filter((one) => one.transfer_group === goalId)),
    sent: own.map((one) => [one.destination, one.amount] as const),
    sentSum: sum(own),
    takenBack: sum(reversals.filter((one) => own.some((transfer) => transfer.id === one.transfer))),
    refunded: sum(refunds.filter((one) => one.metadata?.goal_id === goalId)),
  }
}
