import type { EscrowStep, EscrowTerms, Signer } from '@parley/protocol'

/** Every touch with the outside world, as types. Adapters live in their rooms; `compose.ts` joins them. */
export type Ports = {
  /** The server's own Ed25519 key: it signs the server's messages and vouches for senders without a key. */
  readonly signer: Signer
  readonly rail: EscrowRail
  readonly screen: Screen
  readonly verifyWallet: WalletVerifier
}

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
/** The contract would refuse the call as things stand, in a sentence. Nothing was signed. */
export type RefusedCall = { readonly refused: string }
export type ChainReceipt = {
  readonly hash: `0x${string}`
  readonly block: number
  readonly blockHash: `0x${string}`
  readonly succeeded: boolean
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
      readonly steps: readonly EscrowStep[]
      readonly charterHash: `0x${string}`
    }
  | {
      readonly kind: 'settle'
      readonly terms: EscrowTerms
      readonly version: number
      readonly steps: readonly EscrowStep[]
      readonly charterHash: `0x${string}`
      readonly bits: bigint
      readonly close: boolean
      readonly conclusionHash: `0x${string}`
    }
  | { readonly kind: 'refund'; readonly terms: EscrowTerms }
  | { readonly kind: 'mint'; readonly to: `0x${string}`; readonly amount: bigint }
  | { readonly kind: 'sendEther'; readonly to: `0x${string}`; readonly wei: bigint }

/**
 * The chain as the settlement room needs it. `prepare` signs and sends nothing; `broadcast` may be repeated with the same
 * bytes for ever. What it guarantees is what the node says: nothing is paid until `readEvents` shows the log.
 */
export type EscrowRail = {
  readonly sender: `0x${string}`
  /** Blocks on top before a log counts as final. */
  readonly confirmations: number
  planId(terms: EscrowTerms): `0x${string}`
  /** EIP-712 data of the client's one signature. */
  fundingTypedData(terms: EscrowTerms, validAfter: number, validBefore: number): TypedData
  prepare(call: EscrowCall, nonce: number): Promise<PreparedTransaction | RefusedCall>
  broadcast(raw: `0x${string}`): Promise<'sent' | 'known' | 'nonce_used'>
  receipt(hash: `0x${string}`): Promise<ChainReceipt | null>
  head(): Promise<{ number: number; hash: `0x${string}`; timestamp: number }>
  blockHash(number: number): Promise<`0x${string}` | null>
  genesis(): Promise<`0x${string}`>
  /** The sender's next nonce by the chain's count. */
  chainNonce(): Promise<number>
  readEvents(fromBlock: number, toBlock: number): Promise<EscrowEvent[]>
  balanceOf(address: `0x${string}`): Promise<bigint>
  etherOf(address: `0x${string}`): Promise<bigint>
  plan(planId: `0x${string}`): Promise<{ status: number; remaining: bigint; version: number }>
}

export type Verdict = { readonly answer: 'allow' } | { readonly answer: 'refuse'; readonly reason: string }
/** A safety check of content on its way in. */
export type Screen = { text(text: string): Verdict; file(file: { name: string; mediaType: string; bytes: Uint8Array }): Verdict }
