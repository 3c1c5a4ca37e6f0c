import type { CardFee } from '@parley/protocol'

/** A request to Stripe. It names our payment's id, by which its object can be found later. `cents`: of the US dollar. */
export type CardCall = { readonly goalId: string; readonly paymentId: string; readonly cents: bigint } & (
  | {
      readonly kind: 'checkout'
      readonly title: string
      /** The part of `cents` that pays the processing fee. The client sees it as a separate line. */
      readonly feeCents: bigint
      readonly returnUrl: string
      readonly expiresAt: number
    }
  | { readonly kind: 'transfer'; readonly destination: string; readonly charge: string }
  | { readonly kind: 'refund'; readonly paymentIntent: string }
  | { readonly kind: 'reversal'; readonly transfer: string }
)
export type CardKind = CardCall['kind']

/** The part of a Stripe object that the server reads. `goalId` and `paymentId` are ours, from the object's metadata. */
export type CardObject = {
  readonly kind: CardKind
  readonly id: string
  readonly goalId: string | null
  readonly paymentId: string | null
  readonly cents: bigint
  readonly currency: string
  /** `pending`: Stripe has accepted it. `done`: the money moved. `failed`: the money will not move. */
  readonly state: 'pending' | 'done' | 'failed'
  readonly failure: string | null
  /** Unix seconds by Stripe's clock. */
  readonly at: number
  /** Of a checkout: the page on which the client pays, and then its payment. */
  readonly url: string | null
  readonly payment: { readonly intent: string; readonly charge: string; readonly feeCents: bigint } | null
  /** Of a transfer: how much of it was taken back. */
  readonly reversedCents: bigint
}

/**
 * The outcome of a request. `later`: Stripe did not begin it, so it may be repeated. `unknown`: it may be done, so only the same key may
 * be sent again. `refused`: it was not done, and its key is used up. `remedy`: what a new attempt needs.
 */
export type CardAnswer =
  | { readonly answer: 'object'; readonly object: CardObject }
  | { readonly answer: 'later' | 'unknown'; readonly sentence: string }
  | { readonly answer: 'refused'; readonly sentence: string; readonly remedy: 'time' | 'account' | 'none' }

export type CardDispute = {
  readonly id: string
  readonly cents: bigint
  readonly state: 'open' | 'won' | 'lost'
  readonly paymentIntent: string
  /** Unix seconds. */
  readonly at: number
  /** Cents that Stripe charges for handling it. */
  readonly feeCents: bigint
  /** Until when Stripe accepts evidence, in Unix seconds; null if it accepts none. */
  readonly evidenceDueBy: number | null
  readonly isEvidenceSubmitted: boolean
}

/** The evidence for a dispute. Plain text; Stripe accepts at most 150,000 characters in all. */
export type CardEvidence = {
  readonly productDescription: string
  /** The day on which the work was delivered, as Stripe wants it: `2026-11-23`. */
  readonly serviceDate: string
  /** Who read what, and when: the log of the client's own actions. */
  readonly activityLog: string
  /** The transcript and the receipts. */
  readonly documentation: string
  readonly refundPolicy: string
}

/** A publisher's account with Stripe. `requirements`: the information that Stripe still needs, by Stripe's names. */
export type CardAccount = { readonly id: string; readonly isReady: boolean; readonly requirements: readonly string[] }

/** A webhook event with a valid signature. It names an object; its current state must be read from Stripe. */
export type CardWebhookEvent = {
  readonly id: string
  readonly type: string
  readonly isLive: boolean
  /** The connected account of the event, or empty. */
  readonly account: string
  /** The kind of the named object: `checkout.session`, `transfer`, `dispute`, …, and its id. Empty if it names none. */
  readonly object: string
  readonly objectId: string
  /** Unix seconds. */
  readonly at: number
  readonly body: { readonly [field: string]: unknown }
}

/** A change of our balance with Stripe. `reference`: the object that caused it. `amount`: cents, positive for income. `fee`: Stripe's part of it. */
export type CardEntry = {
  readonly id: string
  readonly kind: string
  readonly amount: bigint
  readonly fee: bigint
  readonly reference: string
}

/** Card payments through Stripe, as the settlement module needs them. Throws `hold.card_unavailable` only; refusals are data. */
export type CardRail = {
  readonly isLive: boolean
  /** The local fake answers: nothing real is charged. */
  readonly isDemo: boolean
  /** Stripe's fee for a payment, as the operator has configured it. */
  readonly fee: CardFee
  /** `key`: the idempotency key. A repetition with the same key has no further effect. */
  send(call: CardCall, key: string): Promise<CardAnswer>
  /** Finds the object that a request may have created, among the objects of its goal. */
  find(call: CardCall): Promise<CardObject | null>
  get(kind: CardKind, id: string, parent: string | null): Promise<CardObject>
  disputesOf(paymentIntent: string): Promise<CardDispute[]>
  getDispute(id: string): Promise<CardDispute>
  /** Submits the evidence for an open dispute. Repeating it with the same key changes nothing. */
  submitEvidence(disputeId: string, evidence: CardEvidence, key: string): Promise<CardDispute>
  /** Whether Stripe pays our balance out automatically. Then money that is held for goals would leave it. */
  paysOutAutomatically(): Promise<boolean>
  openAccount(input: { readonly ownerId: string; readonly name: string }, key: string): Promise<CardAccount>
  getAccount(id: string): Promise<CardAccount>
  /** Stripe's page on which the publisher completes the account. Its link is valid for minutes. */
  accountLink(id: string, returnUrl: string): Promise<string>
  /** Verifies and parses a raw webhook body. Null if its signature is wrong or too old. `nowSeconds`: Unix time. */
  verifyWebhookEvent(body: string, signature: string, nowSeconds: number): CardWebhookEvent | null
  /** Parses a stored webhook event. */
  parseStoredEvent(body: unknown): CardWebhookEvent | null
  /** Checkouts, transfers, refunds and disputes made since then, oldest first. */
  listSince(unixSeconds: number): Promise<{ readonly objects: CardObject[]; readonly disputes: CardDispute[] }>
  listEntries(unixSeconds: number): Promise<CardEntry[]>
}
