import type { CardFee } from '@parley/protocol'

/** What Stripe is asked to do. It carries our intent's id, by which it is found again. Cents of the US dollar. */
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

/** An object of Stripe's as far as we read it. `goalId` and `paymentId` are ours, from its metadata. */
export type CardObject = {
  readonly kind: CardKind
  readonly id: string
  readonly goalId: string | null
  readonly paymentId: string | null
  readonly cents: bigint
  readonly currency: string
  /** `pending`: Stripe has it and has not done it. `done`: the money moved. `failed`: it never will. */
  readonly state: 'pending' | 'done' | 'failed'
  readonly failure: string | null
  /** Unix seconds by Stripe's clock. */
  readonly at: number
  /** Of a checkout: where the client pays, and once it has, what came of it. */
  readonly url: string | null
  readonly payment: { readonly intent: string; readonly charge: string; readonly feeCents: bigint } | null
  /** Of a transfer: how much of it was taken back. */
  readonly reversedCents: bigint
}

/**
 * What became of a call. `later`: it was not begun and may be repeated. `unknown`: it may have been done, so that only the
 * same key may be sent again. `refused`: it was not done and the key is used up; `remedy` states what helps.
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
  /** Until when Stripe takes evidence, in Unix seconds; null where it takes none. */
  readonly evidenceDueBy: number | null
  readonly isEvidenceSubmitted: boolean
}

/** What a dispute is answered with. Plain text; Stripe takes at most 150,000 characters in all. */
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

/** A publisher's account with Stripe. `requirements`: what is still required of it, as Stripe names it. */
export type CardAccount = { readonly id: string; readonly isReady: boolean; readonly requirements: readonly string[] }

/** A webhook event with a valid signature. It names an object; its current state must be read from Stripe. */
export type CardWebhookEvent = {
  readonly id: string
  readonly type: string
  readonly isLive: boolean
  /** The connected account that it is about, or empty. */
  readonly account: string
  /** What it is about: `checkout.session`, `transfer`, `dispute`, … and its id; empty where it names none. */
  readonly object: string
  readonly objectId: string
  /** Unix seconds. */
  readonly at: number
  readonly body: { readonly [field: string]: unknown }
}

/** A movement on our balance with Stripe. `reference`: the object that moved it; `amount` in cents, above zero for income; `fee` is what Stripe kept of it. */
export type CardEntry = {
  readonly id: string
  readonly kind: string
  readonly amount: bigint
  readonly fee: bigint
  readonly reference: string
}

/** Cards through Stripe, as the settlement room needs it. Only `hold.card_unavailable` is thrown; answers are data. */
export type CardRail = {
  readonly isLive: boolean
  /** The local fake answers: nothing real is charged. */
  readonly isDemo: boolean
  /** What Stripe takes of a payment, as the operator has set it. */
  readonly fee: CardFee
  /** `key` makes the repetition of a call the same call. */
  send(call: CardCall, key: string): Promise<CardAnswer>
  /** Looks for what a call may have made, among the objects of its goal. */
  find(call: CardCall): Promise<CardObject | null>
  get(kind: CardKind, id: string, parent: string | null): Promise<CardObject>
  disputesOf(paymentIntent: string): Promise<CardDispute[]>
  getDispute(id: string): Promise<CardDispute>
  /** Submits the evidence for an open dispute. Repeating it with the same key changes nothing. */
  submitEvidence(disputeId: string, evidence: CardEvidence, key: string): Promise<CardDispute>
  /** Whether Stripe pays our balance out on its own schedule: money that is held for goals would leave it. */
  paysOutAutomatically(): Promise<boolean>
  openAccount(input: { readonly ownerId: string; readonly name: string }, key: string): Promise<CardAccount>
  getAccount(id: string): Promise<CardAccount>
  /** A page of Stripe's on which the publisher completes the account; good for minutes. */
  accountLink(id: string, returnUrl: string): Promise<string>
  /** Verifies and parses a raw webhook body. Null if its signature is wrong or too old. `nowSeconds`: Unix time. */
  verifyWebhookEvent(body: string, signature: string, nowSeconds: number): CardWebhookEvent | null
  /** Parses a stored webhook event. */
  parseStoredEvent(body: unknown): CardWebhookEvent | null
  /** Checkouts, transfers, refunds and disputes made since then, oldest first. */
  listSince(unixSeconds: number): Promise<{ readonly objects: CardObject[]; readonly disputes: CardDispute[] }>
  listEntries(unixSeconds: number): Promise<CardEntry[]>
}
