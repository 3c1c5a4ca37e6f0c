/** EIP-712 types that `PlanEscrow` and the settlement token verify. @see SPEC.md#escrow */
export const escrowDomain = (chainId: number, escrow: `0x${string}`) =>
  ({ name: 'Parley PlanEscrow', version: '1', chainId, verifyingContract: escrow }) as const

/** Terms of one hold; their EIP-712 digest is the plan's id. */
export const termsTypes = {
  Terms: [
    { name: 'client', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'total', type: 'uint96' },
    { name: 'workBy', type: 'uint40' },
    { name: 'reviewBy', type: 'uint40' },
    { name: 'expiry', type: 'uint40' },
    { name: 'feeBps', type: 'uint16' },
    { name: 'feeTo', type: 'address' },
    { name: 'evaluator', type: 'address' },
    { name: 'arbitrator', type: 'address' },
    { name: 'authorizer', type: 'address' },
    { name: 'vetoSeconds', type: 'uint32' },
    { name: 'onSilence', type: 'uint8' },
    { name: 'charter', type: 'bytes32' },
    { name: 'briefHash', type: 'bytes32' },
    { name: 'salt', type: 'uint256' },
  ],
} as const

const charter = [
  { name: 'planId', type: 'bytes32' },
  { name: 'version', type: 'uint24' },
  { name: 'stepsHash', type: 'bytes32' },
  { name: 'royaltiesHash', type: 'bytes32' },
  { name: 'charterHash', type: 'bytes32' },
] as const

/** Signed by each payee, or a signer that it allowed on chain; and by the evaluator if it proposes the charter. */
export const charterTypes = { Charter: charter } as const

/** Signed by the client or its authorizer: this charter can be paid at once. */
export const charterAuthorizationTypes = { CharterAuthorization: charter } as const

const charterVersion = [
  { name: 'planId', type: 'bytes32' },
  { name: 'version', type: 'uint24' },
] as const

/** Signed by the client or its authorizer within the veto window: the proposed charter is void. */
export const charterVetoTypes = { CharterVeto: charterVersion } as const

/** Signed by the client or its authorizer: the plan closes a day later, unless an authorized charter comes first. */
export const closeRequestTypes = { CloseRequest: charterVersion } as const

/** Signed by the steps' payee, or a signer that it allowed on chain: these steps are submitted. */
export const stepSubmissionTypes = {
  StepSubmission: [
    { name: 'planId', type: 'bytes32' },
    { name: 'version', type: 'uint24' },
    { name: 'bits', type: 'uint64' },
    { name: 'outputsHash', type: 'bytes32' },
  ],
} as const

const conclusion = [
  { name: 'planId', type: 'bytes32' },
  { name: 'charter', type: 'bytes32' },
  { name: 'bits', type: 'uint64' },
  { name: 'close', type: 'bool' },
  { name: 'conclusionHash', type: 'bytes32' },
] as const

/** Signed by the evaluator: these steps are done. */
export const attestationTypes = { Attestation: conclusion } as const

/** Signed by the evaluator: half of these steps is paid, because no party decided them and the terms split them. */
export const halfAttestationTypes = { HalfAttestation: conclusion } as const

/** Signed by the evaluator: all of these at once, each as if it were signed separately. */
export const batchTypes = { Batch: [{ name: 'attestations', type: 'Attestation[]' }], Attestation: conclusion } as const

/** Signed by the client: these steps are paid, independent of the evaluator. */
export const releaseTypes = { Release: conclusion } as const

/** Signed by the evaluator: these steps were submitted at `receivedAt`, in Unix seconds. */
export const submissionTypes = {
  Submission: [
    { name: 'planId', type: 'bytes32' },
    { name: 'charter', type: 'bytes32' },
    { name: 'bits', type: 'uint64' },
    { name: 'outputsHash', type: 'bytes32' },
    { name: 'receivedAt', type: 'uint40' },
  ],
} as const

/** Signed by the client, the step's payee, or a signer of the payee. Without a ruling, the party that opened the dispute loses. */
export const disputeTypes = {
  DisputeOpened: [
    { name: 'planId', type: 'bytes32' },
    { name: 'version', type: 'uint24' },
    { name: 'step', type: 'uint8' },
    { name: 'evidenceHash', type: 'bytes32' },
  ],
} as const

/** Signed by the arbitrator: the payee receives `payeeBps` of the step, in hundredths of a percent. */
export const rulingTypes = {
  Ruling: [
    { name: 'planId', type: 'bytes32' },
    { name: 'version', type: 'uint24' },
    { name: 'step', type: 'uint8' },
    { name: 'payeeBps', type: 'uint16' },
    { name: 'rulingHash', type: 'bytes32' },
  ],
} as const

/** Signed by client and payee: an agreed split of the step, valid until `deadline`. */
export const offerTypes = {
  SettlementOffer: [
    { name: 'planId', type: 'bytes32' },
    { name: 'version', type: 'uint24' },
    { name: 'step', type: 'uint8' },
    { name: 'payeeBps', type: 'uint16' },
    { name: 'deadline', type: 'uint40' },
  ],
} as const

/** Signed by the account: its whole credit in the token is paid to `to`. Replay protection: `nonce` is valid once. */
export const creditWithdrawalTypes = {
  CreditWithdrawal: [
    { name: 'account', type: 'address' },
    { name: 'token', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Signed by the account: allows or revokes `signer` for charters, submissions and disputes. */
export const setSignerTypes = {
  SetSigner: [
    { name: 'account', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'allowed', type: 'bool' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** ERC-3009: the only signature of the client. Its nonce is the plan's id, so it covers all terms. */
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

/** Permit2: the only signature of the client if the token has no ERC-3009. Its witness is the plan's id. */
export const permit2Types = {
  PermitWitnessTransferFrom: [
    { name: 'permitted', type: 'TokenPermissions' },
    { name: 'spender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'planId', type: 'bytes32' },
  ],
  TokenPermissions: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
} as const

/** Permit2 has the same address on every chain that has it. */
export const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** The EIP-712 domain of the Permit2 contract on a chain. */
export const permit2Domain = (chainId: number) => ({ name: 'Permit2', chainId, verifyingContract: permit2Address }) as const

/** The message of `attestationTypes` and `halfAttestationTypes`. `charter`: the value of the escrow's `charterOf`; zero for none. */
export type EscrowAttestation = {
  readonly planId: `0x${string}`
  readonly charter: `0x${string}`
  readonly bits: bigint
  readonly close: boolean
  readonly conclusionHash: `0x${string}`
}

/** Solidity's `Terms`. Amounts in base units, times in Unix seconds. */
export type EscrowTerms = {
  readonly client: `0x${string}`
  readonly token: `0x${string}`
  readonly total: bigint
  readonly workBy: number
  readonly reviewBy: number
  readonly expiry: number
  readonly feeBps: number
  readonly feeTo: `0x${string}`
  readonly evaluator: `0x${string}`
  /** Zero if no step can be disputed. */
  readonly arbitrator: `0x${string}`
  /** A key that authorizes charters for the client; zero if only the client does. */
  readonly authorizer: `0x${string}`
  /** How long a charter without the client's authorization waits before it can be paid; 0 if such a charter never pays. */
  readonly vetoSeconds: number
  /**
   * A bit set. 1: without an answer in the review, steps are paid; otherwise refunded. 2: a silent member may be replaced without its
   * signature. 4, only with 1: half of each step is paid instead.
   */
  readonly onSilence: number
  /** The charter of a direct hire; zero if it is sealed later. */
  readonly charter: `0x${string}`
  readonly briefHash: `0x${string}`
  readonly salt: bigint
}
/** Solidity's `Step`: an address, and what it is paid in base units. */
export type EscrowStep = { readonly payee: `0x${string}`; readonly amount: bigint }
/** `bps` of the step's amount, in hundredths of a percent, paid from the payee's part. */
export type EscrowRoyalty = { readonly step: number; readonly to: `0x${string}`; readonly bps: number }
/** Solidity's `Charter`. Royalties are in the order of their steps. */
export type EscrowCharter = {
  readonly steps: readonly EscrowStep[]
  readonly royalties: readonly EscrowRoyalty[]
  readonly charterHash: `0x${string}`
}
