import { seconds } from '../../clock.ts'
import type { CardTerms } from '../holds/hold.ts'
import type { HoldCharter } from '../holds/hold-store.ts'

type Decided = Pick<HoldCharter, 'authorization' | 'veto'>

/**
 * When the veto window of a card-funded goal's charter ends, in Unix seconds. Null if the charter needs the client's approval. Reasons are:
 * the goal has no window, the window ends too late for the work, or the client has approved or vetoed a charter.
 */
export function vetoWindowEnd(
  { createdAt }: Pick<HoldCharter, 'createdAt'>,
  charters: readonly Decided[],
  { vetoSeconds, workBy }: Pick<CardTerms, 'vetoSeconds' | 'workBy'>,
): number | null {
  const end = seconds(createdAt) + vetoSeconds
  const hasDecided = charters.some(({ authorization, veto }) => authorization !== null || veto !== null)
  return vetoSeconds > 0 && end < workBy && !hasDecided ? end : null
}

/** Whether a card-funded goal may pay this charter: the client approved it, or its veto window ended without a veto. The rule of the escrow. */
export function isCardCharterPayable(
  charter: Decided & Pick<HoldCharter, 'createdAt'>,
  charters: readonly Decided[],
  terms: Pick<CardTerms, 'vetoSeconds' | 'workBy'>,
  at: Date,
): boolean {
  if (charter.authorization !== null) return true
  const end = vetoWindowEnd(charter, charters, terms)
  return end !== null && end <= seconds(at)
}
