import { invalidRequest, missingObject } from './api-error.ts'
import { addBalanceEntry } from './balance.ts'
import { type FormFields, listOf, nestedFields, numberOf, readText, textsOf } from './decode-form.ts'
import type { FakeContext } from './fake-context.ts'
import type { Charge, Session, StripeIntent } from './state.ts'

/** Roughly Stripe's own price for a card. */
const feeOf = (amount: number) => Math.round(amount * 0.029) + 30

export function createCheckoutSession(context: FakeContext, fields: FormFields): Session {
  if (readText(fields, 'mode') !== 'payment') throw invalidRequest('parameter_invalid_string', "The fake only knows mode 'payment'.")
  const items = Object.values(nestedFields(fields, 'line_items')).filter((item): item is FormFields => typeof item === 'object')
  const amount = items.reduce((sum, item) => {
    const price = nestedFields(item, 'price_data')
    return sum + (numberOf(price, 'unit_amount') ?? 0) * (numberOf(item, 'quantity') ?? 1)
  }, 0)
  if (!Number.isInteger(amount) || amount < 50) throw invalidRequest('amount_too_small', 'The amount must be at least 50 cents.')
  const now = context.now()
  const expires = numberOf(fields, 'expires_at') ?? now + 86_400
  if (expires < now + 1_800 || expires > now + 86_400)
    throw invalidRequest('parameter_invalid_integer', 'expires_at must be between 30 minutes and 24 hours from now.')
  const id = context.next('cs')
  const session: Session = {
    id,
    object: 'checkout.session',
    amount_total: amount,
    cancel_url: readText(fields, 'cancel_url'),
    client_reference_id: readText(fields, 'client_reference_id'),
    created: now,
    currency: readText(nestedFields(items[0] ?? {}, 'price_data'), 'currency'),
    expires_at: expires,
    livemode: false,
    metadata: textsOf(fields, 'metadata'),
    mode: 'payment',
    payment_status: 'unpaid',
    status: 'open',
    success_url: readText(fields, 'success_url'),
    url: `${context.baseUrl()}/pay/${id}`,
    payment_intent: null,
  }
  context.state.sessions.push(session)
  // The metadata of the future payment intent, which is created when the client pays.
  const data = nestedFields(fields, 'payment_intent_data')
  context.state.intents.push({
    id: `later_${id}`,
    object: 'payment_intent',
    amount,
    amount_received: 0,
    created: now,
    currency: session.currency ?? 'usd',
    livemode: false,
    metadata: textsOf(data, 'metadata'),
    status: 'requires_payment_method',
    transfer_group: readText(data, 'transfer_group'),
    latest_charge: null,
  })
  return session
}

/** The session in its current state; expired after its end. */
export function getCheckoutSession(context: FakeContext, id: string): Session {
  const session = context.state.sessions.find((one) => one.id === id)
  if (!session) throw missingObject('checkout.session', id)
  if (session.status === 'open' && session.expires_at <= context.now()) expireSession(context, session)
  return session
}

function expireSession(context: FakeContext, session: Session): void {
  session.status = 'expired'
  session.url = null
  context.notify('checkout.session.expired', session)
}

/** The session as Stripe returns it, with the payment expanded on request. */
export function showSession(context: FakeContext, session: Session, expand: readonly string[]): object {
  const asked = new Set(expand.map((path) => path.replace(/^data[.]/, '')))
  if (session.payment_intent === null || !asked.has('payment_intent')) return session
  const intent = intentOf(context, session.payment_intent)
  const charge = context.state.charges.find((one) => one.id === intent.latest_charge)
  if (!charge || !asked.has('payment_intent.latest_charge')) return { ...session, payment_intent: intent }
  const entry = context.state.entries.find((one) => one.source === charge.id && one.type === 'charge')
  const isEntryAsked = asked.has('payment_intent.latest_charge.balance_transaction')
  const latest_charge = { ...charge, balance_transaction: isEntryAsked ? entry : entry?.id }
  return { ...session, payment_intent: { ...intent, latest_charge } }
}

export function expandOf(fields: FormFields): string[] {
  return listOf(fields, 'expand')
}

function intentOf(context: FakeContext, id: string): StripeIntent {
  const intent = context.state.intents.find((one) => one.id === id)
  if (!intent) throw missingObject('payment_intent', id)
  return intent
}

/** `challenged`: the bank requires 3-D Secure. */
export type Payment = 'paid' | 'slow' | 'declined' | 'challenged'

/** The client has paid on the page; `slow` is an asynchronous payment method. Returns the message for the page. */
export function paySession(context: FakeContext, id: string, how: Payment): 'done' | 'declined' | 'challenged' | 'closed' {
  const session = getCheckoutSession(context, id)
  if (session.status !== 'open') return 'closed'
  const intent = intentOf(context, session.payment_intent ?? `later_${id}`)
  if (how === 'declined') {
    if (intent.status === 'requires_action') intent.status = 'requires_payment_method'
    return 'declined'
  }
  if (session.payment_intent === null) intent.id = context.next('pi')
  session.payment_intent = intent.id
  if (how === 'challenged') {
    intent.status = 'requires_action'
    context.notify('payment_intent.requires_action', intent)
    return 'challenged'
  }
  session.status = 'complete'
  session.url = null
  if (how === 'slow') {
    intent.status = 'processing'
    context.notify('checkout.session.completed', session)
    return 'done'
  }
  settleIntent(context, session, intent)
  context.notify('checkout.session.completed', session)
  return 'done'
}

/** An asynchronous payment succeeded or failed. */
export function endSlowPayment(context: FakeContext, id: string, succeeded: boolean): void {
  const session = getCheckoutSession(context, id)
  const intent = intentOf(context, session.payment_intent ?? '')
  if (intent.status !== 'processing') throw invalidRequest('payment_intent_unexpected_state', 'This payment is not under way.')
  if (succeeded) settleIntent(context, session, intent)
  else intent.status = 'requires_payment_method'
  context.notify(`checkout.session.async_payment_${succeeded ? 'succeeded' : 'failed'}`, session)
}

function settleIntent(context: FakeContext, session: Session, intent: StripeIntent): void {
  const charge: Charge = {
    id: context.next('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    created: context.now(),
    currency: intent.currency,
    disputed: false,
    livemode: false,
    metadata: intent.metadata,
    paid: true,
    refunded: false,
    status: 'succeeded',
    transfer_group: intent.transfer_group,
    payment_intent: intent.id,
  }
  context.state.charges.push(charge)
  intent.status = 'succeeded'
  intent.amount_received = intent.amount
  intent.latest_charge = charge.id
  session.payment_status = 'paid'
  addBalanceEntry(context, { type: 'charge', source: charge.id, amount: charge.amount, fee: feeOf(charge.amount) })
  context.notify('payment_intent.succeeded', intent)
  context.notify('charge.succeeded', charge)
}
