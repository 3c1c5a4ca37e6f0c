import type { DisputeState, OfferState } from '@parley/protocol'

/** What the escrow's log says of one step. `closed`: its plan has ended. */
export type StepEvent = 'disputed' | 'ruled' | 'agreed' | 'closed'

/** The state of a dispute after the log; as it was where the log changes nothing. `null`: the server knows of none. */
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

type SplitOffer = { readonly state: OfferState; readonly payeeBps: number }

/**
 * The offer that a split carried out, of those that are still open, newest first. A ruling carries out none. A party can bring an
 * offer to the escrow past the server: then one with the same share counts.
 */
export function findExecutedOffer<T extends SplitOffer>(
  offers: readonly T[],
  split: { isRuled: boolean; payeeBps: number },
): T | undefined {
  if (split.isRuled) return undefined
  return offers.find((one) => one.state === 'accepting') ?? offers.find((one) => one.payeeBps === split.payeeBps)
}
