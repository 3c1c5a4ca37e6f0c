import type { CardFee } from '@parley/protocol'
import Stripe from 'stripe'
import type { CardAccount, CardCall, CardEvidence, CardKind, CardObject, CardRail } from '../../ports.ts'
import { mapStripeErrors, toCardAnswer } from './map-stripe-errors.ts'
import {
  mapStripeAccount,
  mapStripeCheckout,
  mapStripeDispute,
  mapStripeRefund,
  mapStripeReversal,
  mapStripeTransfer,
  parseWebhookEvent,
} from './map-stripe-objects.ts'

export type StripeRailOptions = {
  readonly secretKey: string
  /** Webhook signing secrets. Several allow a rotation. */
  readonly webhookSecrets: readonly string[]
  /** Stripe's fee on a payment. */
  readonly fee: CardFee
  /** Base URL of a server that replaces Stripe in tests. */
  readonly apiUrl?: string
  readonly timeoutMs?: number
}

const currency = 'usd'
const pageSize = 100
/** Expands a paid checkout to its charge and fee. */
const paid = ['payment_intent', 'payment_intent.latest_charge', 'payment_intent.latest_charge.balance_transaction'] as const
const include: ('configuration.recipient' | 'requirements')[] = ['configuration.recipient', 'requirements']
/** Maximum difference between a webhook's timestamp and our clock, in seconds. */
const maxClockSkewSeconds = 300

/** `CardRail` over Stripe's SDK. Stateless. The caller that stores the idempotency keys decides about retries. */
export function createStripeRail(options: StripeRailOptions): CardRail {
  const stripe = new Stripe(options.secretKey, {
    ...hostOf(options.apiUrl),
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: options.timeoutMs ?? 20_000,
  })
  return {
    isLive: /^(sk|rk)_live_/.test(options.secretKey),
    isDemo: options.apiUrl !== undefined,
    fee: options.fee,
    send: (call, key) => toCardAnswer(send(stripe, call, key)),
    find: (call) => mapStripeErrors(find(stripe, call)),
    get: (kind, id, parent) => mapStripeErrors(get(stripe, kind, id, parent)),
    disputesOf: async (paymentIntent) =>
      (await mapStripeErrors(everyOf(stripe.disputes.list({ payment_intent: paymentIntent, limit: pageSize })))).map(mapStripeDispute),
    getDispute: async (id) => mapStripeDispute(await mapStripeErrors(stripe.disputes.retrieve(id))),
    submitEvidence: async (id, evidence, idempotencyKey) =>
      mapStripeDispute(
        await mapStripeErrors(stripe.disputes.update(id, { evidence: evidenceFields(evidence), submit: true }, { idempotencyKey })),
      ),
    paysOutAutomatically: async () => {
      const { payments } = await mapStripeErrors(stripe.balanceSettings.retrieve())
      return payments.payouts?.schedule?.interval !== 'manual'
    },
    openAccount: (input, key) => mapStripeErrors(openAccount(stripe, input, key)),
    getAccount: async (id) => mapStripeAccount(await mapStripeErrors(stripe.v2.core.accounts.retrieve(id, { include }))),
    accountLink: (id, returnUrl) => mapStripeErrors(accountLink(stripe, id, returnUrl)),
    // Webhook signature: of any of the secrets, because two are valid while one is replaced.
    verifyWebhookEvent(body, header, nowSeconds) {
      const isSigned = options.webhookSecrets.some((secret) => hasWebhookSignature(stripe, secret, { body, header, nowSeconds }))
      return isSigned ? parseWebhookEvent(body) : null
    },
    parseStoredEvent: (body) => parseWebhookEvent(JSON.stringify(body)),
    listSince: (unixSeconds) => mapStripeErrors(listSince(stripe, unixSeconds)),
    listEntries: (unixSeconds) => mapStripeErrors(listEntries(stripe, unixSeconds)),
  }
}

async function send(stripe: Stripe, call: CardCall, idempotencyKey: string): Promise<CardObject> {
  const metadata = { goal_id: call.goalId, payment_id: call.paymentId }
  const amount = Number(call.cents)
  switch (call.kind) {
    case 'checkout':
      return mapStripeCheckout(await stripe.checkout.sessions.create({ ...checkoutSession(call), metadata }, { idempotencyKey }))
    case 'transfer': {
      const { destination, charge, goalId } = call
      const transfer = { amount, currency, destination, source_transaction: charge, transfer_group: goalId, metadata }
      return mapStripeTransfer(await stripe.transfers.create(transfer, { idempotencyKey }))
    }
    case 'refund':
      return mapStripeRefund(await stripe.refunds.create({ payment_intent: call.paymentIntent, amount, metadata }, { idempotencyKey }))
    case 'reversal':
      return mapStripeReversal(await stripe.transfers.createReversal(call.transfer, { amount, metadata }, { idempotencyKey }))
    default:
      return call satisfies never
  }
}

function checkoutSession(call: Extract<CardCall, { kind: 'checkout' }>): Stripe.Checkout.SessionCreateParams {
  const item = (name: string, cents: bigint) => ({
    quantity: 1,
    price_data: { currency, unit_amount: Number(cents), product_data: { name } },
  })
  return {
    mode: 'payment',
    client_reference_id: call.goalId,
    line_items: [item(call.title, call.cents - call.feeCents), ...(call.feeCents > 0n ? [item('Card processing fee', call.feeCents)] : [])],
    success_url: `${call.returnUrl}?paid=1`,
    cancel_url: `${call.returnUrl}?paid=0`,
    expires_at: call.expiresAt,
    payment_intent_data: { transfer_group: call.goalId, metadata: { goal_id: call.goalId, payment_id: call.paymentId } },
    expand: [...paid],
  }
}

/** Finds the object with our payment id in its metadata. Lists of one goal are short. */
async function find(stripe: Stripe, call: CardCall): Promise<CardObject | null> {
  const all = await listOf(stripe, call)
  return all.find((object) => object.paymentId === call.paymentId) ?? null
}

async function listOf(stripe: Stripe, call: CardCall): Promise<CardObject[]> {
  switch (call.kind) {
    case 'checkout':
      return listCheckouts(stripe, call.expiresAt - 2 * 86_400)
    case 'transfer':
      return (await everyOf(stripe.transfers.list({ transfer_group: call.goalId, limit: pageSize }))).map(mapStripeTransfer)
    case 'refund':
      return (await everyOf(stripe.refunds.list({ payment_intent: call.paymentIntent, limit: pageSize }))).map(mapStripeRefund)
    case 'reversal':
      return (await everyOf(stripe.transfers.listReversals(call.transfer, { limit: pageSize }))).map(mapStripeReversal)
    default:
      return call satisfies never
  }
}

async function listCheckouts(stripe: Stripe, sinceSeconds: number): Promise<CardObject[]> {
  const created = { gte: sinceSeconds }
  const sessions = stripe.checkout.sessions.list({ created, limit: pageSize, expand: paid.map((path) => `data.${path}`) })
  return (await everyOf(sessions)).map(mapStripeCheckout)
}

async function get(stripe: Stripe, kind: CardKind, id: string, parent: string | null): Promise<CardObject> {
  switch (kind) {
    case 'checkout':
      return mapStripeCheckout(await stripe.checkout.sessions.retrieve(id, { expand: [...paid] }))
    case 'transfer':
      return mapStripeTransfer(await stripe.transfers.retrieve(id))
    case 'refund':
      return mapStripeRefund(await stripe.refunds.retrieve(id))
    case 'reversal':
      return mapStripeReversal(await stripe.transfers.retrieveReversal(parent ?? '', id))
    default:
      return kind satisfies never
  }
}

async function openAccount(stripe: Stripe, input: { ownerId: string; name: string }, idempotencyKey: string): Promise<CardAccount> {
  const account = await stripe.v2.core.accounts.create(
    {
      display_name: input.name,
      dashboard: 'express',
      metadata: { owner_id: input.ownerId },
      configuration: { recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } } },
      defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
      include,
    },
    { idempotencyKey },
  )
  return mapStripeAccount(account)
}

async function accountLink(stripe: Stripe, account: string, returnUrl: string): Promise<string> {
  const link = await stripe.v2.core.accountLinks.create({
    account,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: { refresh_url: `${returnUrl}?account=again`, return_url: `${returnUrl}?account=done` },
    },
  })
  return link.url
}

async function listSince(stripe: Stripe, unixSeconds: number) {
  const created = { gte: unixSeconds }
  const [checkouts, transfers, refunds, disputes] = await Promise.all([
    listCheckouts(stripe, unixSeconds),
    everyOf(stripe.transfers.list({ created, limit: pageSize })),
    everyOf(stripe.refunds.list({ created, limit: pageSize })),
    everyOf(stripe.disputes.list({ created, limit: pageSize })),
  ])
  const objects = [...checkouts, ...transfers.map(mapStripeTransfer), ...refunds.map(mapStripeRefund)]
  return { objects: objects.sort((a, b) => a.at - b.at), disputes: disputes.map(mapStripeDispute) }
}

async function listEntries(stripe: Stripe, unixSeconds: number) {
  const entries = await everyOf(stripe.balanceTransactions.list({ created: { gte: unixSeconds }, limit: pageSize }))
  return entries.map(({ id, type, amount, fee, source }) => ({
    id,
    kind: type,
    amount: BigInt(amount),
    fee: BigInt(fee),
    reference: typeof source === 'string' ? source : (source?.id ?? ''),
  }))
}

type WebhookRequest = { readonly body: string; readonly header: string; readonly nowSeconds: number }

/** Verifies a webhook signature. A changed body, a wrong secret, and an old or future timestamp all count as invalid. */
function hasWebhookSignature(stripe: Stripe, secret: string, { body, header, nowSeconds }: WebhookRequest): boolean {
  // The SDK rejects only timestamps that are too old.
  const stamps = [...header.matchAll(/(?:^|,)t=(\d+)/g)].map(([, seconds]) => Number(seconds))
  if (stamps.some((seconds) => seconds > nowSeconds + maxClockSkewSeconds)) return false
  try {
    return stripe.webhooks.signature?.verifyHeader(body, header, secret, maxClockSkewSeconds, undefined, nowSeconds * 1_000) ?? false
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false
    throw error
  }
}

function evidenceFields(evidence: CardEvidence): Stripe.DisputeUpdateParams.Evidence {
  return {
    product_description: evidence.productDescription,
    service_date: evidence.serviceDate,
    access_activity_log: evidence.activityLog,
    uncategorized_text: evidence.documentation,
    refund_policy_disclosure: evidence.refundPolicy,
  }
}

function hostOf(apiUrl: string | undefined) {
  if (apiUrl === undefined) return {}
  const { protocol, hostname, port } = new URL(apiUrl)
  const plain = protocol === 'http:'
  return { protocol: plain ? ('http' as const) : ('https' as const), host: hostname, port: port || (plain ? '80' : '443') }
}

/** Reads all pages of a list. */
async function everyOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of list) all.push(one)
  return all
}
