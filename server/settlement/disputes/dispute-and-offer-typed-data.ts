import { disputeTypes, escrowDomain, offerTypes } from '@parley/protocol'
import type { Eip712TypedData } from '../../ports.ts'
import { type EscrowedStep, stepIndex } from './load-escrowed-step.ts'

type Hex = `0x${string}`
type OneStep = Pick<EscrowedStep, 'hold' | 'charter'>

/** Typed data with which a party opens a dispute. */
export function disputeTypedData({ hold, charter }: OneStep, step: number, evidenceHash: Hex): Eip712TypedData {
  return {
    domain: escrowDomain(hold.chainId, hold.escrow),
    types: disputeTypes,
    primaryType: 'DisputeOpened',
    message: { planId: hold.planId, version: charter.version, step: stepIndex(step), evidenceHash },
  }
}

/** Typed data with which both parties agree to a split. `deadline`: Unix seconds. */
export function offerTypedData({ hold, charter }: OneStep, offer: { step: number; payeeBps: number; deadline: number }): Eip712TypedData {
  const { step, payeeBps, deadline } = offer
  return {
    domain: escrowDomain(hold.chainId, hold.escrow),
    types: offerTypes,
    primaryType: 'SettlementOffer',
    message: { planId: hold.planId, version: charter.version, step: stepIndex(step), payeeBps, deadline },
  }
}
