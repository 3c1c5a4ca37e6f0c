import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Services } from '../../server/compose.ts'
import type { Context } from '../../server/context.ts'
import { inTransaction } from '../../server/db.ts'
import { setAccountReady } from '../../server/embedded/stripe-fake/accounts.ts'
import { paySession } from '../../server/embedded/stripe-fake/checkout-session.ts'
import { type StripeFake, startStripeFake } from '../../server/embedded/stripe-fake/start-stripe-fake.ts'
import { endRefund } from '../../server/embedded/stripe-fake/transfers-and-refunds.ts'
import { publishListing } from '../../server/registry/index.ts'
import {
  authorizeCharter,
  captureHold,
  checkoutHold,
  getPayoutAccountTerms,
  openHold,
  openPayoutAccount,
  recordCharter,
  refreshOwnAccount,
  submitCharterSeal,
} from '../../server/settlement/index.ts'
import { handleStripeWebhookAs } from '../../server/webhooks/index.ts'
import { draftOf } from '../../test/server/database-only-world.ts'
import { conclusionHash, personOf } from './escrow-goals.ts'
import type { Progress } from './payment-progress.ts'
import { retryUntilDone } from './test-environment.ts'

type Publisher = { readonly did: string; readonly agentId: string; readonly address: `0x${string}`; readonly accountId: string }
/** The expected payments of a card goal: cents by Stripe account. */
export type CardGoal = { readonly goalId: string; readonly bits: bigint; readonly wanted: ReadonlyMap<string, number> }
export type CardMarket = {
  readonly double: StripeFake
  readonly client: Context
  readonly publishers: readonly Publisher[]
  /** The bank returns this many of the next refunds. */
  failRefunds(count: number, failed: (goalId: string) => void): void
}

export const stripeSecret = 'whsec_of_the_chaos'
const amounts = [4_000_000n, 3_000_000n, 3_000_000n]
const [allSteps, twoSteps] = [0b111n, 0b011n]
const refundMs = 400

/** The fake of Stripe with slow refunds, and an endpoint for its webhooks that does the same as the web's route. */
export async function startStripe(): Promise<{ double: StripeFake; serve(system: Context): void; close(): Promise<void> }> {
  let system: Context | null = null
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = { 'stripe-signature': String(request.headers['stripe-signature']) }
    const asked = new Request('http://door', { method: 'POST', body: Buffer.concat(chunks), headers })
    const status =
      system === null
        ? 503
        : await handleStripeWebhookAs(system, asked).then(
            (answer) => answer.status,
            () => 503,
          )
    response.writeHead(status).end()
  })
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
  const webhookUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const double = await startStripeFake({ file: null, port: 0, webhookSecret: stripeSecret, webhookUrl, slowRefunds: true })
  return {
    double,
    serve: (one) => {
      system = one
    },
    async close() {
      await double.close()
      proxy.closeAllConnections()
      await new Promise((done) => proxy.close(done))
    },
  }
}

/** Two publishers with an agent and a payout account each, and a client with its own account. */
export async function openCardMarket(world: Services, system: Context, double: StripeFake): Promise<CardMarket> {
  let failing: { left: number; failed: (goalId: string) => void } = { left: 0, failed: () => {} }
  const contextOf = (actor: Context['actor']): Context => ({ ...world.contextFor(actor), ports: system.ports })
  const openAccount = async (ctx: Context, did: string, key: PrivateKeyAccount) => {
    const { typedData, deadline } = getPayoutAccountTerms(ctx)
    await openPayoutAccount(ctx, { type: 'payout_account.open', deadline, signature: await key.signTypedData(typedData as never) })
    const { accountId } = await system.db.payoutAccount.findUniqueOrThrow({ where: { ownerId: did } })
    setAccountReady(double.context, accountId ?? '', true)
    await refreshOwnAccount(system, did)
    return accountId ?? ''
  }
  const publish = async (): Promise<Publisher> => {
    const key = privateKeyToAccount(generatePrivateKey())
    const actor = personOf(system, key)
    const ctx = contextOf(actor)
    const { agent_id: agentId } = await publishListing(ctx, { type: 'listing.publish', listing: draftOf() })
    return { did: actor.did, agentId, address: actor.address, accountId: await openAccount(ctx, actor.did, key) }
  }
  const clientKey = privateKeyToAccount(generatePrivateKey())
  const client = personOf(system, clientKey)
  const publishers = [await publish(), await publish()]
  await openAccount(contextOf(client), client.did, clientKey)
  const bank = setInterval(() => {
    const due = double.context.state.refunds.filter((one) => one.status === 'pending')
    for (const refund of due) {
      const fails = failing.left > 0
      if (fails) {
        failing.left--
        failing.failed(refund.metadata?.goal_id ?? '')
      }
      endRefund(double.context, refund.id, !fails)
    }
  }, refundMs)
  bank.unref()
  return {
    double,
    client: contextOf(client),
    publishers,
    failRefunds: (left, failed) => {
      failing = { left, failed }
    },
  }
}

/** Every second goal leaves a step unpaid, so that some of its money is refunded. */
export async function openCardGoal(system: Context, { client, publishers }: CardMarket, n: number): Promise<CardGoal> {
  const goalId = `gol_${randomBytes(16).toString('hex')}`
  const bits = n % 2 === 0 ? twoSteps : allSteps
  const { actor } = client
  if (actor.kind !== 'person') throw new Error('the client is a person')
  await retryUntilDone(async () => {
    if ((await system.db.hold.count({ where: { goalId } })) > 0) return
    const terms = { total: 10_250_000n, workBy: Math.floor(Date.now() / 1_000) + 3_600, reviewSeconds: 3_600 }
    const briefHash = `0x${'b1'.repeat(32)}` as const
    await inTransaction(system, (tx) => openHold(tx, { goalId, rail: 'stripe', client: actor.address, ...terms, briefHash }))
  })
  const [first, second] = publishers
  const wanted = new Map([[first?.accountId ?? '', 700], ...(bits === allSteps ? [[second?.accountId ?? '', 300] as const] : [])])
  return { goalId, bits, wanted }
}

/** The next actions of the goals module and of the client. */
export async function advanceCardGoals(
  system: Context,
  market: CardMarket,
  goals: readonly CardGoal[],
  progress: Progress,
): Promise<{ paid: number }> {
  const holds = await system.db.hold.findMany({ where: { goalId: { in: goals.map((goal) => goal.goalId) } } })
  const byId = new Map(goals.map((goal) => [goal.goalId, goal]))
  for (const { goalId, state, charterVersion } of holds) {
    const goal = byId.get(goalId)
    if (state === 'captured') progress.paid(goalId)
    if (goal && state === 'authorizing') await payCheckout(market, goalId)
    if (!goal || state !== 'authorized') continue
    if (charterVersion !== 1) await handOver(system, market, goalId)
    await inTransaction(system, (tx) => captureHold(tx, { goalId, bits: goal.bits, conclusionHash, taskIds: {} }))
    progress.accept(goalId)
  }
  return { paid: holds.filter((hold) => hold.state === 'captured').length }
}

async function payCheckout({ client, double }: CardMarket, goalId: string): Promise<void> {
  const isPaid = double.context.state.sessions.some((one) => one.client_reference_id === goalId && one.status === 'complete')
  if (isPaid) return
  const { url } = await checkoutHold(client, { type: 'hold.checkout', goal_id: goalId as never })
  paySession(double.context, url.split('/').at(-1) ?? '', 'paid')
}

async function handOver(system: Context, { client, publishers }: CardMarket, goalId: string): Promise<void> {
  const [first, second] = publishers
  const steps = amounts.map((amount, index) => {
    const owner = index < 2 ? first : second
    return { step: index + 1, payee: owner?.address ?? '0x', amount, agentId: owner?.agentId ?? '' }
  })
  await inTransaction(system, (tx) => recordCharter(tx, { goalId, version: 1, charterHash: `0x${'ab'.repeat(32)}`, steps }))
  // The client's approval, as the server has verified it.
  const { actor } = client
  if (actor.kind !== 'person') throw new Error('the client is a person')
  const signature = `0x${'11'.repeat(65)}` as const
  const given = { signer: actor.address, signature }
  await inTransaction(system, (tx) => authorizeCharter(tx, { goalId, version: 1, signature }, given))
  await submitCharterSeal(system, goalId)
}
