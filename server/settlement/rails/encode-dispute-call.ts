import { encodeFunctionData, type Hex } from 'viem'
import { escrowDomainAt, planEscrowAbi, planIdOf, rulingTypes } from '../../../contracts/abi/index.ts'
import type { ChainSigner, EscrowCall } from '../../ports.ts'

type DisputeCall = Extract<EscrowCall, { kind: 'dispute' | 'rule' | 'acceptOffer' | 'closeExpired' }>

/** Encodes the calls about disputed steps. Signs for the arbitrator; the parties' signatures are part of the call. */
export async function encodeDisputeCall(
  at: { readonly chainId: number; readonly escrow: Hex },
  arbitrator: ChainSigner | null,
  call: DisputeCall,
): Promise<Hex> {
  const { terms, charter } = call
  switch (call.kind) {
    case 'dispute': {
      const { step, evidenceHash, by, signature } = call
      return encodeFunctionData({
        abi: planEscrowAbi,
        functionName: 'dispute',
        args: [terms, charter, step, evidenceHash, by, signature],
      })
    }
    case 'rule': {
      const { version, step, payeeBps, rulingHash } = call
      if (!arbitrator) throw new Error('a ruling was asked of a server that has no key of an arbitrator')
      const signature = await arbitrator.signTypedData({
        domain: escrowDomainAt(at),
        types: rulingTypes,
        primaryType: 'Ruling',
        message: { planId: planIdOf(at, terms), version, step, payeeBps, rulingHash },
      })
      return encodeFunctionData({
        abi: planEscrowAbi,
        functionName: 'rule',
        args: [terms, charter, step, payeeBps, rulingHash, signature],
      })
    }
    case 'acceptOffer': {
      const { step, payeeBps, deadline, clientSignature, payeeSignature } = call
      return encodeFunctionData({
        abi: planEscrowAbi,
        functionName: 'acceptOffer',
        args: [terms, charter, step, payeeBps, deadline, clientSignature, payeeSignature],
      })
    }
    case 'closeExpired':
      return encodeFunctionData({ abi: planEscrowAbi, functionName: 'closeExpired', args: [terms, charter] })
    default:
      return call satisfies never
  }
}
