import fs from 'node:fs'
import path from 'node:path'
import type Stripe from 'stripe'

// The objects have fewer fields than Stripe's, with the SDK's own types: a field that changes in a later API version fails to compile
// here.

export type Session = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_total'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'currency'
  | 'expires_at'
  | 'livemode'
  | 'metadata'
  | 'mode'
  | 'payment_status'
  | 'status'
  | 'success_url'
  | 'url'
> & { payment_intent: string | null }
export type StripeIntent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'amount_received' | 'created' | 'currency' | 'livemode' | 'metadata' | 'status' | 'transfer_group'
> & { latest_charge: string | null }
export type Charge = Pick<
  Stripe.Charge,
  | 'id'
  | 'object'
  | 'amount'
  | 'amount_refunded'
  | 'created'
  | 'currency'
  | 'disputed'
  | 'livemode'
  | 'metadata'
  | 'paid'
  | 'refunded'
  | 'status'
  | 'transfer_group'
> & { payment_intent: string }
export type Transfer = Pick<
  Stripe.Transfer,
  'id' | 'object' | 'amount' | 'amount_reversed' | 'created' | 'currency' | 'livemode' | 'metadata' | 'reversed' | 'transfer_group'
> & { destination: string; source_transaction: string | null }
export type Reversal = Pick<Stripe.TransferReversal, 'id' | 'object' | 'amount' | 'created' | 'currency' | 'metadata'> & {
  transfer: string
}
export type Refund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'created' | 'currency' | 'failure_reason' | 'metadata' | 'reason' | 'status'
> & { charge: string; payment_intent: string }
export type StripeDispute = Pick<
  Stripe.Dispute,
  | 'id'
  | 'object'
  | 'amount'
  | 'balance_transactions'
  | 'created'
  | 'currency'
  | 'is_charge_refundable'
  | 'livemode'
  | 'metadata'
  | 'reason'
  | 'status'
> & {
  charge: string
  payment_intent: string
  evidence: { [field: string]: string }
  evidence_details: Pick<Stripe.Dispute.EvidenceDetails, 'due_by' | 'has_evidence' | 'past_due' | 'submission_count'>
}
export type Entry = Pick<
  Stripe.BalanceTransaction,
  'id' | 'object' | 'amount' | 'available_on' | 'created' | 'currency' | 'fee' | 'net' | 'status' | 'type'
> & { source: string }
export type ConnectedAccount = Pick<
  Stripe.V2.Core.Account,
  | 'id'
  | 'object'
  | 'applied_configurations'
  | 'configuration'
  | 'created'
  | 'dashboard'
  | 'display_name'
  | 'livemode'
  | 'metadata'
  | 'requirements'
>

/** The answer of an idempotency key, and its request. */
export type KeptAnswer = { readonly asked: string; readonly status: number; readonly body: unknown; readonly at: number }

export type Tables = {
  sessions: Session[]
  intents: StripeIntent[]
  charges: Charge[]
  transfers: Transfer[]
  reversals: Reversal[]
  refunds: Refund[]
  disputes: StripeDispute[]
  entries: Entry[]
  accounts: ConnectedAccount[]
}
export type StripeFakeState = Tables & {
  count: number
  keys: Record<string, KeptAnswer>
  notices: PendingWebhook[]
  /** `automatic`: the available balance is paid out daily, which is Stripe's default. */
  payouts: 'manual' | 'automatic'
  /** Cents that connected accounts have paid out, by account. A reversal cannot take these back. */
  paidOut: Record<string, number>
}
/** A webhook event until its delivery. */
export type PendingWebhook = { readonly id: string; readonly body: string; dueAt: number; tries: number }

const empty = (): StripeFakeState => ({
  count: 0,
  keys: {},
  notices: [],
  payouts: 'manual',
  paidOut: {},
  sessions: [],
  intents: [],
  charges: [],
  transfers: [],
  reversals: [],
  refunds: [],
  disputes: [],
  entries: [],
  accounts: [],
})

/** The stored state, or an empty one. `file` null: nothing is stored. */
export function loadState(file: string | null): StripeFakeState {
  if (file === null || !fs.existsSync(file)) return empty()
  return { ...empty(), ...(JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<StripeFakeState>) }
}

/** Writes a temporary file and renames it, so that a crash leaves the previous state. */
export function saveState(file: string | null, state: StripeFakeState): void {
  if (file === null) return
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(`${file}.new`, JSON.stringify(state))
  fs.renameSync(`${file}.new`, file)
}
