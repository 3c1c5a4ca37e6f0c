import type { ChannelConfig, EscrowCharter, EscrowTerms, Signer, submissionTypedData } from '@parley/protocol'
import type { Trace } from './context.ts'
import type { Writer } from './db.ts'
import type { CardRail } from './ports/card-rail.ts'
import type { EncodedCall, FeeCaps, Fees, MarketFees, TypedData } from './ports/chain-signers.ts'
import type { EscrowCall } from './ports/escrow-calls.ts'
import type { ArchiveFileStore } from './ports/message-files.ts'
import type { SignalBus } from './signals/signal.ts'

export type * from './ports/card-rail.ts'
export type * from './ports/chain-signers.ts'
export type { EscrowCall, EscrowMemberSignature, SettleCall } from './ports/escrow-calls.ts'
export type { ArchivedFile, ArchivedRow, ArchiveFileStore, FileName, WritingPoint } from './ports/message-files.ts'

/** Every touch with the outside world, as types. Adapters live in their rooms; `compose.ts` joins them. */
export type Ports = {
  /** The server's own Ed25519 key: it signs the server's messages and vouches for senders without a key. */
  readonly signer: Signer
  readonly rail: EscrowRail
  /** Null where this market takes no cards. */
  readonly cards: CardRail | null
  readonly screen: ContentScreen
  readonly verifyWallet: WalletVerifier
  /** Writes what is said at one moment in one transaction. */
  readonly writer: Writer
  /** How processes tell one another that there is something to read. */
  readonly signals: SignalBus
  /** Null where nobody collects spans. */
  readonly traces: TraceExporter | null
  /** Messages that are too old for the table. */
  readonly files: ArchiveFileStore
  /** Told where a settlement stands, each time it gets further. For who must know the very place: tests that end the process there. */
  readonly onSettlementPoint?: (point: SettlementPoint) => Promise<void>
}

/** Who waits for whom: `server` answers a request, `consumer` takes what was left for it. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
/** A piece of work that is over. Times in milliseconds of Unix time; `error`: the code of the problem it ended in. */
export type Span = Trace & {
  readonly parentId: string | null
  readonly name: string
  readonly kind: SpanKind
  readonly startedAt: number
  readonly endedAt: number
  readonly attributes: { readonly [name: string]: string | number }
  readonly error: string | null
}
/** Takes spans and sends them somewhere, in its own time. */
export type TraceExporter = { export(span: Span): void; close(): Promise<void> }

/** The places between which a settlement's process may die, in their order. */
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

/** What a signature of a person's wallet is checked with; contract wallets are asked on their chain. */
export type WalletVerifier = {
  message(input: { address: `0x${string}`; message: string; signature: `0x${string}` }): Promise<boolean>
  typedData(input: { address: `0x${string}`; typedData: TypedData; signature: `0x${string}` }): Promise<boolean>
}

/** A transaction, signed and not yet sent. */
export type PreparedTransaction = {
  readonly raw: `0x${string}`
  readonly hash: `0x${string}`
  readonly nonce: number
  readonly sender: `0x${string}`
}
/** The contract would refuse the call as things stand, in a sentence. `isFinal`: however they come to stand. */
export type RefusedCall = { readonly refused: string; readonly isFinal: boolean }
/** From `from` base units up, so many blocks on top. */
export type Depth = { readonly from: bigint; readonly confirmations: number }
export type ChainReceipt = {
  readonly hash: `0x${string}`
  readonly block: number
  readonly blockHash: `0x${string}`
  readonly succeeded: boolean
  /** Whether it shows events of our contracts. */
  readonly hasEvents: boolean
}
export type EscrowEvent = {
  /** Which of our contracts says so. */
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
  /** The log itself, as the node gave it: evidence where it can't be booked. */
  readonly raw?: { readonly address: `0x${string}`; readonly topics: readonly `0x${string}`[]; readonly data: `0x${string}` }
}

/** As the protocol's `submissionTypedData` takes it. */
export type Submission = Parameters<typeof submissionTypedData>[0]

/**
 * The chain as the settlement room needs it. `encode` and `sign` ask nobody; `broadcast` may be repeated with the same
 * bytes for ever. What it guarantees is what the node says: nothing is paid until `readEvents` shows the log.
 */
export type EscrowRail = {
  readonly sender: `0x${string}`
  readonly nodes: number
  /** Blocks on top before a log counts as final: at the least, and for what is worth more. */
  readonly confirmations: number
  readonly depths: readonly Depth[]
  /** Which of the chain's own marks a block has to carry besides, where the chain offers one. */
  readonly finality: 'confirmations' | 'safe' | 'finalized'
  /** The newest block that carries a mark. @throws hold.chain_unavailable where the node knows no such mark */
  taggedBlock(tag: 'safe' | 'finalized'): Promise<number>
  /** After so long without being mined, a transaction is replaced by one that pays more. Milliseconds. */
  readonly replaceAfterMs: number
  readonly cancelAfterMs: number
  readonly feeCaps: FeeCaps
  /** In wei. Null: reckoned from the present price. */
  readonly lowBalance: bigint | null
  planId(terms: EscrowTerms): `0x${string}`
  /** EIP-712 data of the client's one signature. */
  fundingTypedData(terms: EscrowTerms, validAfter: number, validBefore: number): TypedData
  encode(call: EscrowCall): Promise<EncodedCall>
  /** The call as the chain would answer it now: null where it would succeed. */
  simulate(call: EncodedCall): Promise<RefusedCall | null>
  /** A transfer of nothing from the sender to itself: it uses up a nonce and does nothing else. */
  cancellation(): Promise<EncodedCall>
  /** What is asked at present, with room for the price to rise. */
  fees(): Promise<MarketFees>
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
  /** The evaluator's signature of a charter. May ask a remote signer. */
  signCharter(given: { readonly terms: EscrowTerms; readonly version: number; readonly charter: EscrowCharter }): Promise<`0x${string}`>
  /** The evaluator's receipt for steps that were handed in. Asks nobody. */
  signSubmission(receipt: Submission): Promise<`0x${string}`>
  /** Whether the escrow lets `signer` sign charters for `account`. */
  isSigner(account: `0x${string}`, signer: `0x${string}`): Promise<boolean>
  /**
   * As of `block`, or of now. `version`: of the last charter. `charter`: whose word the one in force has. `codes`: two bits a step,
   * see `stepCodes`. `closing`: closed but for steps that are disputed or in review.
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
    /** The client has refused a proposal, or given notice: none counts any more. */
    refusesProposals: boolean
    /** Unix seconds: from when a proposed charter can be paid; 0 where no veto window runs. */
    payableFrom: number
    /** Steps that were handed in on chain. */
    submitted: bigint
  }>
  /** Where the channels' contract stands; null where there is none, and then nothing below may be asked. */
  readonly channels: `0x${string}` | null
  channelId(config: ChannelConfig): `0x${string}`
  /** EIP-712 data of the payer's one signature. */
  openingTypedData(config: ChannelConfig, deposit: bigint, validAfter: number, validBefore: number): TypedData
  /** EIP-712 data of the payer's one signature that adds `amount`. */
  topUpTypedData(config: ChannelConfig, amount: bigint, salt: `0x${string}`, validAfter: number, validBefore: number): TypedData
  /** `status`: none 0, open 1, closed 2. `closeRequestedAt`: Unix seconds, 0 without a notice. `block`: as of it; unset: now. */
  channel(id: `0x${string}`, block?: number): Promise<{ status: number; deposit: bigint; claimed: bigint; closeRequestedAt: number }>
  /** Whether the contract would accept the signature of this voucher, now and later: the authorizer's own key. Asks nobody. */
  isVoucherSigned(voucher: {
    readonly channelId: `0x${string}`
    readonly authorizer: `0x${string}`
    readonly amount: bigint
    readonly signature: `0x${string}`
  }): Promise<boolean>
  /** What the account can withdraw of the token from a contract, base units. Unset: from the escrow. */
  creditOf(account: `0x${string}`, contract?: EscrowEvent['contract']): Promise<bigint>
  /** The nonce of the account's next signature on its own affairs. */
  accountNonce(account: `0x${string}`): Promise<number>
}

export type ScreenVerdict = { readonly answer: 'allow' } | { readonly answer: 'refuse'; readonly reason: string }
/** A safety check of content on its way in. */
export type ContentScreen = {
  text(text: string): ScreenVerdict
  file(file: { name: string; mediaType: string; bytes: Uint8Array }): ScreenVerdict
}
