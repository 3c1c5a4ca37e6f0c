/** What the actors of a plan sign. */
import type { EscrowAttestation } from '@parley/protocol'
import type { Address, Hex, LocalAccount } from 'viem'
import {
  attestationTypes,
  batchTypes,
  charterAuthorizationTypes,
  charterMessage,
  charterTypes,
  charterVetoTypes,
  closeRequestTypes,
  creditWithdrawalTypes,
  disputeTypes,
  type EscrowAt,
  escrowDomainAt,
  halfAttestationTypes,
  offerTypes,
  type PlanCharter,
  type PlanTerms,
  permit2Domain,
  permit2Types,
  planIdOf,
  receiveWithAuthorizationTypes,
  releaseTypes,
  rulingTypes,
  setSignerTypes,
  settledCharter,
  stepSubmissionTypes,
  submissionTypes,
  testUsdcDomain,
} from '../../contracts/abi/index.ts'
import { actors } from './actors.ts'

type SettlementContent = { bits: bigint; close: boolean; conclusionHash: Hex }
type HandedIn = { bits: bigint; outputsHash: Hex; receivedAt: number }
type StepsSubmitted = { bits: bigint; outputsHash: Hex }
type Dispute = { step: number; evidenceHash: Hex }
type Ruling = { step: number; payeeBps: number; rulingHash: Hex }
type Offer = { step: number; payeeBps: number; deadline: number }
type Withdrawal = { account: Address; token: Address; to: Address; nonce: bigint; deadline: bigint }
type SignerChange = { account: Address; signer: Address; allowed: boolean; nonce: bigint; deadline: bigint }

export function createSigners(at: EscrowAt) {
  const domain = escrowDomainAt(at)
  const id = (of: PlanTerms) => planIdOf(at, of)
  const attestationOf = (of: PlanTerms, charter: PlanCharter, { bits, close, conclusionHash }: SettlementContent): EscrowAttestation => ({
    planId: id(of),
    charter: settledCharter(charter),
    bits,
    close,
    conclusionHash,
  })
  return {
    signCharter: (of: PlanTerms, charter: PlanCharter & { version: number }, by: LocalAccount = actors.evaluator) =>
      by.signTypedData({ domain, types: charterTypes, primaryType: 'Charter', message: charterMessage(id(of), charter.version, charter) }),

    signAuthorization: (of: PlanTerms, charter: PlanCharter & { version: number }, by: LocalAccount = actors.client) =>
      by.signTypedData({
        domain,
        types: charterAuthorizationTypes,
        primaryType: 'CharterAuthorization',
        message: charterMessage(id(of), charter.version, charter),
      }),

    signVeto: (of: PlanTerms, version: number, by: LocalAccount = actors.client) =>
      by.signTypedData({ domain, types: charterVetoTypes, primaryType: 'CharterVeto', message: { planId: id(of), version } }),

    signCloseRequest: (of: PlanTerms, version: number, by: LocalAccount = actors.client) =>
      by.signTypedData({ domain, types: closeRequestTypes, primaryType: 'CloseRequest', message: { planId: id(of), version } }),

    signSteps: (of: PlanTerms, version: number, submitted: StepsSubmitted, by: LocalAccount) =>
      by.signTypedData({
        domain,
        types: stepSubmissionTypes,
        primaryType: 'StepSubmission',
        message: { planId: id(of), version, ...submitted },
      }),

    signSettlement: (of: PlanTerms, charter: PlanCharter, settlement: SettlementContent, by: LocalAccount = actors.evaluator) =>
      by.signTypedData({
        domain,
        types: attestationTypes,
        primaryType: 'Attestation',
        message: attestationOf(of, charter, settlement),
      }),

    signHalf: (of: PlanTerms, charter: PlanCharter, settlement: SettlementContent, by: LocalAccount = actors.evaluator) =>
      by.signTypedData({
        domain,
        types: halfAttestationTypes,
        primaryType: 'HalfAttestation',
        message: attestationOf(of, charter, settlement),
      }),

    attestationOf,

    signBatch: (attestations: readonly EscrowAttestation[], by: LocalAccount = actors.evaluator) =>
      by.signTypedData({ domain, types: batchTypes, primaryType: 'Batch', message: { attestations } }),

    signRelease: (of: PlanTerms, charter: PlanCharter, settlement: SettlementContent, by: LocalAccount = actors.client) =>
      by.signTypedData({
        domain,
        types: releaseTypes,
        primaryType: 'Release',
        message: { planId: id(of), charter: settledCharter(charter), ...settlement },
      }),

    signSubmission: (of: PlanTerms, charter: PlanCharter, handedIn: HandedIn, by: LocalAccount = actors.evaluator) =>
      by.signTypedData({
        domain,
        types: submissionTypes,
        primaryType: 'Submission',
        message: { planId: id(of), charter: settledCharter(charter), ...handedIn },
      }),

    signDispute: (of: PlanTerms, version: number, dispute: Dispute, by: LocalAccount) =>
      by.signTypedData({ domain, types: disputeTypes, primaryType: 'DisputeOpened', message: { planId: id(of), version, ...dispute } }),

    signRuling: (of: PlanTerms, version: number, ruling: Ruling, by: LocalAccount = actors.arbitrator) =>
      by.signTypedData({ domain, types: rulingTypes, primaryType: 'Ruling', message: { planId: id(of), version, ...ruling } }),

    signOffer: (of: PlanTerms, version: number, offer: Offer, by: LocalAccount) =>
      by.signTypedData({ domain, types: offerTypes, primaryType: 'SettlementOffer', message: { planId: id(of), version, ...offer } }),

    signWithdrawal: (message: Withdrawal, by: LocalAccount) =>
      by.signTypedData({ domain, types: creditWithdrawalTypes, primaryType: 'CreditWithdrawal', message }),

    signSigner: (message: SignerChange, by: LocalAccount) =>
      by.signTypedData({ domain, types: setSignerTypes, primaryType: 'SetSigner', message }),

    signFunding: (of: PlanTerms, validBefore: bigint, by: LocalAccount = actors.client) =>
      by.signTypedData({
        domain: testUsdcDomain({ chainId: at.chainId, token: of.token }),
        types: receiveWithAuthorizationTypes,
        primaryType: 'ReceiveWithAuthorization',
        message: { from: of.client, to: at.escrow, value: of.total, validAfter: 0n, validBefore, nonce: id(of) },
      }),

    signPermit2: (of: PlanTerms, nonce: bigint, deadline: bigint, by: LocalAccount = actors.client) =>
      by.signTypedData({
        domain: permit2Domain(at.chainId),
        types: permit2Types,
        primaryType: 'PermitWitnessTransferFrom',
        message: { permitted: { token: of.token, amount: of.total }, spender: at.escrow, nonce, deadline, planId: id(of) },
      }),
  }
}
