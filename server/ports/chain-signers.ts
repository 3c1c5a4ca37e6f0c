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

/** What a transaction calls. It may hold a signature of ours; every candidate of a nonce carries the same. `value` in wei. */
export type EncodedCall = { readonly to: `0x${string}`; readonly data: `0x${string}`; readonly value: bigint; readonly gas: bigint }
/** Wei per unit of gas. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
/** What the chain asks at present: the newest block's base fee, and what should be offered for the next ones. */
export type MarketFees = Fees & { readonly baseFeePerGas: bigint }
/** What is offered never exceeds these, in wei: per gas, per gas as the tip, and for a whole transaction. */
export type FeeCaps = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint; readonly maxTransactionFee: bigint }

/** The roles that the server signs for on the chain. */
export type SignerRole = 'settler' | 'evaluator' | 'arbitrator'
export type UnsignedTransaction = EncodedCall & Fees & { readonly chainId: number; readonly nonce: number }
/**
 * A key of the server's on the chain, wherever it is kept: in the environment, at a remote signer, or behind a contract
 * wallet. What cannot be signed now is `hold.signer_unavailable`, and may be asked for again.
 */
export type ChainSigner = {
  readonly role: SignerRole
  /** What the contracts know it by: the key's own address, or that of its contract wallet. Lower-case. */
  readonly address: `0x${string}`
  signTypedData(data: TypedData): Promise<`0x${string}`>
  /** The signed bytes of an EIP-1559 transaction. A contract wallet signs none. */
  signTransaction(transaction: UnsignedTransaction): Promise<`0x${string}`>
}
/** Without an arbitrator nothing is ruled. */
export type ChainSigners = { readonly settler: ChainSigner; readonly evaluator: ChainSigner; readonly arbitrator: ChainSigner | null }
