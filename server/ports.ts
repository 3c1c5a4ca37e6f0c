import type { ChannelConfig, EscrowCharter, EscrowTerms, Signer, submissionTypedData } from '@parley/protocol'
import type { Writer } from './db/pipelined-writer.ts'
import type { ArchiveFileStore } from './ports/archive-file-store.ts'
import type { CardRail } from './ports/card-rail.ts'
import type { Eip712TypedData, EncodedCall, FeeCaps, Fees, MarketFees } from './ports/chain-signers.ts'
import type { EscrowCall } from './ports/escrow-calls.ts'
import type { MailSender } from './ports/mail-sender.ts'
import type { WebhookClient } from './ports/webhook-client.ts'
import type { ListingSearch } from './search/listing-search.ts'
import type { SignalBus } from './signals/signal.ts'

export type { ArchivedFile, ArchivedRow, ArchiveFileStore, FileName, WritingPoint } from './ports/archive-file-store.ts'
export type * from './ports/card-rail.ts'
export type * from './ports/chain-signers.ts'
export type { EscrowCall, EscrowMemberSignature, SettleCall } from './ports/escrow-calls.ts'
export type { Mail, MailSender } from './ports/mail-sender.ts'
export type { WebhookClient, WebhookResult } from './ports/webhook-client.ts'

/** The connections to the outside world, as types. Modules hold the adapters; `compose.ts` connects them. */
export type Ports = {
  /** The server's own Ed25519 key. It signs the server's messages, and messages of senders without a key. */
  readonly signer: Signer
  readonly rail: EscrowRail
  /** Null if this market does not accept cards. */
  readonly cards: CardRail | null
  readonly screen: ContentScreen
  readonly verifyWallet: WalletVerifier
  /** Writes batches of messages, each in one transaction. */
  readonly writer: Writer
  /** Sends change signals between processes. */
  readonly signals: SignalBus
  /** Null if no collector is configured. */
  readonly traces: TraceExporter | null
  /** The search index over all listings, in a thread of this process. */
  readonly search: ListingSearch
  /** The archive of old messages. */
  readonly files: ArchiveFileStore
  /** Null without a mail server: mails then stay in the local outbox. */
  readonly mail: MailSender | null
  readonly webhooks: WebhookClient
  /** Called at each point of a settlement. Tests end the process there. */
  readonly onSettlementPoint?: (point: SettlementPoint) => Promise<void>
}

/** W3C trace context, in hex digits. `isSampled`: whether the first span is to be exported. */
export type Trace = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean }

/** `server` answers a request, `consumer` handles a queued job. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
/** A finished unit of work. Times in milliseconds of Unix time; `error`: the code of its problem. */
export type Span = Trace & {
  readonly parentId: string | null
  readonly name: string
  readonly kind: SpanKind
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: { readonly [name: string]: string | number }
  readonly error: string | null
}
/** Exports spans in the background. */
export type TraceExporter = { export(span: Span): void; close(): Promise<void> }

/** The points at which a settlement's process may die, in order. */
export const settlementPoints = [
  'intent',
  'rail_chosen',
  'signed',
  'nonce_allocated',
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

/** Verifies signatures of wallets. Contract wallets are verified on their chain. */
export type WalletVerifier = {
  message(input: { address: `0x${string}`; message: string; signature: `0x${string}` }): Promise<boolean>
  typedData(input: { address: `0x${string}`; typedData: Eip712TypedData; signature: `0x${string}` }): Promise<boolean>
}

/** A signed transaction that has not been sent. */
export type PreparedTransaction = {
  readonly raw: `0x${string}`
  readonly hash: `0x${string}`
  readonly nonce: number
  readonly sender: `0x${string}`
}
/** The contract would reject the call now, with the reason in one sentence. `isFinal`: it always will. */
export type RefusedCall = { readonly refused: string; readonly isFinal: boolean }
/** The validity of an ERC-3009 authorization, in Unix seconds. */
export type AuthorizationWindow = { readonly validAfter: number; readonly validBefore: number }
/** The extra confirmations from an amount of `from` base units. */
export type Depth = { readonly from: bigint; readonly confirmations: number }
export type ChainReceipt = {
  readonly hash: `0x${string}`
  readonly block: number
  readonly blockHash: `0x${string}`
  readonly succeeded: boolean
  /** Whether it has events of our contracts. */
  readonly hasEvents: boolean
}
export type EscrowEvent = {
  /** Which of our contracts emitted it. */
  readonly contract: 'escrow' | 'channels'
  readonly name: string
  readonly planId: `0x${string}` | null
  readonly channelId: `0x${string}` | null
  /** Amounts as decimal strings. */
  readonly args: { readonly [name: string]: string | number | boolean }
  readonly txHash: `0x${string}`
  readonly logIndex: number
  readonly block: number
  readonly blockHash: `0x${string}`
  /** Unix seconds of the block. */
  readonly at: number
  /** The raw log: evidence if the event cannot be recorded. */
  readonly raw?: { readonly address: `0x${string}`; readonly topics: readonly `0x${string}`[]; readonly data: `0x${string}` }
}

/** The input of the protocol's `submissionTypedData`. */
export type Submission = Parameters<typeof submissionTypedData>[0]

/**
 * The chain as the settlement module needs it. `encode` and `sign` make no request; `broadcast` may repeat the same bytes. Nothing is
 * paid until `readEvents` shows the log.
 */
export type EscrowRail = {
  readonly sender: `0x${string}`
  readonly nodes: number
  /** Confirmations before a log is final: the minimum, and more for large amounts. */
  readonly confirmations: number
  readonly depths: readonly Depth[]
  /** The chain's own finality tag that a block needs too, if the chain has one. */
  readonly finality: 'confirmations' | 'safe' | 'finalized'
  /**
   * The newest block with a tag.
   * @throws hold.chain_unavailable if the node does not know the tag
   */
  taggedBlock(tag: 'safe' | 'finalized'): Promise<number>
  /** The time after which a pending transaction is replaced with a higher fee. Milliseconds. */
  readonly replaceAfterMs: number
  readonly cancelAfterMs: number
  readonly feeCaps: FeeCaps
  /** In wei. Null: derived from the current gas price. */
  readonly lowBalance: bigint | null
  planId(terms: EscrowTerms): `0x${string}`
  /** EIP-712 data of the client's only signature. */
  fundingTypedData(terms: EscrowTerms, window: AuthorizationWindow): Eip712TypedData
  encode(call: EscrowCall): Promise<EncodedCall>
  /** Simulates the call; null if it would succeed. */
  simulate(call: EncodedCall): Promise<RefusedCall | null>
  /** A transfer of nothing from the sender to itself, which uses up a nonce. */
  cancellation(): Promise<EncodedCall>
  /** The current fees, with a margin for rising prices. */
  fees(): Promise<MarketFees>
  sign(call: EncodedCall, nonce: number, fees: Fees): Promise<PreparedTransaction>
  /** `underpriced`: the node demands a higher fee. `refused`: for another reason than the nonce; retried later. */
  broadcast(raw: `0x${string}`): Promise<'sent' | 'known' | 'nonce_used' | 'underpriced' | 'refused'>
  receipt(hash: `0x${string}`): Promise<ChainReceipt | null>
  head(): Promise<{ number: number; hash: `0x${string}`; timestamp: number }>
  blockHash(number: number): Promise<`0x${string}` | null>
  genesis(): Promise<`0x${string}`>
  /** The sender's next nonce on chain, `depth` blocks below the head. */
  chainNonce(depth?: number): Promise<number>
  readEvents(fromBlock: number, toBlock: number): Promise<EscrowEvent[]>
  balanceOf(address: `0x${string}`): Promise<bigint>
  etherOf(address: `0x${string}`): Promise<bigint>
  /** The evaluator's signature of a charter. May call a remote signer. */
  signCharter(given: { readonly terms: EscrowTerms; readonly version: number; readonly charter: EscrowCharter }): Promise<`0x${string}`>
  /** The evaluator's receipt for submitted steps. Makes no request. */
  signSubmission(receipt: Submission): Promise<`0x${string}`>
  /** Whether the escrow lets `signer` sign charters for `account`. */
  isSigner(account: `0x${string}`, signer: `0x${string}`): Promise<boolean>
  /**
   * At `block`, or at the head. `version`: of the last charter. `charter`: who has approved the one in force. `codes`: two bits per step,
   * see `stepCodes`. `closing`: closed except for disputed or reviewed steps.
   */
  plan(
    planId: `0x${string}`,
    block?: number,
  ): Promise<{
    status: number
    remaining: bigint
    version: number
    charter: 'none' | 'proposed' | 'authorized'
    codes: bigint
    closing: boolean
    /** The client has refused a proposal or requested the close, so that later proposals have no effect. */
    refusesProposals: boolean
    /** Unix seconds from which a proposed charter can be paid; 0 without a veto window. */
    payableFrom: number
    /** Steps that were submitted on chain. */
    submitted: bigint
  }>
  /** The address of the channels contract. Null without one; then do not call the methods below. */
  readonly channels: `0x${string}` | null
  channelId(config: ChannelConfig): `0x${string}`
  /** EIP-712 data of the payer's only signature. */
  openingTypedData(config: ChannelConfig, deposit: bigint, window: AuthorizationWindow): Eip712TypedData
  /** EIP-712 data of the payer's one signature that adds `amount`. */
  topUpTypedData(
    config: ChannelConfig,
    topUp: { readonly amount: bigint; readonly salt: `0x${string}` },
    window: AuthorizationWindow,
  ): Eip712TypedData
  /** `status`: none 0, open 1, closed 2. `closeRequestedAt`: Unix seconds, 0 without a close request. `block`: default is the head. */
  channel(id: `0x${string}`, block?: number): Promise<{ status: number; deposit: bigint; claimed: bigint; closeRequestedAt: number }>
  /** Whether the contract would accept the signature of this voucher, now and later. Makes no request. */
  isVoucherSigned(voucher: {
    readonly channelId: `0x${string}`
    readonly authorizer: `0x${string}`
    readonly amount: bigint
    readonly signature: `0x${string}`
  }): Promise<boolean>
  /** What the account can withdraw of the token from a contract, in base units. Default: the escrow. */
  creditOf(account: `0x${string}`, contract?: EscrowEvent['contract']): Promise<bigint>
  /** The nonce of the account's next signature. */
  accountNonce(account: `0x${string}`): Promise<number>
}

export type ScreenVerdict = { readonly answer: 'allow' } | { readonly answer: 'refuse'; readonly reason: string }
/** Checks the safety of incoming content. */
export type ContentScreen = {
  text(text: string): ScreenVerdict
  file(file: { name: string; mediaType: string; bytes: Uint8Array }): ScreenVerdict
}
