import { creditWithdrawalTypes, disputeTypes, escrowDomain, offerTypes } from '@parley/protocol'
import type { Market } from '../context.ts'
import type { TypedData } from '../ports.ts'
import { type PlanStep, placeOf } from './plan-step.ts'

type Hex = `0x${string}`
type OneStep = Pick<PlanStep, 'hold' | 'charter'>

/** What a party's wallet signs to open a dispute. */
export function disputeTypedData({ hold, charter }: OneStep, step: number, evidenceHash: Hex): TypedData {
  return {
    domain: escrowDomain(hold.chainId, hold.escrow),
    types: disputeTypes,
    primaryType: 'DisputeOpened',
    message: { planId: hold.planId, version: charter.version, step: placeOf(step), evidenceHash },
  }
}

/** What both parties sign to split a step. `deadline`: Unix seconds. */
export function offerTypedData({ hold, charter }: OneStep, offer: { step: number; payeeBps: number; deadline: number }): TypedData {
  const { step, payeeBps, deadline } = offer
  return {
    domain: escrowDomain(hold.chainId, hold.escrow),
    types: offerTypes,
    primaryType: 'SettlementOffer',
    message: { planId: hold.planId, version: charter.version, step: placeOf(step), payeeBps, deadline },
  }
}

/** What an account signs to have its whole credit sent. `deadline`: Unix seconds. */
export function withdrawalTypedData(market: Market, given: { account: Hex; to: Hex; nonce: number; deadline: number }): TypedData {
  const { account, to, nonce, deadline } = given
  return {
    domain: escrowDomain(market.chainId, market.escrow),
    types: creditWithdrawalTypes,
    primaryType: 'CreditWithdrawal',
    message: { account, token: market.token, to, nonce: BigInt(nonce), deadline: BigInt(deadline) },
  }
}
