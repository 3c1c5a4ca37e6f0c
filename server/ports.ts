import type { ChannelConfig, EscrowCharter, EscrowTerms, Signer, submissionTypedData } from '@parley/protocol'
import type { CardRail } from './card-rail.ts'
import type { Trace } from './context.ts'
import type { Writer } from './db.ts'
import type { Wakes } from './wake.ts'

export type * from './card-rail.ts'

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
  /** How processes tell one another that there is something to read. */
  readonly wakes: Wakes
  /** Null where nobody collects spans. */
  readonly traces: Traces | null
  /** Messages that are too old for the table. */
  readonly files: MessageFiles
  /** Told where a settlement stands, each time it gets further. For who must know the very place: tests that end the process there. */
  readonly reached?: (point: SettlementPoint) => Promise<void>
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
export type Traces = { export(span: Span): void; close(): Promise<void> }

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
}

/** A member's word on a charter: its payee's own, or that of a signer which the payee allowed on chain. */
export type EscrowMemberSignature = { readonly signer: `0x${string}`; readonly signature: `0x${string}` }

/** A step by its place in the charter in force, from 0. */
type OneStep = { readonly terms: EscrowTerms; readonly charter: EscrowCharter; readonly step: number }

/** What a channel's receiver may take over its whole life, as the payer's side signed it; `0x` where nothing is new. */
type HighestVoucher = { readonly config: ChannelConfig; readonly amount: bigint; readonly signature: `0x${string}` }

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
  | {
      readonly kind: 'openChannel'
      readonly config: ChannelConfig
      readonly deposit: bigint
      readonly validAfter: number
      readonly validBefore: number
      readonly signature: `0x${string}`
    }
  | {
      readonly kind: 'topUpChannel'
      readonly config: ChannelConfig
      readonly amount: bigint
      readonly salt: `0x${string}`
      readonly validAfter: number
      readonly validBefore: number
      readonly signature: `0x${string}`
    }
  | (HighestVoucher & { readonly kind: 'claimVoucher' })
  | (HighestVoucher & { readonly kind: 'closeChannel' })
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
  /** As of `block`, or of now. `codes`: two bits a step, see `stepCodes`. `closing`: closed but for its disputed steps. */
  plan(
    planId: `0x${string}`,
    block?: number,
  ): Promise<{
    status: number
    remaining: bigint
    version: number
    agreed: boolean
    codes: bigint
    closing: boolean
  }>
  /** Where the channels' contract stands; null where there is none, and then nothing below may be asked. */
  readonly channels: `0x${string}` | null
  channelId(config: ChannelConfig): `0x${string}`
  /** EIP-712 data of the payer's one signature. */
  openingTypedData(config: ChannelConfig, deposit: bigint, validAfter: number, validBefore: number): TypedData
  /** EIP-712 data of the payer's one signature that adds `amount`. */
  topUpTypedData(config: ChannelConfig, amount: bigint, salt: `0x${string}`, validAfter: number, validBefore: number): TypedData
  /** `status`: none 0, open 1, closed 2. `closeRequestedAt`: Unix seconds, 0 without a notice. */
  channel(id: `0x${string}`): Promise<{ status: number; deposit: bigint; claimed: bigint; closeRequestedAt: number }>
  /** What the account can withdraw of the token, base units. */
  creditOf(account: `0x${string}`): Promise<bigint>
  /** The nonce of the account's next signature on its own affairs. */
  accountNonce(account: `0x${string}`): Promise<number>
}

export type Verdict = { readonly answer: 'allow' } | { readonly answer: 'refuse'; readonly reason: string }
/** A safety check of content on its way in. */
export type Screen = { text(text: string): Verdict; file(file: { name: string; mediaType: string; bytes: Uint8Array }): Verdict }

/** A message as it lay in the table. `receivedAt`: RFC 3339, in UTC. */
export type FiledRow = {
  readonly groupId: string
  readonly seq: number
  readonly id: string
  readonly senderId: string
  readonly type: string
  readonly state: string
  readonly taskId: string | null
  readonly body: string
  readonly bodyHash: string
  readonly hash: string
  readonly receivedAt: string
}
/** A file of messages: those of the table `name`. `sha256`: of its bytes, in hex. */
export type Filed = { readonly name: string; readonly messages: number; readonly bytes: number; readonly sha256: string }
/** How far a file has come: its messages are in it, it is on the disk, it has its name. */
export type WritingPoint = 'half' | 'synced' | 'named'
/** Files of messages, each written once and never changed. */
export type MessageFiles = {
  /** Resolves once it is on the disk, else there is no file. `rows` by group, in code units' order, then by number make one file. */
  write(name: string, rows: AsyncIterable<readonly FiledRow[]>, reached?: (point: WritingPoint) => Promise<void>): Promise<Filed>
  /** Messages of a group behind `after`, in order, at most `limit`. */
  read(file: FileName, input: { groupId: string; after: number; limit: number }): Promise<FiledRow[]>
  /** Everything in it, from the disk, in the order in which it was written. */
  all(file: FileName): AsyncIterable<readonly FiledRow[]>
  /** Gone for good; one that is gone already is no error. */
  remove(file: FileName): Promise<void>
}
export type FileName = Pick<Filed, 'name' | 'sha256'>
