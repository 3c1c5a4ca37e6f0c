export type Eip712TypedData = {
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

/** A contract call. It may hold a signature of ours; all replacements of a nonce carry the same one. `value` in wei. */
export type EncodedCall = { readonly to: `0x${string}`; readonly data: `0x${string}`; readonly value: bigint; readonly gas: bigint }
/** Wei per unit of gas. */
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
/** The current base fee, and the fees to offer for the next blocks. */
export type MarketFees = Fees & { readonly baseFeePerGas: bigint }
/** The maximum fees, in wei: per gas, per gas as the tip, and per transaction. */
export type FeeCaps = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint; readonly maxTransactionFee: bigint }

/** The roles that the server signs for on the chain. */
export type SignerRole = 'settler' | 'evaluator' | 'arbitrator'
export type UnsignedTransaction = EncodedCall & Fees & { readonly chainId: number; readonly nonce: number }
/**
 * A key of the server on the chain: in the environment, at a remote signer, or behind a contract wallet. A temporary failure is
 * `hold.signer_unavailable` and may be retried.
 */
export type ChainSigner = {
  readonly role: SignerRole
  /** The address that the contracts know: of the key, or of its contract wallet. Lower-case. */
  readonly address: `0x${string}`
  signTypedData(data: Eip712TypedData): Promise<`0x${string}`>
  /** The signed bytes of an EIP-1559 transaction. A contract wallet signs none. */
  signTransaction(transaction: UnsignedTransaction): Promise<`0x${string}`>
}
/** Null: disputes cannot be ruled. */
export type ChainSigners = { readonly settler: ChainSigner; readonly evaluator: ChainSigner; readonly arbitrator: ChainSigner | null }
