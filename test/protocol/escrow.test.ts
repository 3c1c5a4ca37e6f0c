import {
  attestationTypes,
  batchTypes,
  charterAuthorizationTypes,
  charterTypes,
  charterVetoTypes,
  closeRequestTypes,
  creditWithdrawalTypes,
  disputeTypes,
  escrowDomain,
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
import { expect, it } from 'vitest'

/** EIP-712's `encodeType`, which the contract hashes as text: one changed name or order and no signature holds. */
const encode = (types: Record<string, readonly { name: string; type: string }[]>) =>
  Object.entries(types).map(([name, fields]) => `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`)

it('the typed data is what the contract hashes', () => {
  expect(encode(termsTypes)).toEqual([
    'Terms(address client,address token,uint96 total,uint40 workBy,uint40 reviewBy,uint40 expiry,uint16 feeBps,address feeTo,address evaluator,address arbitrator,address authorizer,uint32 vetoSeconds,uint8 onSilence,bytes32 charter,bytes32 briefHash,uint256 salt)',
  ])
  expect(encode(charterTypes)).toEqual([
    'Charter(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash)',
  ])
  expect(encode(charterAuthorizationTypes)).toEqual([
    'CharterAuthorization(bytes32 planId,uint24 version,bytes32 stepsHash,bytes32 royaltiesHash,bytes32 charterHash)',
  ])
  expect(encode(charterVetoTypes)).toEqual(['CharterVeto(bytes32 planId,uint24 version)'])
  expect(encode(closeRequestTypes)).toEqual(['CloseRequest(bytes32 planId,uint24 version)'])
  expect(encode(stepSubmissionTypes)).toEqual(['StepSubmission(bytes32 planId,uint24 version,uint64 bits,bytes32 outputsHash)'])
  expect(encode(attestationTypes)).toEqual(['Attestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)'])
  expect(encode(batchTypes)).toEqual([
    'Batch(Attestation[] attestations)',
    'Attestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)',
  ])
  expect(encode(halfAttestationTypes)).toEqual([
    'HalfAttestation(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)',
  ])
  expect(encode(releaseTypes)).toEqual(['Release(bytes32 planId,bytes32 charter,uint64 bits,bool close,bytes32 conclusionHash)'])
  expect(encode(submissionTypes)).toEqual(['Submission(bytes32 planId,bytes32 charter,uint64 bits,bytes32 outputsHash,uint40 receivedAt)'])
  expect(encode(disputeTypes)).toEqual(['DisputeOpened(bytes32 planId,uint24 version,uint8 step,bytes32 evidenceHash)'])
  expect(encode(rulingTypes)).toEqual(['Ruling(bytes32 planId,uint24 version,uint8 step,uint16 payeeBps,bytes32 rulingHash)'])
  expect(encode(offerTypes)).toEqual(['SettlementOffer(bytes32 planId,uint24 version,uint8 step,uint16 payeeBps,uint40 deadline)'])
  expect(encode(creditWithdrawalTypes)).toEqual([
    'CreditWithdrawal(address account,address token,address to,uint256 nonce,uint256 deadline)',
  ])
  expect(encode(setSignerTypes)).toEqual(['SetSigner(address account,address signer,bool allowed,uint256 nonce,uint256 deadline)'])
  expect(encode(permit2Types)).toEqual([
    'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,bytes32 planId)',
    'TokenPermissions(address token,uint256 amount)',
  ])
  expect(encode(receiveWithAuthorizationTypes)).toEqual([
    'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ])
  expect(permit2Domain(1)).toEqual({ name: 'Permit2', chainId: 1, verifyingContract: permit2Address })
  expect(escrowDomain(31_337, '0x01')).toEqual({ name: 'Parley PlanEscrow', version: '1', chainId: 31_337, verifyingContract: '0x01' })
})
