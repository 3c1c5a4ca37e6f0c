import type { DisputeState, SettlementOfferState } from '@parley/protocol'

/** A chain event of one step. `closed`: the plan has ended. */
export type StepEvent = 'disputed' | 'ruled' | 'agreed' | 'closed'

/** State of a dispute after the event, or the same state if nothing changes. Null: no dispute exists. */
export function nextDisputeState(state: DisputeState | null, fact: StepEvent): DisputeState | null {
  switch (fact) {
    case 'disputed':
      return state === null || state === 'signed' || state === 'refused' ? 'open' : state
    case 'ruled':
    case 'agreed':
      return state === 'open' || state === 'ruling' ? fact : state
    case 'closed':
      if (state === 'signed') return 'refused'
      return state === 'open' || state === 'ruling' ? 'lapsed' : state
    default:
      return fact satisfies never
  }
}

type SplitOffer = { readonly state: SettlementOfferState; readonly payeeBps: number }

/**
 * The offer that a split has executed, among the open ones, newest first. A ruling or the terms execute none. A party can send an offer
 * to the escrow directly; then the offer with the same share counts.
 */
export function findExecutedOffer<T extends SplitOffer>(
  offers: readonly T[],
  split: { isAgreed: boolean; payeeBps: number },
): T | undefined {
  if (!split.isAgreed) return undefined
  return offers.find((one) => one.state === 'accepting') ?? offers.find((one) => one.payeeBps === split.payeeBps)
}
