import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { offerNotFound } from '../errors.ts'
import { offerTypedData } from './dispute-and-offer-typed-data.ts'
import { loadEscrowedStep, requireDisputeParty } from './load-escrowed-step.ts'
import { requireOfferable } from './make-settlement-offer.ts'

export type SettlementOfferTypedData = {
  /** EIP-712 typed data for `eth_signTypedData_v4`. */
  readonly typedData: Eip712TypedData
  readonly payeeBps: number
  /** Unix seconds. */
  readonly deadline: number
  /** Full amount of the step in base units, before royalties. */
  readonly amount: bigint
}

type OfferRequest = { readonly goal_id: string; readonly step: number; readonly payee_bps: number; readonly deadline: number }

/** Typed data with which a party proposes a split, or accepts the other party's (`settlement_offer_id`). */
export async function getSettlementOfferTypedData(
  ctx: Context,
  input: OfferRequest | { readonly settlement_offer_id: string },
): Promise<SettlementOfferTypedData> {
  const {
    goal_id,
    step,
    payee_bps: payeeBps,
    deadline,
  } = 'settlement_offer_id' in input ? await loadOfferRequest(ctx, input.settlement_offer_id) : input
  const escrowedStep = await loadEscrowedStep(ctx, goal_id, step)
  requireDisputeParty(ctx, escrowedStep)
  requireOfferable(escrowedStep, deadline, seconds(ctx.clock.now()))
  return { typedData: offerTypedData(escrowedStep, { step, payeeBps, deadline }), payeeBps, deadline, amount: escrowedStep.payout.amount }
}

async function loadOfferRequest(ctx: Context, id: string): Promise<OfferRequest> {
  const offer = await ctx.db.settlementOffer.findUnique({ where: { id } })
  if (!offer) throw offerNotFound(id)
  return { goal_id: offer.goalId, step: offer.step, payee_bps: offer.payeeBps, deadline: offer.deadline }
}
