/**
 * What is signed for PlanEscrow, as viem's `signTypedData` takes it, and the hashes that Solidity makes of it.
 * `planIdOf` is `PlanEscrow.planId` without asking the chain.
 */
import { escrowDomain as domainOf, type EscrowStep, type EscrowTerms, termsTypes } from '@parley/protocol'
import { type Address, encodeAbiParameters, type Hex, hashTypedData, keccak256 } from 'viem'

export { attestationTypes, charterTypes, receiveWithAuthorizationTypes, termsTypes } from '@parley/protocol'

/** PlanEscrow.Terms and PlanEscrow.Step; amounts in base units, times in unix seconds. */
export type PlanTerms = EscrowTerms
export type PlanStep = EscrowStep

/** Which escrow: a digest holds on one chain and one contract only. */
export type EscrowAt = { chainId: number; escrow: Address }

/** PlanEscrow.PlanStatus, by its number. */
export const planStatuses = ['None', 'Funded', 'Closed'] as const

/** The 2-bit code of a step, by its number. 3 is reserved. */
export const stepCodes = ['pending', 'paid', 'refunded'] as const

/** A plan has at most this many steps. */
export const maxSteps = 64

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
  return domainOf(at.chainId, at.escrow)
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
