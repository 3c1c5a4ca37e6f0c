import type { EscrowCharter, EscrowTerms, Signer, submissionTypedData } from '@parley/protocol'
import type { Writer } from './db.ts'

/** Every touch with the outside world, as types. Adapters live in their rooms; `compose.ts` joins them. */
export type Ports = {
  /** The server's own Ed25519 key: it signs the server's messages and vouches for senders without a key. */
  readonly signer: Signer
  readonly rail: EscrowRail
  /** Null where this market takes no cards. */
  readonly cards: CardRail | null
  readonly screen: Screen
  readonly verifyWallet: WalletVerifier
  /** Writes what is said at one moment in one transaction. */
  readonly writer: Writer
  /** Told where a settlement stands, each time it gets further. For who must know the very place: tests that end the process there. */
  readonly reached?: (point: SettlementPoint) => Promise<void>
}

/** The places between which a settlement's process may die, in their order. */
export const settlementPoints = [
  'intent',
  'rail_chosen',
  'nonce_allocated',
  'signed',
  'prepared',
  'sent',
  'known',
  'nonce_used',
  'mined',
  'seen',
  'final',
  'event_recorded',
  'range_recorded',
  'posted',
] as const
export type SettlementPoint = (typeof settlementPoints)[number]

/** What a signature of a person's wallet is checked with; contract wallets are asked on their chain. */
export type WalletVerifier = {
  message(input: { address: `0x${string}`; message: string; signature: `0x${string}` }): Promise<boolean>
  typedData(input: { address: `0x${string}`; typedData: TypedData; signature: `0x${string}` }): Promise<boolean>
}
export type TypedData = {
  readonly domain: {
    readonly name?: string
    readonly version?: string
    readonly chainId?: number
    readonly verifyingContract?: `0x${string}`
  }
  readonly types: { readonly [type: string]: readonly { readonly name: string; readonly type: string }[] }
  readonly primaryType: string
  readonly message: { readonly [field: string]: unknown }
}

/** A transaction, signed and not yet sent. */
export type PreparedTransaction = {
  readonly raw: `0x${string}`
  readonly hash: `0x${string}`
  readonly nonce: number
  readonly sender: `0x${string}`
}
/** What a transaction calls. It may hold a signature of ours; every candidate of a nonce carries the same. `value` in wei. */
export type EncodedCall = { readonly to: `0x${string}`; readonly data: `0x${string}`; readonly value: bigint; readonly gas: bigint }
/** Wei per unit of gas. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
/** The contract would refuse the call as things stand, in a sentence. `isFinal`: however they come to stand. */
export type RefusedCall = { readonly refused: string; readonly isFinal: boolean }
/** From `from` base units up, so many blocks on top. */
export type Depth = { readonly from: bigint; readonly confirmations: number }
export type ChainReceipt = {
  readonly hash: `0x${string}`
  readonly block: number
  readonly blockHash: `0x${string}`
  readonly succeeded: boolean
  /** Whether it shows events of the escrow. */
  readonly hasEvents: boolean
}
export type EscrowEvent = {
  readonly name: string
  readonly planId: `0x${string}` | null
  /** Amounts as decimal strings. */
  readonly args: { readonly [name: string]: string | number | boolean }
  readonly txHash: `0x${string}`
  readonly logIndex: number
  readonly block: number
  readonly blockHash: `0x${string}`
  /** Unix seconds of the block. */
  readonly at: number
}

/** A member's word on a charter: its payee's own, or that of a signer which the payee allowed on chain. */
export type EscrowMemberSignature = { readonly signer: `0x${string}`; readonly signature: `0x${string}` }

/** A step by its place in the charter in force, from 0. */
type OneStep = { readonly terms: EscrowTerms; readonly charter: EscrowCharter; readonly step: number }

export type EscrowCall =
  | {
      readonly kind: 'fund'
      readonly terms: EscrowTerms
      readonly validAfter: number
      readonly validBefore: number
      readonly signature: `0x${string}`
    }
  | {
      readonly kind: 'seal'
      readonly terms: EscrowTerms
      readonly version: number
      readonly charter: EscrowCharter
      /** Every payee's in order of first appearance, or none. */
      readonly memberSignatures: readonly EscrowMemberSignature[]
      /** The charter in force, where its members agreed to it on chain. */
      readonly replaced?: EscrowCharter
    }
  | {
      readonly kind: 'settle'
      readonly terms: EscrowTerms
      readonly version: number
      /** Empty for a plan that has none. */
      readonly charter: EscrowCharter
      readonly bits: bigint
      readonly close: boolean
      readonly conclusionHash: `0x${string}`
    }
  | { readonly kind: 'refund'; readonly terms: EscrowTerms }
  | { readonly kind: 'refundDisputed'; readonly terms: EscrowTerms; readonly charter: EscrowCharter }
  | (OneStep & {
      readonly kind: 'dispute'
      readonly evidenceHash: `0x${string}`
      readonly by: `0x${string}`
      readonly signature: `0x${string}`
    })
  | (OneStep & { readonly kind: 'rule'; readonly version: number; readonly payeeBps: number; readonly rulingHash: `0x${string}` })
  | (OneStep & {
      readonly kind: 'acceptOffer'
      readonly payeeBps: number
      readonly deadline: number
      readonly clientSignature: `0x${string}`
      readonly payeeSignature: `0x${string}`
    })
  | {
      readonly kind: 'withdrawCredit'
      readonly account: `0x${string}`
      readonly to: `0x${string}`
      readonly deadline: number
      readonly signature: `0x${string}`
    }
  | { readonly kind: 'mint'; readonly to: `0x${string}`; readonly amount: bigint }
  | { readonly kind: 'sendEther'; readonly to: `0x${string}`; readonly wei: bigint }

/** As the protocol's `submissionTypedData` takes it. */
export type Submission = Parameters<typeof submissionTypedData>[0]

/**
 * The chain as the settlement room needs it. `encode` and `sign` ask nobody; `broadcast` may be repeated with the same
 * bytes for ever. What it guarantees is what the node says: nothing is paid until `readEvents` shows the log.
 */
export type EscrowRail = {
  readonly sender: `0x${string}`
  /** Blocks on top before a log counts as final: at the least, and for what is worth more. */
  readonly confirmations: number
  readonly depths: readonly Depth[]
  /** After so long without being mined, a transaction is replaced by one that pays more. Milliseconds. */
  readonly replaceAfterMs: number
  planId(terms: EscrowTerms): `0x${string}`
  /** EIP-712 data of the client's one signature. */
  fundingTypedData(terms: EscrowTerms, validAfter: number, validBefore: number): TypedData
  encode(call: EscrowCall): Promise<EncodedCall>
  /** The call as the chain would answer it now: null where it would succeed. */
  simulate(call: EncodedCall): Promise<RefusedCall | null>
  /** What is asked at present, with room for the price to rise. */
  fees(): Promise<Fees>
  sign(call: EncodedCall, nonce: number, fees: Fees): Promise<PreparedTransaction>
  /** `underpriced`: the node wants more. `refused`: for another reason than its nonce; asked again later. */
  broadcast(raw: `0x${string}`): Promise<'sent' | 'known' | 'nonce_used' | 'underpriced' | 'refused'>
  receipt(hash: `0x${string}`): Promise<ChainReceipt | null>
  head(): Promise<{ number: number; hash: `0x${string}`; timestamp: number }>
  blockHash(number: number): Promise<`0x${string}` | null>
  genesis(): Promise<`0x${string}`>
  /** The sender's next nonce by the chain's count, `depth` blocks below its head. */
  chainNonce(depth?: number): Promise<number>
  readEvents(fromBlock: number, toBlock: number): Promise<EscrowEvent[]>
  balanceOf(address: `0x${string}`): Promise<bigint>
  etherOf(address: `0x${string}`): Promise<bigint>
  /** The evaluator's receipt for steps that were handed in. Asks nobody. */
  signSubmission(receipt: Submission): Promise<`0x${string}`>
  /** Whether the escrow lets `signer` sign charters for `account`. */
  isSigner(account: `0x${string}`, signer: `0x${string}`): Promise<boolean>
  /** `codes`: two bits a step, see `stepCodes`. `closing`: closed but for its disputed steps. */
  plan(planId: `0x${string}`): Promise<{
    status: number
    remaining: bigint
    version: number
    agreed: boolean
    codes: bigint
    closing: boolean
  }>
  /** What the account can withdraw of the token, base units. */
  creditOf(account: `0x${string}`): Promise<bigint>
  /** The nonce of the account's next signature on its own affairs. */
  accountNonce(account: `0x${string}`): Promise<number>
}

/** What Stripe is asked to do. It carries our intent's id, by which it is found again. Cents of the US dollar. */
export type CardCall = { readonly goalId: string; readonly paymentId: string; readonly cents: bigint } & (
  | { readonly kind: 'checkout'; readonly title: string; readonly returnUrl: string; readonly expiresAt: number }
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
  readonly payment: { readonly intent: string; readonly charge: string } | null
  /** Of a transfer: how much of it was taken back. */
  readonly reversedCents: bigint
}

/**
 * What became of a call. `later`: it was not begun and may be repeated. `unknown`: it may have been done, so that only the
 * same key may be sent again. `refused`: it was not done and the key is used up; `remedy` says what helps.
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
}

/** A publisher's account with Stripe. `wants`: what is still asked of it, as Stripe names it. */
export type CardAccount = { readonly id: string; readonly isReady: boolean; readonly wants: readonly string[] }

/** A webhook whose signature was right. It says what to look at; what counts is what Stripe answers when it is asked. */
export type CardNotice = {
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

/** A movement on our balance with Stripe. `reference`: the object that moved it; `amount` in cents, above zero for what came in. */
export type CardEntry = { readonly id: string; readonly kind: string; readonly amount: bigint; readonly reference: string }

/** Cards through Stripe, as the settlement room needs it. Only `hold.card_unavailable` is thrown; answers are data. */
export type CardRail = {
  readonly isLive: boolean
  /** The local stand-in answers: nothing real is charged. */
  readonly isDemo: boolean
  /** `key` makes the repetition of a call the same call. */
  send(call: CardCall, key: string): Promise<CardAnswer>
  /** Looks for what a call may have made, among the objects of its goal. */
  find(call: CardCall): Promise<CardObject | null>
  get(kind: CardKind, id: string, parent: string | null): Promise<CardObject>
  disputesOf(paymentIntent: string): Promise<CardDispute[]>
  getDispute(id: string): Promise<CardDispute>
  openAccount(input: { readonly ownerId: string; readonly name: string }, key: string): Promise<CardAccount>
  getAccount(id: string): Promise<CardAccount>
  /** A page of Stripe's on which the publisher completes the account; good for minutes. */
  accountLink(id: string, returnUrl: string): Promise<string>
  /** The notice in a raw body, or null where its signature is none of ours or too old. `nowSeconds`: Unix time. */
  readNotice(body: string, signature: string, nowSeconds: number): CardNotice | null
  /** A notice as it was kept. */
  readStored(body: unknown): CardNotice | null
  /** Checkouts, transfers, refunds and disputes made since then, oldest first. */
  listSince(unixSeconds: number): Promise<{ readonly objects: CardObject[]; readonly disputes: CardDispute[] }>
  listEntries(unixSeconds: number): Promise<CardEntry[]>
}

export type Verdict = { readonly answer: 'allow' } | { readonly answer: 'refuse'; readonly reason: string }
/** A safety check of content on its way in. */
export type Screen = { text(text: string): Verdict; file(file: { name: string; mediaType: string; bytes: Uint8Array }): Verdict }
