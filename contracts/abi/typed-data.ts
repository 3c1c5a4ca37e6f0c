/**
 * What is signed for PlanEscrow, as viem's `signTypedData` takes it, and the hashes that Solidity makes of it.
 * `planIdOf` is `PlanEscrow.planId` without asking the chain.
 */
import { type Address, encodeAbiParameters, type Hex, hashTypedData, keccak256 } from 'viem'

/** PlanEscrow.Terms; amounts in base units, times in unix seconds. */
export type PlanTerms = {
  client: Address
  token: Address
  total: bigint
  workBy: number
  expiry: number
  feeBps: number
  feeTo: Address
  evaluator: Address
  briefHash: Hex
  salt: bigint
}

/** PlanEscrow.Step. */
export type PlanStep = { payee: Address; amount: bigint }

/** Which escrow: a digest holds on one chain and one contract only. */
export type EscrowAt = { chainId: number; escrow: Address }

/** PlanEscrow.PlanStatus, by its number. */
export const planStatuses = ['None', 'Funded', 'Closed'] as const

/** The 2-bit code of a step, by its number. 3 is reserved. */
export const stepCodes = ['pending', 'paid', 'refunded'] as const

/** A plan has at most this many steps. */
export const maxSteps = 64

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

/** ERC-3009: what the client signs at the token, with the plan's id as nonce, to fund without gas. */
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

const stepsParameter = [
  {
    type: 'tuple[]',
    components: [
      { name: 'payee', type: 'address' },
      { name: 'amount', type: 'uint96' },
    ],
  },
] as const

export function escrowDomain(at: EscrowAt) {
  return { name: 'Parley PlanEscrow', version: '1', chainId: at.chainId, verifyingContract: at.escrow } as const
}

/** The domain of TestUSDC's permits and authorizations. A real token tells its own through ERC-5267 or its documents. */
export function testUsdcDomain(at: { chainId: number; token: Address }) {
  return { name: 'Test USD Coin', version: '1', chainId: at.chainId, verifyingContract: at.token } as const
}

export function planIdOf(at: EscrowAt, terms: PlanTerms): Hex {
  return hashTypedData({ domain: escrowDomain(at), types: termsTypes, primaryType: 'Terms', message: terms })
}

export function hashSteps(steps: readonly PlanStep[]): Hex {
  return keccak256(encodeAbiParameters(stepsParameter, [steps]))
}

/** What `PlanEscrow.charter(planId)` answers for this charter. */
export function bindCharter(stepsHash: Hex, charterHash: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }], [stepsHash, charterHash]))
}
