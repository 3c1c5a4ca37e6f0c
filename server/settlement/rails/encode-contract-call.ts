import {
  attestationTypes,
  batchTypes,
  type EscrowAttestation,
  type EscrowCharter,
  type EscrowTerms,
  halfAttestationTypes,
} from '@parley/protocol'
import { encodeFunctionData, type Hex, zeroHash } from 'viem'
import {
  charterMessage,
  charterTypes,
  escrowDomainAt,
  hashAttestation,
  packItems,
  planEscrowAbi,
  planIdOf,
  settledCharter,
  testUsdcAbi,
} from '../../../contracts/abi/index.ts'
import type { ChainSigners, EncodedCall, EscrowCall, SettleCall } from '../../ports.ts'
import { encodeChannelCall } from './encode-channel-call.ts'
import { encodeDisputeCall } from './encode-dispute-call.ts'
import { batchGas, capGas, countEntries, sealGas, settleGas, settlementGas } from './max-transaction-gas.ts'

/** Signers of signatures inside calls. Without an arbitrator no ruling is possible. */
export type CallSigners = Pick<ChainSigners, 'evaluator' | 'arbitrator'>
type Evaluator = ChainSigners['evaluator']
export type ContractAddresses = { readonly chainId: number; readonly escrow: Hex; readonly token: Hex; readonly channels: Hex | null }

/**
 * Gas limits by call. They are not estimated: a transfer that runs out of gas inside a settlement becomes a credit, and the
 * settlement still succeeds. So the minimum that succeeds is too low.
 */
const gas = {
  fund: 600_000n,
  refund: 400_000n,
  veto: 200_000n,
  withdraw: 250_000n,
  mint: 150_000n,
  send: 60_000n,
}

/** A step submitted on chain needs no receipt of the evaluator. */
const noReceipt = { bits: 0n, outputsHash: zeroHash, receivedAt: 0, signature: '0x' } as const

/** Encodes a contract call. Signs for the evaluator and the arbitrator over exactly the encoded values. */
export async function encodeContractCall(at: ContractAddresses, signers: CallSigners, call: EscrowCall): Promise<EncodedCall> {
  switch (call.kind) {
    case 'openChannel':
    case 'topUpChannel':
    case 'claimVoucher':
    case 'closeChannel':
    case 'withdrawChannel':
      return encodeChannelCall(at, call)
    case 'mint': {
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [call.to, call.amount] })
      return { to: at.token, data, value: 0n, gas: gas.mint }
    }
    case 'sendEther':
      return { to: call.to, data: '0x', value: call.wei, gas: gas.send }
    default: {
      const { data, limit } = await encodePlanCall(at, signers, call)
      return { to: at.escrow, data, value: 0n, gas: capGas(limit) }
    }
  }
}

type OtherKind = 'openChannel' | 'topUpChannel' | 'claimVoucher' | 'closeChannel' | 'withdrawChannel' | 'mint' | 'sendEther'
type PlanCall = Exclude<EscrowCall, { kind: OtherKind }>
/** The data of a call to the escrow, and its gas limit. */
type PlanCallData = { readonly data: Hex; readonly limit: bigint }

async function encodePlanCall(at: ContractAddresses, signers: CallSigners, call: PlanCall): Promise<PlanCallData> {
  switch (call.kind) {
    case 'fund': {
      const args = [call.terms, BigInt(call.validAfter), BigInt(call.validBefore), call.signature] as const
      return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'fundWithAuthorization', args }), limit: gas.fund }
    }
    case 'seal':
      return encodeSeal(at, signers.evaluator, call)
    case 'settle':
      return encodeSettle(at, signers.evaluator, call)
    case 'settleMany':
      return encodeSettleMany(at, signers.evaluator, call.settlements)
    case 'veto': {
      const args = [call.terms, call.version, call.signature] as const
      return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'veto', args }), limit: gas.veto }
    }
    case 'submit': {
      const { terms, bits, outputsHash, signer, signature } = call
      const charter = toContractCharter(call.charter)
      const args = [terms, charter, bits, outputsHash, signer, signature] as const
      return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'submit', args }), limit: sealGas(charter.steps.length) }
    }
    case 'settleOnSilence': {
      const charter = toContractCharter(call.charter)
      const args = [call.terms, charter, call.bits, noReceipt] as const
      const data = encodeFunctionData({ abi: planEscrowAbi, functionName: 'settleOnSilence', args })
      return { data, limit: settleGas(countEntries(charter)) }
    }
    case 'refund':
      return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'refund', args: [call.terms] }), limit: gas.refund }
    case 'dispute':
    case 'rule':
    case 'acceptOffer':
    case 'closeExpired': {
      const charter = toContractCharter(call.charter)
      const data = await encodeDisputeCall(at, signers.arbitrator, { ...call, charter })
      return { data, limit: settleGas(countEntries(charter)) }
    }
    case 'withdrawCredit': {
      const { account, to, deadline, signature } = call
      const args = [account, at.token, to, BigInt(deadline), signature] as const
      return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'withdrawCreditTo', args }), limit: gas.withdraw }
    }
    default:
      return call satisfies never
  }
}

async function encodeSeal(at: ContractAddresses, evaluator: Evaluator, call: Extract<EscrowCall, { kind: 'seal' }>): Promise<PlanCallData> {
  const { terms, version, authorization, memberSignatures } = call
  const charter = toContractCharter(call.charter)
  const evaluatorSignature = await signCharterAsEvaluator(at, evaluator, { terms, version, charter })
  const signed = { signature: authorization?.signature ?? '0x', evaluatorSignature, memberSignatures } as const
  const sealing = { terms, version, charter, proposed: authorization === null, ...signed }
  const limit = sealGas(charter.steps.length + (call.replaced?.steps.length ?? 0))
  if (!call.replaced) return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'seal', args: [sealing] }), limit }
  const args = [sealing, toContractCharter(call.replaced)] as const
  return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'reseal', args }), limit }
}

async function encodeSettle(at: ContractAddresses, evaluator: Evaluator, call: SettleCall): Promise<PlanCallData> {
  const limit = gasOf(call)
  const attestation = await attest(at, evaluator, call)
  if (call.authorization) {
    const args = [await sealedSettlement(at, evaluator, call, attestation)] as const
    return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'sealAndSettle', args }), limit }
  }
  const args = [settlement(call, attestation)] as const
  return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: call.isHalf ? 'settleHalf' : 'settle', args }), limit }
}

async function encodeSettleMany(at: ContractAddresses, evaluator: Evaluator, settlements: readonly SettleCall[]): Promise<PlanCallData> {
  const each = BigInt(Math.max(...settlements.map((one) => Number(gasOf(one)))))
  const limit = batchGas(each, settlements.length)
  const signedBatch = await signBatch(at, evaluator, settlements)
  if (settlements.every((one) => one.authorization !== undefined)) {
    const all = await Promise.all(settlements.map((one) => sealedSettlement(at, evaluator, one, '0x')))
    const args = [{ ...signedBatch, items: packItems('sealAndSettle', all), gasEach: each }] as const
    return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'sealAndSettleMany', args }), limit }
  }
  const items = packItems(
    'settle',
    settlements.map((one) => settlement(one, '0x')),
  )
  const args = [{ ...signedBatch, items, gasEach: each }] as const
  return { data: encodeFunctionData({ abi: planEscrowAbi, functionName: 'settleMany', args }), limit }
}

function gasOf({ charter, authorization, isHalf }: SettleCall): bigint {
  // Each half is booked separately.
  if (isHalf) return 2n * settleGas(countEntries(charter))
  return settlementGas(countEntries(charter), authorization !== undefined)
}

/** The evaluator's signature over a charter. The escrow requires it, and it replaces signatures of members without a key. */
export function signCharterAsEvaluator(
  at: ContractAddresses,
  evaluator: Evaluator,
  { terms, version, charter }: { readonly terms: EscrowTerms; readonly version: number; readonly charter: EscrowCharter },
): Promise<Hex> {
  const message = charterMessage(planIdOf(at, terms), version, charter)
  return evaluator.signTypedData({ domain: escrowDomainAt(at), types: charterTypes, primaryType: 'Charter', message })
}

/** The evaluator's attestation of a settlement, over exactly the encoded values. */
function attestationOf(at: ContractAddresses, { terms, charter, bits, close, conclusionHash }: SettleCall): EscrowAttestation {
  return { planId: planIdOf(at, terms), charter: settledCharter(charter), bits, close, conclusionHash }
}

function attest(at: ContractAddresses, evaluator: Evaluator, call: SettleCall): Promise<Hex> {
  const [domain, message] = [escrowDomainAt(at), attestationOf(at, call)]
  if (call.isHalf) return evaluator.signTypedData({ domain, types: halfAttestationTypes, primaryType: 'HalfAttestation', message })
  return evaluator.signTypedData({ domain, types: attestationTypes, primaryType: 'Attestation', message })
}

/** One batch signature in place of an attestation per settlement. */
async function signBatch(at: ContractAddresses, evaluator: Evaluator, settlements: readonly SettleCall[]) {
  const attestations = settlements.map((one) => attestationOf(at, one))
  const message = { attestations }
  const signature = await evaluator.signTypedData({ domain: escrowDomainAt(at), types: batchTypes, primaryType: 'Batch', message })
  return { evaluator: evaluator.address, attestations: attestations.map(hashAttestation), signature }
}

/** `signature`: the evaluator's attestation; empty in a batch with one signature. */
function settlement({ terms, charter, bits, close, conclusionHash }: SettleCall, signature: Hex) {
  return { terms, charter: toContractCharter(charter), bits, close, conclusionHash, signature }
}

/** One empty signature per payee: the evaluator's signature replaces them. */
function emptyMemberSignatures({ steps }: EscrowCharter): { signer: Hex; signature: Hex }[] {
  return [...new Set(steps.map(({ payee }) => payee))].map((signer) => ({ signer, signature: '0x' }))
}

/** As `settlement`, with the charter that the client approved. */
async function sealedSettlement(at: ContractAddresses, evaluator: Evaluator, call: SettleCall, attestation: Hex) {
  const { terms, version, authorization } = call
  if (!authorization) throw new Error('a settlement without its charter is among those that bring theirs')
  const { charter, bits, close, conclusionHash, signature } = settlement(call, attestation)
  const evaluatorSignature = await signCharterAsEvaluator(at, evaluator, { terms, version, charter })
  const signed = { signature: authorization.signature, evaluatorSignature, memberSignatures: emptyMemberSignatures(charter) }
  const sealed = { terms, version, charter, proposed: false, ...signed }
  return { sealing: sealed, bits, close, conclusionHash, signature }
}

/** Only the fields of the contract's struct. */
function toContractCharter({ steps, royalties, charterHash }: EscrowCharter): EscrowCharter {
  return {
    steps: steps.map(({ payee, amount }) => ({ payee, amount })),
    royalties: royalties.map(({ step, to, bps }) => ({ step, to, bps })),
    charterHash,
  }
}
