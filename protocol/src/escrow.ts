/** EIP-712 shapes that `PlanEscrow` and the settlement token check. @see SPEC.md#escrow */
export const escrowDomain = (chainId: number, escrow: `0x${string}`) =>
  ({ name: 'Parley PlanEscrow', version: '1', chainId, verifyingContract: escrow }) as const

/** Terms of one hold; their EIP-712 digest is the plan's id. */
export const termsTypes = {
  Terms: [
    { name: 'client', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'total', type: 'uint96' },
    { name: 'workBy', type: 'uint40' },
    { name: 'expiry', type: 'uint40' },
    { name: 'feeBps', type: 'uint16' },
    { name: 'feeTo', type: 'address' },
    { name: 'evaluator', type: 'address' },
    { name: 'briefHash', type: 'bytes32' },
    { name: 'salt', type: 'uint256' },
  ],
} as const

export const charterTypes = {
  Charter: [
    { name: 'planId', type: 'bytes32' },
    { name: 'version', type: 'uint24' },
    { name: 'stepsHash', type: 'bytes32' },
    { name: 'charterHash', type: 'bytes32' },
  ],
} as const

export const attestationTypes = {
  Attestation: [
    { name: 'planId', type: 'bytes32' },
    { name: 'version', type: 'uint24' },
    { name: 'bits', type: 'uint64' },
    { name: 'close', type: 'bool' },
    { name: 'conclusionHash', type: 'bytes32' },
  ],
} as const

/** ERC-3009: the client's one signature. Its nonce is the plan's id, so it binds every term. */
export const receiveWithAuthorizationTypes = {
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Solidity's `Terms`. Amounts in base units, times in Unix seconds. */
export type EscrowTerms = {
  readonly client: `0x${string}`
  readonly token: `0x${string}`
  readonly total: bigint
  readonly workBy: number
  readonly expiry: number
  readonly feeBps: number
  readonly feeTo: `0x${string}`
  readonly evaluator: `0x${string}`
  readonly briefHash: `0x${string}`
  readonly salt: bigint
}
export type EscrowStep = { readonly payee: `0x${string}`; readonly amount: bigint }
