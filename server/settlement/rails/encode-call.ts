import { attestationTypes, type EscrowCharter } from '@parley/protocol'
import { encodeFunctionData, type Hex, type PrivateKeyAccount } from 'viem'
import { charterMessage, charterTypes, escrowDomain, planEscrowAbi, planIdOf, testUsdcAbi } from '../../../contracts/abi/index.ts'
import type { EncodedCall, EscrowCall } from '../../ports.ts'
import { encodeChannelCall } from './encode-channel-call.ts'
import { encodeDispute } from './encode-dispute.ts'

/** The keys that speak in calls. Without an arbitrator's, nothing can be ruled. */
export type CallSigners = { readonly evaluator: PrivateKeyAccount; readonly arbitrator: PrivateKeyAccount | null }
export type CallSite = { readonly chainId: number; readonly escrow: Hex; readonly token: Hex; readonly channels: Hex | null }

/**
 * Gas by the size of the call. It is not estimated: a transfer that runs out of gas inside a settlement becomes a credit
 * and the settlement succeeds, so the least gas that succeeds is too little.
 */
const gas = {
  fund: 600_000n,
  seal: (steps: number) => 300_000n + 40_000n * BigInt(steps),
  settle: (steps: number) => 400_000n + 130_000n * BigInt(steps),
  refund: 400_000n,
  withdraw: 250_000n,
  mint: 150_000n,
  send: 60_000n,
}

/** What goes into the transaction. The evaluator's and the arbitrator's signatures are made here, over exactly what is sent. */
export async function encodeCall(at: CallSite, signers: CallSigners, call: EscrowCall): Promise<EncodedCall> {
  const toEscrow = (data: Hex, limit: bigint): EncodedCall => ({ to: at.escrow, data, value: 0n, gas: limit })
  const { evaluator } = signers
  const domain = escrowDomain(at)
  switch (call.kind) {
    case 'fund':
      return toEscrow(
        encodeFunctionData({
          abi: planEscrowAbi,
          functionName: 'fundWithAuthorization',
          args: [call.terms, BigInt(call.validAfter), BigInt(call.validBefore), call.signature],
        }),
        gas.fund,
      )
    case 'seal': {
      const { terms, version } = call
      const charter = plain(call.charter)
      const evaluatorSignature = await evaluator.signTypedData({
        domain,
        types: charterTypes,
        primaryType: 'Charter',
        message: charterMessage(planIdOf(at, terms), version, charter),
      })
      const sealing = { terms, version, charter, evaluatorSignature, memberSignatures: call.memberSignatures }
      const limit = gas.seal(charter.steps.length + (call.replaced?.steps.length ?? 0))
      if (!call.replaced) return toEscrow(encodeFunctionData({ abi: planEscrowAbi, functionName: 'seal', args: [sealing] }), limit)
      return toEscrow(encodeFunctionData({ abi: planEscrowAbi, functionName: 'reseal', args: [sealing, plain(call.replaced)] }), limit)
    }
    case 'settle': {
      const { terms, version, bits, close, conclusionHash } = call
      const charter = plain(call.charter)
      const signature = await evaluator.signTypedData({
        domain,
        types: attestationTypes,
        primaryType: 'Attestation',
        message: { planId: planIdOf(at, terms), version, bits, close, conclusionHash },
      })
      return toEscrow(
        encodeFunctionData({
          abi: planEscrowAbi,
          functionName: 'settle',
          args: [{ terms, charter, bits, close, conclusionHash, signature }],
        }),
        gas.settle(charter.steps.length + charter.royalties.length),
      )
    }
    case 'refund':
      return toEscrow(encodeFunctionData({ abi: planEscrowAbi, functionName: 'refund', args: [call.terms] }), gas.refund)
    case 'dispute':
    case 'rule':
    case 'acceptOffer':
    case 'refundDisputed': {
      const charter = plain(call.charter)
      const data = await encodeDispute(at, signers.arbitrator, { ...call, charter })
      return toEscrow(data, gas.settle(charter.steps.length + charter.royalties.length))
    }
    case 'withdrawCredit': {
      const { account, to, deadline, signature } = call
      const args = [account, at.token, to, BigInt(deadline), signature] as const
      return toEscrow(encodeFunctionData({ abi: planEscrowAbi, functionName: 'withdrawCreditTo', args }), gas.withdraw)
    }
    case 'openChannel':
    case 'topUpChannel':
    case 'claimVoucher':
    case 'closeChannel':
      return encodeChannelCall(at, call)
    case 'mint': {
      const data = encodeFunctionData({ abi: testUsdcAbi, functionName: 'mint', args: [call.to, call.amount] })
      return { to: at.token, data, value: 0n, gas: gas.mint }
    }
    case 'sendEther':
      return { to: call.to, data: '0x', value: call.wei, gas: gas.send }
    default:
      return call satisfies never
  }
}

/** Nothing but what the contract knows. */
function plain({ steps, royalties, charterHash }: EscrowCharter): EscrowCharter {
  return {
    steps: steps.map(({ payee, amount }) => ({ payee, amount })),
    royalties: royalties.map(({ step, to, bps }) => ({ step, to, bps })),
    charterHash,
  }
}
