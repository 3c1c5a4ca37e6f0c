/**
 * What is signed for PlanEscrow, as viem's `signTypedData` takes it, and the hashes that Solidity makes of it.
 * `planIdOf` is `PlanEscrow.planId` without asking the chain.
 */
import {
  escrowDomain as domainOf,
  type EscrowCharter,
  type EscrowRoyalty,
  type EscrowStep,
  type EscrowTerms,
  termsTypes,
} from '@parley/protocol'
import { type Address, encodeAbiParameters, type Hex, hashTypedData, keccak256, zeroHash } from 'viem'

export {
  attestationTypes,
  batchTypes,
  charterAuthorizationTypes,
  charterTypes,
  charterVetoTypes,
  closeRequestTypes,
  creditWithdrawalTypes,
  disputeTypes,
  halfAttestationTypes,
  offerTypes,
  permit2Address,
  permit2Domain,
  permit2Types,
  receiveWithAuthorizationTypes,
  releaseTypes,
  rulingTypes,
  setSignerTypes,
  stepSubmissionTypes,
  submissionTypes,
  termsTypes,
} from '@parley/protocol'

/** PlanEscrow.Terms, Step, Royalty and Charter; amounts in base units, times in unix seconds. */
export type PlanTerms = EscrowTerms
export type PlanStep = EscrowStep
export type PlanRoyalty = EscrowRoyalty
export type PlanCharter = EscrowCharter

/** Which escrow: a digest holds on one chain and one contract only. */
export type EscrowAt = { chainId: number; escrow: Address }

/** PlanEscrow.PlanStatus, by its number. */
export const planStatuses = ['None', 'Funded', 'Closed'] as const

/** PlanEscrow.CharterState, by its number. */
export const charterStates = ['None', 'Proposed', 'Authorized'] as const

/** The 2-bit code of a step, by its number. Ended: refunded or split. */
export const stepCodes = ['pending', 'paid', 'ended', 'disputed'] as const

/**
 * What `onSilence` is a set of. Without `pays`, a step without a decision is refunded. With `pays` and `splits`, half of it is paid.
 * Without `replacesMembers`, members leave by their word.
 */
export const silenceFlags = { pays: 1, replacesMembers: 2, splits: 4 } as const

/** A plan has at most this many steps. */
export const maxSteps = 64

/** Seconds between workBy and reviewBy, and between reviewBy and expiry, where silence pays or an arbitrator is named. */
export const minWindow = 600

/** A plan expires at most so many seconds after its funding. */
export const maxDuration = 365 * 86_400

/** Seconds between the client's close request and the refund of a plan without a charter. */
export const closeNotice = 86_400

/** What a settlement names when the plan has no charter. */
export const noCharter: PlanCharter = { steps: [], royalties: [], charterHash: zeroHash }

const stepsParameter = [
  {
    type: 'tuple[]',
    components: [
      { name: 'payee', type: 'address' },
      { name: 'amount', type: 'uint96' },
    ],
  },
] as const

const royaltiesParameter = [
  {
    type: 'tuple[]',
    components: [
      { name: 'step', type: 'uint8' },
      { name: 'to', type: 'address' },
      { name: 'bps', type: 'uint16' },
    ],
  },
] as const

export function escrowDomainAt(at: EscrowAt) {
  return domainOf(at.chainId, at.escrow)
}

/** The domain of TestUSDC's permits and authorizations. A real token declares its own through ERC-5267 or its documents. */
export function testUsdcDomain(at: { chainId: number; token: Address }) {
  return { name: 'Test USD Coin', version: '1', chainId: at.chainId, verifyingContract: at.token } as const
}

export function planIdOf(at: EscrowAt, terms: PlanTerms): Hex {
  return hashTypedData({ domain: escrowDomainAt(at), types: termsTypes, primaryType: 'Terms', message: terms })
}

export function hashSteps(steps: readonly PlanStep[]): Hex {
  return keccak256(encodeAbiParameters(stepsParameter, [steps]))
}

export function hashRoyalties(royalties: readonly PlanRoyalty[]): Hex {
  return keccak256(encodeAbiParameters(royaltiesParameter, [royalties]))
}

/** What `PlanEscrow.charterOf(planId)` answers once this charter is sealed, and what `charter` is in a direct hire's terms. */
export function bindCharter(charter: PlanCharter): Hex {
  const hashes = [hashSteps(charter.steps), hashRoyalties(charter.royalties), charter.charterHash] as const
  return keccak256(encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }], hashes))
}

/** The `charter` of an attestation, a release or a submission. Zero where the plan has none. */
export function settledCharter(charter: PlanCharter): Hex {
  return charter.steps.length === 0 ? zeroHash : bindCharter(charter)
}

/** The message of `charterTypes`. */
export function charterMessage(planId: Hex, version: number, charter: PlanCharter) {
  const { charterHash } = charter
  return { planId, version, stepsHash: hashSteps(charter.steps), royaltiesHash: hashRoyalties(charter.royalties), charterHash }
}
